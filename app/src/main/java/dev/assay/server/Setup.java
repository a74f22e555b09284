package dev.assay.server;

import dev.assay.sys.FreePorts;
import java.nio.file.Path;

/** What servers of this user are made with. */
record Setup(Path cache, Launcher launcher, Binaries binaries, FreePorts.Picker ports) {

    static Setup ofUser() {
        Launcher launcher = Launcher.current();
        Path cache = CacheFolder.ofUser(launcher);
        return new Setup(cache, launcher, new Binaries(cache, launcher, MavenFetch.ofUser()), FreePorts::pick);
    }

    Setup withPorts(FreePorts.Picker picker) {
        return new Setup(cache, launcher, binaries, picker);
    }
}
