package dev.assay;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The doors between rooms, and the promises that the tree makes of itself. */
final class ArchitectureTest {

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.assay");

    /** Room to the rooms it may use; a room that is missing here fails the test below. */
    private static final Map<String, List<String>> DOORS = Map.ofEntries(
            Map.entry("pg", List.of()),
            Map.entry("sys", List.of("pg")),
            Map.entry("evidence", List.of("pg")),
            Map.entry("wire", List.of("pg", "sys")),
            Map.entry("target", List.of("pg", "sys", "wire")),
            Map.entry("server", List.of("pg", "sys", "wire")),
            Map.entry("observe", List.of("evidence", "target", "pg", "sys")),
            Map.entry("diagnose", List.of("evidence", "pg")),
            Map.entry("lab", List.of("observe", "diagnose", "evidence", "target", "server", "wire", "pg", "sys")),
            Map.entry("bottleneck", List.of("lab", "diagnose", "evidence", "target", "pg")),
            Map.entry(
                    "report",
                    List.of(
                            "bottleneck",
                            "lab",
                            "observe",
                            "diagnose",
                            "evidence",
                            "target",
                            "server",
                            "wire",
                            "pg",
                            "sys")),
            Map.entry(
                    "cli",
                    List.of(
                            "report",
                            "bottleneck",
                            "lab",
                            "observe",
                            "diagnose",
                            "evidence",
                            "target",
                            "server",
                            "wire",
                            "pg",
                            "sys")));

    static Stream<Map.Entry<String, List<String>>> doors() {
        return DOORS.entrySet().stream();
    }

    @ParameterizedTest
    @MethodSource("doors")
    void roomUsesOnlyItsDoors(Map.Entry<String, List<String>> door) {
        String[] allowed = Stream.concat(Stream.of(door.getKey()), door.getValue().stream())
                .map(room -> "dev.assay." + room + "..")
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage("dev.assay." + door.getKey() + "..")
                .should()
                .dependOnClassesThat(resideInAPackage("dev.assay..").and(not(resideInAnyPackage(allowed))))
                .because("the design gives " + door.getKey() + " the doors " + door.getValue())
                .check(PRODUCT);
    }

    @Test
    void everyRoomHasItsDoorsListed() {
        TreeSet<String> rooms = new TreeSet<>();
        for (JavaClass one : PRODUCT) {
            String rest = one.getPackageName().substring("dev.assay".length());
            if (!rest.isEmpty()) {
                rooms.add(rest.substring(1).split("\\.", -1)[0]);
            }
        }
        assertThat(DOORS.keySet()).containsExactlyInAnyOrderElementsOf(rooms);
    }

    @Test
    void roomsAndPackagesHaveNoCycles() {
        slices().matching("dev.assay.(**)").should().beFreeOfCycles().check(PRODUCT);
    }

    @Test
    void bottlenecksDoNotKnowEachOther() {
        slices().matching("dev.assay.bottleneck.(*)..")
                .should()
                .notDependOnEachOther()
                .check(PRODUCT);
    }

    @Test
    void jdbcStaysWhereItBelongs() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.assay.target..", "dev.assay.server..", "dev.assay.observe..", "dev.assay.lab..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.sql..")
                .check(PRODUCT);
    }

    @Test
    void judgementIsPure() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.assay.diagnose..", "dev.assay.evidence..", "dev.assay.pg..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("java.nio.file..", "java.net..", "java.sql..")
                .check(PRODUCT);
    }

    @Test
    void classesAreFinal() {
        classes()
                .that()
                .areNotInterfaces()
                .and()
                .areNotEnums()
                .and()
                .doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.ABSTRACT)
                .and()
                .areNotAnonymousClasses()
                .should()
                .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL)
                .check(PRODUCT);
    }

    @Test
    void everyPackageExplainsItself() throws IOException {
        Path sources = root().resolve("app/src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            List<Path> silent = files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::getParent)
                    .distinct()
                    .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
                    .toList();
            assertThat(silent).isEmpty();
        }
    }

    @Test
    void filesStayReadable() throws IOException {
        try (Stream<Path> files = Files.walk(root().resolve("app/src"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                assertThat(Files.readAllLines(file).size())
                        .as("lines of %s", file.getFileName())
                        .isLessThanOrEqualTo(500);
            }
        }
    }

    @Test
    void noTestIsSwitchedOff() throws IOException {
        Pattern skipped = Pattern.compile("@Disa" + "bled|assume" + "True|assume" + "That|Assump" + "tions\\.");
        try (Stream<Path> files = Files.walk(root().resolve("app/src/test/java"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                assertThat(skipped.matcher(Files.readString(file)).find())
                        .as("%s switches a test off", file.getFileName())
                        .isFalse();
            }
        }
    }

    @Test
    void theFrontDoorNamesOnlyWhatExists() throws IOException {
        Path root = root();
        for (String document : List.of("ARCHITECTURE.md", "README.md", "CONTRIBUTING.md")) {
            Matcher path = Pattern.compile("`([A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+/?)`")
                    .matcher(Files.readString(root.resolve(document)));
            while (path.find()) {
                String named = path.group(1);
                if (!named.startsWith("app/") && !named.startsWith("docs/") && !named.startsWith(".ci/")) {
                    continue;
                }
                if (named.startsWith("app/target/")) {
                    continue;
                }
                assertThat(root.resolve(named))
                        .as("%s names %s", document, named)
                        .exists();
            }
        }
    }

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("app")) ? here : here.getParent();
    }
}
