package dev.assay.cli;

import dev.assay.report.KeptCalibration;
import dev.assay.sys.UserCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** The last whole calibration on this machine, kept in the user's cache for the reports of later runs. */
record CalibrationFile(Path file) {

    static CalibrationFile ofUser() {
        return new CalibrationFile(UserCache.ofUser().folder().resolve("calibration.json"));
    }

    /** Empty when none was made, or it cannot be read. */
    Optional<KeptCalibration> read() {
        try {
            return KeptCalibration.read(Files.readString(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Replaces the one before. */
    void write(String document) throws IOException {
        Files.createDirectories(file.getParent());
        Path begun = Files.createTempFile(file.getParent(), "calibration", ".new");
        Files.writeString(begun, document);
        Files.move(begun, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
