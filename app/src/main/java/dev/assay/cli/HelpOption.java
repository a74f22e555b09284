package dev.assay.cli;

import picocli.CommandLine.Option;

/** {@code --help}, without a letter: {@code -h} is the host, as in psql. */
final class HelpOption {

    @Option(names = "--help", usageHelp = true, description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli reads the annotation
    private boolean help;
}
