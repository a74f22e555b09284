package dev.assay.lab;

import dev.assay.lab.service.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The work of a variant: scripts under load, a service under load, or SQL that is timed. */
public sealed interface Workload {

    /** The SQL, for people. */
    String statement();

    /**
     * Scripts in pgbench's language, run by many clients for the measured time.
     *
     * @param parts at least one, with a weight above zero among them
     */
    record Scripts(List<Part> parts) implements Workload {

        public Scripts {
            parts = List.copyOf(parts);
        }

        @Override
        public String statement() {
            return parts.stream()
                    .map(part -> parts.size() == 1 ? part.statement() : part.heading() + part.statement())
                    .collect(Collectors.joining("\n"));
        }
    }

    /**
     * One script of a mix.
     *
     * @param name in the experiment file
     * @param line of the experiment file that holds the script's first line, from 1; 0 when the script came from elsewhere
     * @param weight the chance of being drawn is its share of all weights
     */
    record Part(String name, String text, int line, int weight) {

        private String heading() {
            return "-- " + name + ", weight " + weight + "\n";
        }

        private String statement() {
            return text.lines()
                    .filter(line -> !line.stripLeading().startsWith("\\set "))
                    .collect(Collectors.joining("\n"))
                    .strip();
        }
    }

    /**
     * A service in a process of its own, called by users over HTTP for the measured time. Every trial starts it anew.
     *
     * @param name in the experiment file
     * @param command a program with its arguments
     * @param environment in addition to what tells it its port and its database
     * @param ready path that answers with 2xx once the service can work
     * @param readyWithin how long that may take
     * @param requests at least one
     */
    record Service(
            String name,
            List<String> command,
            Map<String, String> environment,
            String ready,
            Duration readyWithin,
            List<Request> requests)
            implements Workload {

        public Service {
            command = List.copyOf(command);
            environment = Map.copyOf(environment);
            requests = List.copyOf(requests);
        }

        @Override
        public String statement() {
            return requests.stream().map(Request::line).collect(Collectors.joining("\n"));
        }
    }

    /**
     * SQL that is timed as a whole, by one session; a trial is one execution.
     *
     * @param name in the experiment file
     * @param prepare run before every trial and not timed; may be empty
     * @param sql statements in pgbench's language
     * @param line of the experiment file that holds the first line of {@code sql}, from 1; 0 when it came from elsewhere
     */
    record Task(String name, String prepare, String sql, int line) implements Workload {

        @Override
        public String statement() {
            return sql.strip();
        }
    }
}
