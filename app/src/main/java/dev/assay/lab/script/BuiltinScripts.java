package dev.assay.lab.script;

import java.util.List;

/**
 * pgbench's built-in scripts over its standard tables (manual, pgbench, "What Is the 'Transaction' Actually Performed in pgbench?").
 */
public enum BuiltinScripts {
    TPCB_LIKE("tpcb-like", "<builtin: TPC-B (sort of)>", true, true),
    SIMPLE_UPDATE("simple-update", "<builtin: simple update>", true, false),
    SELECT_ONLY("select-only", "<builtin: select only>", false, false);

    /** Accounts, tellers and branches of the standard tables at scale factor 1. */
    public static final int ACCOUNTS = 100_000;

    public static final int TELLERS = 10;
    public static final int BRANCHES = 1;

    private final String name;
    private final String description;
    private final String text;

    BuiltinScripts(String name, String description, boolean writes, boolean updatesAll) {
        this.name = name;
        this.description = description;
        text = writes ? transaction(updatesAll) : draw("aid", ACCOUNTS) + READ_ACCOUNT;
    }

    private static final String READ_ACCOUNT = "SELECT abalance FROM pgbench_accounts WHERE aid = :aid;\n";

    private static String draw(String variable, int perScale) {
        return "\\set " + variable + " random(1, " + perScale + " * :scale)\n";
    }

    private static String update(String table, String balance, String id) {
        return "UPDATE pgbench_" + table + " SET " + balance + " = " + balance + " + :delta WHERE " + id + " = :" + id
                + ";\n";
    }

    private static String transaction(boolean updatesAll) {
        return draw("aid", ACCOUNTS) + draw("bid", BRANCHES) + draw("tid", TELLERS)
                + "\\set delta random(-5000, 5000)\nBEGIN;\n"
                + update("accounts", "abalance", "aid")
                + READ_ACCOUNT
                + (updatesAll ? update("tellers", "tbalance", "tid") + update("branches", "bbalance", "bid") : "")
                + "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime)"
                + " VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP);\nEND;\n";
    }

    /** The name by which {@code -b} calls it. */
    public String scriptName() {
        return name;
    }

    public String description() {
        return description;
    }

    public String text() {
        return text;
    }

    public Script script() {
        return Script.parse(description, text);
    }

    /** Those whose names begin so. */
    public static List<BuiltinScripts> named(String prefix) {
        return List.of(values()).stream()
                .filter(script -> script.name.startsWith(prefix))
                .toList();
    }
}
