package dev.assay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

final class TarXzTest {

    @TempDir
    Path folder;

    private OwnedFolder part;
    private Path target;

    @BeforeEach
    void make() throws IOException {
        part = OwnedFolder.makeUnlocked(folder.toRealPath(), "x.part");
        target = Files.createDirectory(part.path().resolve("content"));
    }

    @AfterEach
    void remove() {
        part.remove();
        assertThat(part.path()).doesNotExist();
        assertThat(folder.resolve("evil")).doesNotExist();
    }

    private static byte[] archive(TarArchiveEntry entry, String content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new XZOutputStream(bytes, new LZMA2Options()))) {
            byte[] data = content.getBytes(StandardCharsets.UTF_8);
            entry.setSize(data.length);
            tar.putArchiveEntry(entry);
            tar.write(data);
            tar.closeArchiveEntry();
        }
        return bytes.toByteArray();
    }

    private static TarArchiveEntry file(String name, int mode) {
        TarArchiveEntry entry = new TarArchiveEntry(name, true);
        entry.setMode(mode);
        return entry;
    }

    private static TarArchiveEntry symbolicLink(String name, String to) {
        TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
        entry.setLinkName(to);
        return entry;
    }

    private void unpack(byte[] archive) throws IOException {
        TarXz.unpack(new ByteArrayInputStream(archive), part, target);
    }

    @Test
    void files_keep_their_execute_bit_and_links_stay_links() throws IOException {
        unpack(archive(file("bin/run", 0755), "x"));
        unpack(archive(file("share/read", 0600), "y"));
        unpack(archive(symbolicLink("lib/a.so", "../share/read"), ""));
        assertThat(target.resolve("bin/run")).isExecutable().hasContent("x");
        assertThat(Files.getPosixFilePermissions(target.resolve("share/read"))).hasSize(4);
        assertThat(Files.readSymbolicLink(target.resolve("lib/a.so"))).hasToString("../share/read");
        assertThat(target.resolve("lib/a.so")).hasContent("y");
    }

    @Test
    void nothing_leads_outside() throws IOException {
        for (TarArchiveEntry entry : new TarArchiveEntry[] {
            file("../../evil", 0644), file("/evil", 0644), symbolicLink("a", "../../evil"), symbolicLink("b", "/evil")
        }) {
            byte[] archive = archive(entry, "");
            assertThatThrownBy(() -> unpack(archive))
                    .as(entry.getName())
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("archive leads outside");
        }
    }

    @Test
    void a_damaged_archive_is_refused() throws IOException {
        byte[] archive = archive(file("a", 0644), "content".repeat(1000));
        assertThatThrownBy(() -> unpack(Arrays.copyOf(archive, archive.length / 2)))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> unpack("no archive".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void a_removed_folder_takes_no_more() throws IOException {
        byte[] archive = archive(file("a", 0644), "x");
        part.remove();
        assertThatThrownBy(() -> unpack(archive))
                .isInstanceOfSatisfying(
                        ServerStartException.class,
                        e -> assertThat(e.reason()).isEqualTo(ServerStartException.Reason.CLOSED));
    }
}
