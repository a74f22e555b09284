package dev.assay.lab;

import dev.assay.lab.load.LoadResult;
import dev.assay.lab.service.HttpUsers;
import dev.assay.lab.service.ServiceProcess;
import dev.assay.sys.Await;
import dev.assay.target.TargetAddress;
import dev.assay.wire.Credentials;
import dev.assay.wire.Endpoint;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The load of a service that is started for the trial, and its users. What its backends have counted is complete once they have ended, so the
 * service is ended before the counters are read for the second time.
 */
final class ServiceLoad implements LoadSource {

    /** A backend whose client has gone ends at once; one that is at work, when its statement is over. */
    private static final Duration GONE_MAX = Duration.ofSeconds(10);

    private final Bench bench;
    private final Set<Integer> others;
    private final ServiceProcess service;
    private final HttpUsers users;
    private boolean ran;

    private ServiceLoad(Bench bench, Set<Integer> others, ServiceProcess service, HttpUsers users) {
        this.bench = bench;
        this.others = others;
        this.service = service;
        this.users = users;
    }

    static ServiceLoad start(Bench bench, Experiment.Variant variant, Workload.Service work)
            throws InterruptedException {
        bench.watch(); // a session that is not the service's
        Set<Integer> others = bench.clientBackends();
        Map<String, String> environment = database(bench.server().address());
        environment.putAll(work.environment());
        ServiceProcess service = ServiceProcess.start(work.command(), environment, work.ready(), work.readyWithin());
        Experiment.Load load = variant.load();
        return new ServiceLoad(
                bench,
                others,
                service,
                new HttpUsers(
                        service.address(),
                        work.requests(),
                        load.clients(),
                        load.threads(),
                        load.latencyLimit(),
                        bench.seed()));
    }

    /** Where the database is: libpq's variables, and the same as a URL for the Java driver. */
    private static Map<String, String> database(TargetAddress address) {
        Endpoint endpoint = address.endpoint();
        Credentials credentials = address.credentials();
        Map<String, String> environment = new HashMap<>();
        environment.put("PGHOST", endpoint.host());
        environment.put("PGPORT", Integer.toString(endpoint.port()));
        environment.put("PGUSER", credentials.user());
        environment.put("PGDATABASE", credentials.database());
        environment.put("PGSSLMODE", endpoint.encryption().mode().toString());
        String password = credentials.password();
        if (password != null) {
            environment.put("PGPASSWORD", password);
        }
        if (endpoint.isUnixSocket()) {
            return environment; // the driver has no URL for it
        }
        environment.put(
                "JDBC_DATABASE_URL",
                "jdbc:postgresql://" + endpoint + "/" + encoded(credentials.database()) + "?user="
                        + encoded(credentials.user())
                        + (password == null ? "" : "&password=" + encoded(password)));
        return environment;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public LoadResult run(Duration warmup, Duration measured) throws InterruptedException {
        ran = true;
        return users.run(warmup, measured);
    }

    @Override
    public OptionalLong serviceCpuNanos() {
        return OptionalLong.of(service.cpuNanos());
    }

    @Override
    public Optional<String> death() {
        return service.death();
    }

    @Override
    public OptionalDouble backendMemory() {
        return bench.memory(ownBackends().stream().mapToInt(Integer::intValue).toArray());
    }

    private Set<Integer> ownBackends() {
        Set<Integer> own = new HashSet<>(bench.clientBackends());
        own.removeAll(others);
        return own;
    }

    @Override
    public void report() throws InterruptedException {
        if (ran) {
            close();
            Await.until(GONE_MAX, () -> ownBackends().isEmpty());
        }
    }

    @Override
    public void close() {
        users.close();
        service.close();
    }
}
