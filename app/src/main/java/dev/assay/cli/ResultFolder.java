package dev.assay.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The folder that a run's documents go to. Whether it can be written to is tried out before the run, so that minutes of measuring are not
 * lost to a wrong path; it is made for good only when there is something to write, so that a run that fails leaves no empty folder.
 */
final class ResultFolder {

    private final Path folder;

    private ResultFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Checks that the folder can be made and written to.
     *
     * @param wanted by the user; null for {@code assay-results/NAME-TIME} in the working folder
     */
    static ResultFolder of(@Nullable Path wanted, String name) {
        Path folder = wanted != null
                ? wanted
                : Path.of(
                        "assay-results",
                        name + "-"
                                + DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT)
                                        .format(LocalDateTime.now(ZoneId.systemDefault())));
        try {
            boolean there = Files.exists(folder);
            Files.createDirectories(folder);
            Files.delete(Files.createTempFile(folder, ".try", null));
            if (!there) {
                Files.delete(folder);
            }
            return new ResultFolder(folder);
        } catch (IOException e) {
            throw cannotWrite(folder, e);
        }
    }

    /** Writes a document whole or not at all, and returns where it is. */
    Path write(String file, String text) {
        Path target = folder.resolve(file);
        try {
            Files.createDirectories(folder);
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
        } else if (e instanceof FileSystemException named) {
            why = named.getReason() == null ? "no folder can be made there" : named.getReason();
        } else {
            why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
        return new CommandException(
                "cannot write to " + path + ": " + why, "Name another folder with -o, or free some space.", e);
    }
}
