package dev.assay.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 500MB}, {@code 1GiB}; units of two letters are powers of 1000, of three letters powers of 1024. */
final class ByteSizeText implements ITypeConverter<Long> {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,6})(k|m|g|t)(i?)b", Pattern.CASE_INSENSITIVE);

    @Override
    public Long convert(String value) {
        Matcher matcher = TEXT.matcher(value);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + value + "' is not a size (write 500MB, 200MiB or 1GiB)");
        }
        long base = matcher.group(3).isEmpty() ? 1000 : 1024;
        long bytes = Long.parseLong(matcher.group(1));
        for (int i = "kmgt".indexOf(matcher.group(2).toLowerCase(Locale.ROOT)); i >= 0; i--) {
            bytes *= base;
        }
        return bytes;
    }
}
