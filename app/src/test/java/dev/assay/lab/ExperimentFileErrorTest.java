package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every way to get a file wrong: what is said, on which line, and what is advised. */
class ExperimentFileErrorTest {

    /** One replacement in the good file, then the whole message and the hint. {@code \n} and {@code \t} stand for line end and tab. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // unknown keys
                "{clients: 4}|{client: 4}|4: unknown key 'client' in load|did you mean 'clients'?",
                "{clients: 4}|{zzz: 4}|4: unknown key 'zzz' in load|keys: clients, threads, protocol, trials, warmup, warmup_max, measured, rate, latency_limit, max_tries",
                "title: Two ways|titel: Two ways|2: unknown key 'titel'|did you mean 'title'?",
                "server: 16.10|sever: 16.10|10: unknown key 'sever' in systems.pg16|did you mean 'server'?",
                "script: one}|scrip: one}|20: unknown key 'scrip' in variants.first|did you mean 'script'?",
                "candidate: second|candidat: second|23: unknown key 'candidat' in comparisons 1|did you mean 'candidate'?",
                "total: 3|totl: 3|25: unknown key 'totl' in signatures 1.relation_locks|did you mean 'total'?",
                // wrong types
                "{clients: 4}|{clients: many}|4: load.clients must be a whole number, not 'many'|choose a whole number from 1 to 1000",
                "{clients: 4}|{clients: [4]}|4: load.clients must be one value, found a list|write clients: value",
                "{clients: 4}|40|4: load must be keys with values, found '40'|write load: and the keys below it",
                "title: Two ways|title: {a: b}|2: title must be one value, found keys with values|write title: value",
                "candidate: second|candidate: second, margin: wide|23: comparisons 1.margin must be a number, not 'wide'|for example 0.05",
                "candidate: second|candidate: second, same_answer: yes|23: comparisons 1.same_answer must be true or false, not 'yes'|write true or false",
                "  - {question: 'Which?', baseline: first, candidate: second}|  first: second|23: comparisons must be a list, found keys with values|begin every item with a dash",
                "  - {question: 'Which?', baseline: first, candidate: second}|  - second|23: comparisons 1 must be keys with values, found 'second'|write - key: value",
                "title: Two ways|title: !include x|2: tags such as !include are not read|write the value without it",
                // missing and empty
                "title: Two ways\\n|``|1: missing key 'title'|add title:",
                "{clients: 4}|{trials: 4}|4: missing key 'clients' in load|add clients:",
                "title: Two ways|title:|2: title is empty|write a value after the colon, or remove the key",
                "title: Two ways|title: ''|2: title is empty|write a value after the colon",
                "server: 16.10\\n    settings|settings|9: missing key 'server' in systems.pg16|add server:",
                "{total: 3, slow: 1}|{}|25: relation_locks expects nothing|give total, fastpath or slow",
                // references
                "{system: pg16, script: one}|{system: pg61, script: one}|20: no system 'pg61' for variants.first.system|did you mean 'pg16'?",
                "{system: pg16, script: one}|{system: pg16, script: three}|20: no script 'three' for variants.first.script|scripts: one, two",
                "schema: items|schema: item|12: no schema 'item' for systems.pg16.schema|did you mean 'items'?",
                "candidate: second|candidate: third|23: no variant 'third' for comparisons 1.candidate|variants: first, second",
                "variant: first|variant: frist|25: no variant 'frist' for signatures 1.variant|did you mean 'first'?",
                "candidate: second|candidate: first|23: variant 'first' is compared with itself|for an A/A run write the variant twice under two names",
                "candidate: second|candidate: second, metric: latency_men|23: unknown metric 'latency_men' in comparisons 1|did you mean 'latency_mean'?",
                // duplicates
                "  second:|  first:|21: 'first' stands twice in variants|the first is on line 20: remove or rename one",
                "title: Two ways|name: again|2: 'name' stands twice|the first is on line 1: remove or rename one",
                // values
                "{clients: 4}|{clients: 0}|4: load.clients is 0, allowed are 1 to 1000|choose a whole number from 1 to 1000",
                "{clients: 4}|{clients: 1001}|4: load.clients is 1001, allowed are 1 to 1000|choose a whole number from 1 to 1000",
                "{clients: 4}|{clients: 4, trials: 1}|4: load.trials is 1, allowed are 2 to 200|choose a whole number from 2 to 200",
                "{clients: 4}|{clients: 4, warmup: soon}|4: load.warmup is not a duration: 'soon'|write 500ms, 5s or 2m",
                "{clients: 4}|{clients: 4, measured: 5}|4: load.measured is not a duration: '5'|add the unit: 5s",
                "{clients: 4}|{clients: 4, measured: -5s}|4: load.measured is not a duration: '-5s'|write 500ms, 5s or 2m",
                "{clients: 4}|{clients: 4, measured: 99ms}|4: load.measured is 99ms, allowed are 100ms to 1h|choose a value from 100ms to 1h",
                "{clients: 4}|{clients: 4, warmup: 2h}|4: load.warmup is 2h, allowed are 0s to 1h|choose a value from 0s to 1h",
                "{clients: 4}|{clients: 4, protocol: prepare}|4: unknown protocol 'prepare' in load|did you mean 'prepared'?",
                "candidate: second|candidate: second, margin: 0|23: comparisons 1.margin is 0, allowed are 0.001 to 1.0|for example 0.05",
                "{total: 3, slow: 1}|{total: 3, fastpath: 1, slow: 1}|25: total is 3 but fastpath and slow add up to 2|correct one of the three",
                "server: 16.10|server: latest|10: systems.pg16.server must be a major or an exact version, not 'latest'|for example 16 (the newest 16 known) or 16.4; for a server that runs already write external:",
                "name: two-ways|name: Two Ways|1: name 'Two Ways' is not lower case with dashes|for example lock-partitions",
                "{fsync: off|{port: 5432|11: port is chosen by the laboratory|remove it",
                "{fsync: off|{fsync on: 1|11: 'fsync on' is not the name of a server setting|for example shared_buffers",
                "{fsync: off|{max_connections: 10|11: systems.pg16.settings.max_connections is 10, too few for the clients of its variants|set it to 18 or more, leave it out, or lower load.clients",
                "{rows: 100}|{row: 100}|13: schema 'items' has no :row|did you mean 'rows'?",
                "schema: items\\n    parameters|parameters|12: systems.pg16.parameters without a schema|add schema: or remove them",
                // load
                "{clients: 4}|{clients: 4, threads: 0}|4: load.threads is 0, allowed are 1 to 64|choose a whole number from 1 to 64",
                "{clients: 4}|{clients: 4, rate: fast}|4: load.rate must be a number, not 'fast'|for example 0.0",
                "{clients: 4}|{clients: 4, max_tries: -1}|4: load.max_tries is -1, allowed are 0 to 1000000|choose a whole number from 0 to 1000000",
                "{system: pg16, script: one}|{system: pg16, script: one, load: {trials: 3}}|20: unknown key 'trials' in variants.first.load|keys: clients, threads, protocol, rate, latency_limit, max_tries",
                "{system: pg16, script: one}|{system: pg16, script: {one: 1, too: 2}}|20: no script 'too' for variants.first.script|did you mean 'two'?",
                "{system: pg16, script: one}|{system: pg16, script: {one: 0}}|20: variants.first.script has no weight above zero|for example {lookup: 9, update: 1}",
                "{clients: 4}|{clients: 4, warmup: 5s, warmup_max: 2s}|4: load.warmup_max is 2s, allowed are 5s to 1h|choose a value from 5s to 1h",
                // tasks, background, fresh
                "{system: pg16, script: one}|{system: pg16, task: one}|20: no task 'one' for variants.first.task|there are no tasks",
                "scripts:|tasks: {t: {sq: select 1;}}\\nscripts:|14: unknown key 'sq' in tasks.t|did you mean 'sql'?",
                "scripts:|background: {b: {clients: 2}}\\nscripts:|14: background 'b' needs either hold or script|hold: SQL of a session that then stays as it is, script: a script that clients repeat",
                "scripts:|background: {b: {hold: begin, clients: 2}}\\nscripts:|14: unknown key 'clients' in background.b|keys: hold",
                "{system: pg16, script: one}|{system: pg16, script: one, background: [b]}|20: no background 'b' for variants.first.background|there are no backgrounds",
                "{system: pg16, script: one}|{system: pg16, script: one, background: b}|20: variants.first.background must be a list, found 'b'|write background: [name]",
                "{system: pg16, script: one}|{system: pg16, script: one, fresh: true}|21: 'second' shares the data of 'first', which are put back|write fresh: true for both, or give each a system of its own",
                // processes
                "{system: pg16, script: one}|{system: pg16, process: one}|20: no process 'one' for variants.first.process|there are no processes",
                "{system: pg16, script: one}|{system: pg16, script: one, process: one}|20: variants.first.process stands beside a script|keep one of the two",
                "scripts:|processes: {p: {command: [a]}}\\nscripts:|14: processes.p.requests is empty|requests: [{path: /}]",
                "scripts:|processes: {p: {command: a, requests: [{path: /}]}}\\nscripts:|14: processes.p.command must be a list of words|for example command: [java, -jar, service.jar]",
                "scripts:|processes: {p: {command: [a], requests: [{path: x}]}}\\nscripts:|14: processes.p.requests 1.path: it does not begin with a slash|for example /orders/{user}?item={random:1-100}",
                "scripts:|processes: {p: {command: [a], requests: [{path: '/{random:9-1}'}]}}\\nscripts:|14: processes.p.requests 1.path: {random:9-1} has its smaller number last|for example /orders/{user}?item={random:1-100}",
                "scripts:|processes: {p: {command: [a], requests: [{path: /, method: PUSH}]}}\\nscripts:|14: unknown method 'PUSH' in processes.p.requests 1|values: GET, POST, PUT, PATCH, DELETE, HEAD",
                "scripts:|processes: {p: {command: [a], requests: [{path: /, status: 99}]}}\\nscripts:|14: processes.p.requests 1.status is 99, allowed are 200 to 599|choose a whole number from 200 to 599",
                // external systems
                "server: 16.10\\n    settings: {fsync: off, jit: false, work_mem: 64kB}|external: 'prot=1'|10: systems.pg16.external: unknown connection keyword 'prot'|Use libpq's keywords, such as host, port, dbname, user.",
                "server: 16.10|external: host=db|11: systems.pg16.settings stands beside external|the laboratory neither starts nor sets a server that runs already: keep one of the two",
                // signatures
                "relation_locks: {total: 3, slow: 1}|expect: {metric: latency_p59, above: 1}|25: unknown metric 'latency_p59' in signatures 1.expect|did you mean 'latency_p50'?",
                "relation_locks: {total: 3, slow: 1}|expect: {metric: latency_p50}|25: expect expects nothing|give above, below or both",
                "relation_locks: {total: 3, slow: 1}|expect: {above: 1}|25: expect needs either a metric or a wait_event|for example metric: latency_p95",
                "relation_locks: {total: 3, slow: 1}|expect: {wait_event: Lock, above: 1}|25: 'Lock' is not the name of a wait event|type and name, for example LWLock:LockManager",
                "relation_locks: {total: 3, slow: 1}|expect: {metric: latency_p50, above: 1, times: frist}|25: no variant 'frist' for signatures 1.expect.times|did you mean 'first'?",
                // parameters
                "{clients: 4}|{clients: '${users}'}|4: unknown parameter '${users}'|declare it: parameters: {users: 1000}",
                "    select 2;|    select ${two};|17: unknown parameter '${two}'|declare it: parameters: {two: 1000}",
                "title: Two ways|title: Two ways\\nparameters: {users: 4}|3: parameter 'users' is used nowhere|write ${users} where its value belongs, or remove it",
                "title: Two ways|title: ${tittle}\\nparameters: {title: a}|2: unknown parameter '${tittle}'|did you mean 'title'?",
                "title: Two ways|title: ${a}\\nparameters: {a: '${b}'}|3: the value of parameter 'a' must be one line without ${|longer text belongs into a schema or a script",
                "title: Two ways|title: ${a b}\\nparameters: {a b: 1}|3: parameter 'a b' is not a word|letters, digits and _ only",
                "{clients: 4}|{clients: '${users}'}\\nparameters: {users: many}|4: load.clients must be a whole number, not 'many'|choose a whole number from 1 to 1000",
                // not YAML
                "title: Two ways|\\ttitle: Two ways|2: a tab where YAML wants spaces|indent with spaces",
                "title: Two ways|title: \"Two ways|2: not YAML: this quote is never closed|close it, or double quotes inside",
                "title: Two ways|<<: {a: b}|2: merge keys (<<) are not read|write the keys out, or use an alias for all of them",
                "title: Two ways|? [a]\\n: b|2: a key must be a word|write key: value",
                "title: Two ways|title: a\u0007b|2: character U+0007 is not allowed in YAML|remove it, or save the file as UTF-8 text",
                "title: Two ways|title: *nowhere|2: not YAML: found undefined alias nowhere (column 8)|look at the indentation and the quotes here and on the line above",
            })
    void names(String good, String bad, String message, String hint) {
        String from = plain(good);
        String yaml = ExperimentFileTest.MINIMAL;
        assertThat(yaml).contains(from);

        ExperimentFileException refusal = refusal(yaml.replaceFirst(
                java.util.regex.Pattern.quote(from), java.util.regex.Matcher.quoteReplacement(plain(bad))));

        assertThat(refusal.line()).isEqualTo(Integer.parseInt(message.substring(0, message.indexOf(':'))));
        assertThat(refusal.column()).isPositive();
        assertThat(refusal).hasMessage("my.yaml:" + message);
        assertThat(refusal.hint()).isEqualTo(hint);
        assertThat(refusal.getMessage()).doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "load.trials|x|load.trials must be a whole number, not 'x'|choose a whole number from 2 to 200",
                "load.trails|3|unknown key 'trails' in load|did you mean 'trials'?",
                "laod.trials|3|unknown key 'laod'|did you mean 'load'?",
                "trials|3|unknown parameter 'trials'|did you mean 'load.trials'?",
                "row|3|unknown parameter 'row'|did you mean 'rows'?",
                "systems.pg61.server|16|the file has no 'pg61' there|did you mean 'pg16'?",
                "scripts.on|x|the file has no 'on' there|did you mean 'one'?",
                "load.clients.x|3|there is nothing below 'load.clients.x'|write a path such as load.trials",
                "load..clients|3|a step of the path is empty|write --set load.trials=3",
                "comparisons.2.margin|3|no item '2' in a list of 1|items count from 1",
                "systems.pg16.server|new|systems.pg16.server must be a major or an exact version, not 'new'|for example 16 (the newest 16 known) or 16.4; for a server that runs already write external:",
                "load|3|load must be keys with values, found '3'|write load: and the keys below it",
            })
    void anOptionIsNamedInsteadOfALine(String path, String value, String message, String hint) {
        ExperimentFileException refusal = catchThrowableOfType(
                ExperimentFileException.class,
                () -> ExperimentFile.parse("my.yaml", ExperimentFileTest.MINIMAL, Map.of(path, value)));

        assertThat(refusal).hasMessage("--set " + path + "=" + value + ": " + message);
        assertThat(refusal.hint()).isEqualTo(hint);
        assertThat(refusal.line()).isZero();
    }

    @Test
    void emptyTextsListsAndPlainTextsAreNoExperiments() {
        assertThat(refusal("")).hasMessage("my.yaml: the file is empty");
        assertThat(refusal("\n# nothing\n")).hasMessage("my.yaml: the file is empty");
        assertThat(refusal("just text")).hasMessage("my.yaml:1: expected keys with values, found text");
        assertThat(refusal("\n- a")).hasMessage("my.yaml:2: expected keys with values, found a list");
        assertThat(refusal("a: b\n---\nc: d\n"))
                .hasMessageStartingWith("my.yaml:2: not YAML: ")
                .extracting(ExperimentFileException::hint)
                .isEqualTo("one file holds one experiment: remove the line ---");
    }

    @Test
    void aliasBombsCyclesAndDeepNestingEndQuickly() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x]\n");
        for (int level = 1; level < 30; level++) {
            String alias = "*a" + (level - 1);
            bomb.append("a" + level + ": &a" + level + " [" + (alias + ", ").repeat(9) + alias + "]\n");
        }
        assertThat(refusal(bomb.toString()).getMessage()).startsWith("my.yaml");
        assertThat(refusal("name: &a\n  b: *a\n").getMessage()).startsWith("my.yaml");
        assertThat(refusal("name: " + "[".repeat(5000) + "]".repeat(5000)).getMessage())
                .startsWith("my.yaml");
        assertThat(refusal("a".repeat(ExperimentFile.BYTES_MAX + 1))).hasMessageContaining("has at most 1048576");
    }

    @Test
    void theNearestNameIsFoundByEditDistance() {
        // Known distances: kitten/sitting 3 (Levenshtein's own example of textbooks), a swap counts once.
        assertThat(NearestName.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(NearestName.distance("frist", "first")).isEqualTo(1);
        assertThat(NearestName.distance("", "abc")).isEqualTo(3);
        assertThat(NearestName.distance("same", "same")).isZero();
    }

    private static ExperimentFileException refusal(String yaml) {
        ExperimentFileException refusal = catchThrowableOfType(
                ExperimentFileException.class, () -> ExperimentFile.parse("my.yaml", yaml, Map.of()));
        assertThat(refusal).isNotNull();
        return refusal;
    }

    private static String plain(String text) {
        return text.replace("\\n", "\n").replace("\\t", "\t");
    }
}
