package dev.assay.lab.pgbench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Scripts that stand together in one file of the test resources, each under a line {@code === name | options}. */
final class Corpus {

    private static final String MARK = "=== ";

    private Corpus() {}

    /** One of them. */
    record Entry(String name, List<String> options, String text) {
        @Override
        public String toString() {
            return name;
        }

        /** The same without an option and its value. */
        Entry without(String letter) {
            List<String> rest = new ArrayList<>();
            for (int i = 0; i < options.size(); i++) {
                if (options.get(i).equals(letter)) {
                    i += letter.equals("-C") ? 0 : 1;
                } else if (!options.get(i).startsWith(letter + "=")) {
                    rest.add(options.get(i));
                }
            }
            return new Entry(name, rest, text);
        }

        /** The value of an option that is given once, or something else when it is not given. */
        String option(String letter, String otherwise) {
            int at = options.indexOf(letter);
            if (at >= 0) {
                return options.get(at + 1);
            }
            return options.stream()
                    .filter(option -> option.startsWith(letter + "="))
                    .map(option -> option.substring(letter.length() + 1))
                    .findFirst()
                    .orElse(otherwise);
        }
    }

    static List<Entry> read(String file) {
        String all;
        try (InputStream in = Corpus.class.getResourceAsStream("/pgbench/" + file)) {
            if (in == null) {
                throw new IllegalArgumentException("no " + file);
            }
            all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Entry> entries = new ArrayList<>();
        String[] sections = all.split("(?m)^" + MARK, -1);
        for (int i = 1; i < sections.length; i++) {
            int end = sections[i].indexOf('\n');
            String[] head = sections[i].substring(0, end).split("\\|", 2);
            List<String> options =
                    head.length == 1 ? List.of() : List.of(head[1].strip().split(" +"));
            entries.add(new Entry(head[0].strip(), options, sections[i].substring(end + 1)));
        }
        return entries;
    }
}
