package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TemplateTest {

    @Test
    void sectionsRepeatNestAndVanish() {
        ObjectNode values =
                JsonShapes.object().put("name", "outer").put("yes", true).put("empty", "");
        values.putArray("rows").addObject().put("name", "a<b");
        JsonShapes.strings(values, "words", List.of("x", "y"));
        values.putArray("none");
        assertThat(Template.of("{{name}}:{{#rows}}{{name}}|{{{name}}}|{{yes}}{{/rows}}")
                        .fill(values))
                .isEqualTo("outer:a&lt;b|a<b|true");
        assertThat(Template.of("{{#words}}{{.}},{{/words}}{{^none}}no{{/none}}{{#none}}!{{/none}}")
                        .fill(values))
                .isEqualTo("x,y,no");
        assertThat(Template.of("{{#yes}}{{#yes}}in{{/yes}}{{/yes}}{{#empty}}!{{/empty}}")
                        .fill(values))
                .isEqualTo("in");
    }

    @Test
    void aValueIsNeverReadAsATemplate() {
        ObjectNode values = JsonShapes.object().put("a", "{{b}}").put("b", "secret");
        assertThat(Template.of("{{a}}{{{a}}}").fill(values)).isEqualTo("{{b}}{{b}}");
    }

    @Test
    void mistakesAreErrors() {
        ObjectNode values = JsonShapes.object().put("a", "");
        assertThatThrownBy(() -> Template.of("{{b}}").fill(values)).hasMessageContaining("'b'");
        assertThatThrownBy(() -> Template.of("{{#a}}").fill(values)).hasMessageContaining("{{/a}}");
        assertThatThrownBy(() -> Template.named("absent.html")).hasMessageContaining("absent.html");
    }
}
