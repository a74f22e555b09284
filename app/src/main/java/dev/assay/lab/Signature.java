package dev.assay.lab;

/**
 * Something exact that the experiment expects, whatever the speed of the machine.
 *
 * @param name for example {@code hidden-16 relation locks}
 */
public record Signature(String name, String expected, String seen, boolean ok) {}
