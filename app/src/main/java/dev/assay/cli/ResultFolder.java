package dev.assay.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The folder that a run's documents go to. It is made before the run, so that minutes of measuring are not lost to a wrong path. */
final class ResultFolder {

    private final Path folder;

    private ResultFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes the folder and checks that it can be written to.
     *
     * @param wanted by the user; null for {@code assay-results/NAME-TIME} in the working folder
     */
    static ResultFolder make(@Nullable Path wanted, String name) {
        Path folder = wanted != null
                ? wanted
                : Path.of(
                        "assay-results",
                        name + "-"
                                + DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT)
                                        .format(LocalDateTime.now(ZoneId.systemDefault())));
        try {
            Files.createDirectories(folder);
            Files.delete(Files.createTempFile(folder, ".try", null));
            return new ResultFolder(folder);
        } catch (IOException e) {
            throw cannotWrite(folder, e);
        }
    }

    /** Writes a document whole or not at all, and returns where it is. */
    Path write(String file, String text) {
        Path target = folder.resolve(file);
        try {
            Path temporary = folder.resolve("." + file + ".new");
            try {
                Files.writeString(temporary, text);
                Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(temporary);
            }
            return target;
        } catch (IOException e) {
            throw cannotWrite(target, e);
        }
    }

    private static CommandException cannotWrite(Path path, IOException e) {
        String why;
        if (e instanceof AccessDeniedException) {
            why = "permission denied";
        } else if (e instanceof FileAlreadyExistsException) {
            why = "a file is in the way";
        } else {
            why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
        return new CommandException(
                "cannot write to " + path + ": " + why, "Name another folder with -o, or free some space.", e);
    }
}
