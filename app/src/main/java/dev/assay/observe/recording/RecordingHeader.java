package dev.assay.observe.recording;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import dev.assay.target.TargetAddress;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code recording.json}: what was recorded, by whom, how. Written whole at the beginning and at the end of each run. It never holds a
 * password: the address is kept as host, port, role and database.
 *
 * @param server as it was when the first run began
 * @param place host and port, as the user gave them
 * @param systemIdentifier of the cluster, as text; null where the role may not see it
 * @param cores of the server's machine; null where they are not known
 * @param runs the times that somebody recorded into the folder, the latest last
 */
public record RecordingHeader(
        ServerFacts server,
        String place,
        String user,
        @Nullable String systemIdentifier,
        @Nullable Integer cores,
        List<Run> runs) {

    /** The version of the folder's format that this Assay writes. It reads this one and older ones. */
    public static final int FORMAT_VERSION = 1;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /**
     * One time that somebody recorded.
     *
     * @param assayVersion who wrote it
     * @param endedAt null while it goes on, or when the writer was killed
     * @param options of the command, in its own words
     */
    public record Run(
            String assayVersion,
            Instant startedAt,
            @Nullable Instant endedAt,
            Map<String, String> options) {
        public Run {
            options = new TreeMap<>(options);
        }
    }

    public RecordingHeader {
        runs = List.copyOf(runs);
    }

    /** Of the server that the session looks at, without runs. */
    public static RecordingHeader of(TargetSession session, TargetAddress address, @Nullable Integer cores) {
        return new RecordingHeader(
                session.server(), address.place(), address.user(), systemIdentifier(session), cores, List.of());
    }

    private static @Nullable String systemIdentifier(TargetSession session) {
        try {
            return session.query("select system_identifier::text from pg_control_system()", row -> row.getString(1))
                    .get(0);
        } catch (TargetException e) {
            return null; // a managed service may not allow it
        }
    }

    /** Whether what the other one watches may follow in the same folder. */
    boolean sameServer(RecordingHeader other) {
        if (!server.database().equals(other.server.database())) {
            return false;
        }
        boolean known = systemIdentifier != null && other.systemIdentifier != null;
        return known ? Objects.equals(systemIdentifier, other.systemIdentifier) : place.equals(other.place);
    }

    RecordingHeader with(Run next) {
        List<Run> more = new ArrayList<>(runs);
        more.add(next);
        return new RecordingHeader(server, place, user, systemIdentifier, cores, more);
    }

    RecordingHeader endedAt(Instant end) {
        List<Run> all = new ArrayList<>(runs);
        Run last = all.remove(all.size() - 1);
        all.add(new Run(last.assayVersion(), last.startedAt(), end, last.options()));
        return new RecordingHeader(server, place, user, systemIdentifier, cores, all);
    }

    private String json() throws JsonProcessingException {
        ObjectNode document = MAPPER.createObjectNode();
        document.put("kind", "recording");
        document.put("format_version", FORMAT_VERSION);
        document.put(
                "assay_version", runs.isEmpty() ? "" : runs.get(runs.size() - 1).assayVersion());
        document.put(
                "started_at", runs.isEmpty() ? null : runs.get(0).startedAt().toString());
        ObjectNode described = document.putObject("server");
        described.put("version", server.version().toString());
        described.put("version_text", server.versionText());
        described.put("database", server.database());
        described.put("host", place);
        described.put("user", user);
        described.put("system_identifier", systemIdentifier);
        described.put("cores", cores);
        ArrayNode all = document.putArray("runs");
        for (Run run : runs) {
            ObjectNode one = all.addObject();
            one.put("assay_version", run.assayVersion());
            one.put("started_at", run.startedAt().toString());
            one.put("ended_at", run.endedAt() == null ? null : run.endedAt().toString());
            ObjectNode options = one.putObject("options");
            run.options().forEach(options::put);
        }
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
    }

    /** Writes it whole or not at all. */
    void write(RecordingFolder folder) throws IOException {
        Path part = folder.path().resolve("." + RecordingFolder.HEADER + RecordingFolder.PART);
        try (RandomAccessFile file = new RandomAccessFile(part.toFile(), "rw")) {
            file.setLength(0);
            file.write(json().getBytes(StandardCharsets.UTF_8));
            file.getFD().sync();
        }
        Files.move(part, folder.header(), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        RecordingFolder.syncFolder(folder.path());
    }

    /**
     * Reads it.
     *
     * @throws RecordingException when the folder holds no recording, or one of a newer format
     */
    static RecordingHeader read(RecordingFolder folder) {
        try {
            return parse(MAPPER.readTree(Files.readString(folder.header())), folder.path());
        } catch (NoSuchFileException e) {
            throw new RecordingException(
                    folder.path() + " is no recording: it has no " + RecordingFolder.HEADER,
                    "Name the folder that 'assay record -o' wrote to.",
                    e);
        } catch (JsonProcessingException | DateTimeException | IllegalArgumentException e) {
            throw new RecordingException(
                    folder.header() + " cannot be understood: "
                            + (e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage()),
                    "The Parquet files beside it can still be read by any Parquet reader.",
                    e);
        } catch (IOException e) {
            throw new RecordingException(
                    "cannot read " + folder.header() + ": " + RecordingFolder.why(e),
                    "Name the folder that 'assay record -o' wrote to.",
                    e);
        }
    }

    private static RecordingHeader parse(JsonNode document, Path folder) {
        int format = document.path("format_version").asInt(0);
        if (!document.path("kind").asText("").equals("recording") || format < 1) {
            throw new IllegalArgumentException("it is no document of kind 'recording'");
        }
        if (format > FORMAT_VERSION) {
            throw new RecordingException(
                    folder + " has format version " + format + ", this Assay reads up to " + FORMAT_VERSION,
                    "It was written by Assay " + document.path("assay_version").asText("of a newer release")
                            + "; use that one.",
                    null);
        }
        JsonNode server = document.path("server");
        List<Run> runs = new ArrayList<>();
        for (JsonNode run : document.path("runs")) {
            Map<String, String> options = new TreeMap<>();
            run.path("options")
                    .properties()
                    .forEach(entry ->
                            options.put(entry.getKey(), entry.getValue().asText()));
            runs.add(new Run(
                    run.path("assay_version").asText(""),
                    Instant.parse(run.path("started_at").asText("")),
                    run.hasNonNull("ended_at")
                            ? Instant.parse(run.path("ended_at").asText())
                            : null,
                    options));
        }
        return new RecordingHeader(
                new ServerFacts(
                        ServerVersion.parse(server.path("version").asText("")),
                        server.path("version_text").asText(""),
                        server.path("database").asText("")),
                server.path("host").asText(""),
                server.path("user").asText(""),
                server.hasNonNull("system_identifier")
                        ? server.path("system_identifier").asText()
                        : null,
                server.hasNonNull("cores") ? server.path("cores").asInt() : null,
                runs);
    }
}
