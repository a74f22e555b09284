package dev.assay.observe.recording;

import dev.assay.sys.CrossProcessLock;
import dev.assay.sys.UserCache;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * DuckDB's native library, unpacked once for all processes of a user.
 *
 * <p>The driver by itself ({@code DuckDBNative} of 1.4.3) unpacks 57 MB into a new temporary file at every start, which takes 0.4 s and is
 * left behind when the JVM is killed. It does so when it finds the library among its resources, and otherwise asks
 * {@link System#loadLibrary}, which asks the class loader of the driver. So {@link DuckDbLoader} is the driver's class loader: it hides the
 * resource and names the file in the cache.
 */
final class DuckDbLibrary {

    private static final Duration UNPACK_MAX = Duration.ofSeconds(60);
    private static final String FILE = "libduckdb_java.so";

    private DuckDbLibrary() {}

    /** The resource's name on this machine. */
    static String resource() {
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return FILE + "_linux_" + (arch.equals("aarch64") || arch.equals("arm64") ? "arm64" : "amd64");
    }

    /**
     * The library's file in the user's cache.
     *
     * @throws IOException when the cache cannot be written, or the product has no library for this machine
     */
    static Path unpacked() throws IOException, InterruptedException {
        URL resource = DuckDbLibrary.class.getResource("/" + resource());
        if (resource == null) {
            throw new IOException("there is no DuckDB for " + System.getProperty("os.name") + " on "
                    + System.getProperty("os.arch") + " in this build");
        }
        Path parent = UserCache.ofUser().folder().resolve("duckdb");
        Path folder = parent.resolve(identity(resource));
        Path library = folder.resolve(FILE);
        if (isOurs(library)) {
            return library;
        }
        Files.createDirectories(parent);
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        return CrossProcessLock.holding(folder.resolve(".lock"), UNPACK_MAX, () -> {
            if (!isOurs(library)) {
                removeParts(folder);
                unpack(resource, folder, library);
            }
            return library;
        });
    }

    /** Code that another user could have put there is not run. */
    private static boolean isOurs(Path library) throws IOException {
        if (!Files.isRegularFile(library, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        Object owner = Files.getAttribute(library, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (!owner.equals(UserCache.currentUid())) {
            throw new IOException(library + " belongs to user " + owner + ", not to this one");
        }
        return true;
    }

    /** Tells releases apart without reading 57 MB: size and checksum as the jar has them. */
    private static String identity(URL resource) throws IOException {
        URLConnection connection = resource.openConnection();
        connection.setUseCaches(false);
        if (connection instanceof JarURLConnection jar) {
            try (JarFile file = jar.getJarFile()) {
                ZipEntry entry = file.getEntry(jar.getEntryName());
                return String.format(Locale.ROOT, "%d-%08x", entry.getSize(), entry.getCrc());
            }
        }
        return Long.toString(connection.getContentLengthLong());
    }

    private static void unpack(URL resource, Path folder, Path library) throws IOException {
        Path part = Files.createTempFile(folder, FILE, RecordingFolder.PART);
        try {
            try (InputStream in = resource.openStream()) {
                Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
            }
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(part, library, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** What one that was killed left; under the lock. */
    private static void removeParts(Path folder) throws IOException {
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, "*" + RecordingFolder.PART)) {
            for (Path part : parts) {
                Files.deleteIfExists(part);
            }
        }
    }

    /** Loads the driver's classes, and its native library from a file. */
    static final class DuckDbLoader extends ClassLoader {

        private static final String DRIVER = "org.duckdb.";

        private final Path library;

        DuckDbLoader(Path library) {
            super(DuckDbLibrary.class.getClassLoader());
            this.library = library;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(DRIVER)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] code = in.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        @Override
        public @Nullable URL getResource(String name) {
            return name.equals(resource()) ? null : super.getResource(name);
        }

        @Override
        protected @Nullable String findLibrary(String name) {
            return name.equals("duckdb_java") ? library.toString() : null;
        }
    }
}
