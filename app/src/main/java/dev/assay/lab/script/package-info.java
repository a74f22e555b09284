/**
 * The language of load scripts, which is pgbench's: a text becomes commands, an expression becomes code that runs without allocating.
 *
 * <p>Read {@link dev.assay.lab.script.Script} first. Data flow: {@code ScriptParser} cuts a text into {@link dev.assay.lab.script.Command}s,
 * with {@code StatementScanner} for SQL and {@code ExpressionParser} for expressions; {@link dev.assay.lab.script.Compiler} turns an
 * {@link dev.assay.lab.script.Expression} into {@link dev.assay.lab.script.Code} over the numbered variables of
 * {@link dev.assay.lab.script.Symbols}; a {@link dev.assay.lab.script.Scope} holds one client's variables and random numbers.
 *
 * <p>Threads: scripts and code are immutable; a scope belongs to one thread at a time. Nothing here does I/O or knows how commands are sent.
 */
@NullMarked
package dev.assay.lab.script;

import org.jspecify.annotations.NullMarked;
