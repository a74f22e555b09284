package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.InputStream;

/** The published shapes of documents. */
final class Schemas {

    /** Refuses anything behind the document. */
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Schemas() {}

    /** The one document that the text is, of the shape that is published under that name. */
    static JsonNode document(String schema, String text) throws IOException {
        JsonNode document = MAPPER.readTree(text);
        try (InputStream in = Schemas.class.getResourceAsStream("/dev/assay/schema/" + schema + ".schema.json")) {
            assertThat(in).as(schema).isNotNull();
            assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                            .getSchema(in)
                            .validate(document))
                    .isEmpty();
        }
        return document;
    }
}
