package dev.assay.cli;

import dev.assay.lab.compare.StoredRun;
import dev.assay.report.ResultReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A result that an earlier run left in its folder. */
final class StoredResult {

    /** A result of 200 rounds of ten variants has some megabytes; what is larger than this is something else. */
    private static final long BYTES_MAX = 256L << 20;

    private static final String HINT = "Name the folder that 'assay lab run NAME -o DIR' wrote.";

    private StoredResult() {}

    /**
     * Reads it.
     *
     * @param given the folder, or its {@code result.json}
     * @throws dev.assay.sys.OperatingException when it is missing, not whole, or something else
     */
    static StoredRun read(Path given) {
        if (!Files.exists(given)) {
            throw new CommandException("there is no folder " + given, HINT);
        }
        Path file = Files.isDirectory(given) ? given.resolve(ResultFolder.RESULT) : given;
        if (!Files.exists(file)) {
            boolean begun = Files.exists(given.resolve("." + ResultFolder.RESULT + ".new"));
            throw new CommandException(
                    begun
                            ? given + " holds a result that was not written to its end"
                            : given + " holds no " + ResultFolder.RESULT,
                    begun ? "Run the experiment again with -o." : HINT);
        }
        try {
            long bytes = Files.size(file);
            if (bytes > BYTES_MAX) {
                throw new CommandException(
                        file + " has " + (bytes >> 20) + " MiB, a result has at most " + (BYTES_MAX >> 20), HINT);
            }
            return ResultReader.read(Files.readString(file), file.toString());
        } catch (CharacterCodingException e) {
            throw new CommandException(file + " is not text in UTF-8", HINT, e);
        } catch (AccessDeniedException e) {
            throw new CommandException("cannot read " + file + ": permission denied", "Let this user read it.", e);
        } catch (IOException e) {
            throw new CommandException(
                    "cannot read " + file + ": "
                            + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()),
                    HINT,
                    e);
        }
    }
}
