package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A probe is a file of this room with a constant; what is not in the list is never asked. */
final class ProbesTest {

    private static List<Probe<?>> constants() throws IllegalAccessException {
        List<Probe<?>> found = new ArrayList<>();
        for (JavaClass one : new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(ProbesTest.class.getPackageName())) {
            for (Field field : one.reflect().getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && Probe.class.isAssignableFrom(field.getType())) {
                    field.setAccessible(true);
                    found.add((Probe<?>) field.get(null));
                }
            }
        }
        return found;
    }

    @Test
    void everyProbeOfTheRoomIsAsked() throws Exception {
        assertThat(constants()).hasSizeGreaterThan(20).containsExactlyInAnyOrderElementsOf(Probes.all());
    }

    @Test
    void noTwoHaveTheSameNameOrRow() {
        assertThat(Probes.all()).extracting(Probe::name).doesNotHaveDuplicates();
        assertThat(Probes.all()).extracting(Probe::row).doesNotHaveDuplicates();
    }
}
