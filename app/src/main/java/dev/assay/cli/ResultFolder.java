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
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder that a run's documents go to. Whether it can be written to is tried out before the run, so that minutes of measuring are not
 * lost to a wrong path; it is made for good only when there is something to write, so that a run that fails leaves no empty folder.
 */
final class ResultFolder {

    /** The document that a later command reads. */
    static final String RESULT = "result.json";

    private final Path folder;
    private final String option;

    private ResultFolder(Path folder, String option) {
        this.folder = folder;
        this.option = option;
    }

    /** One file that has been found to be writable. */
    record File(ResultFolder folder, String name) {

        /** Writes it whole or not at all. */
        void write(String text) {
            folder.write(name, text);
        }
    }

    /**
     * Checks that a file can be written.
     *
     * @param option by which the user named it
     */
    static File file(Path wanted, String option) {
        Path whole = wanted.toAbsolutePath().normalize();
        Path name = whole.getFileName();
        Path parent = whole.getParent();
        if (name == null || parent == null || Files.isDirectory(whole)) {
            throw new CommandException(
                    "cannot write to " + wanted + ": it is a folder", "Name a file with " + option + ".");
        }
        return new File(tried(parent, option), name.toString());
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
        return tried(folder, "-o");
    }

    private static ResultFolder tried(Path folder, String option) {
        try {
            List<Path> missing = Stream.iterate(folder, one -> one != null && !Files.exists(one), Path::getParent)
                    .toList();
            Files.createDirectories(folder);
            Files.delete(Files.createTempFile(folder, ".try", null));
            for (Path made : missing) {
                Files.delete(made);
            }
            return new ResultFolder(folder, option);
        } catch (IOException e) {
            throw cannotWrite(folder, option, e);
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
            throw cannotWrite(target, option, e);
        }
    }

    private static CommandException cannotWrite(Path path, String option, IOException e) {
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
                "cannot write to " + path + ": " + why,
                "Name another place with " + option + ", or free some space.",
                e);
    }
}
