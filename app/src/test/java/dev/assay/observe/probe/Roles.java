package dev.assay.observe.probe;

import dev.assay.server.TestDatabase;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** A role with {@code pg_monitor} and one with nothing, dropped when closed. */
final class Roles implements AutoCloseable {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final TestDatabase database;
    final String monitor;
    final String plain;

    Roles(TestDatabase database) throws SQLException {
        this.database = database;
        int number = NUMBER.incrementAndGet();
        this.monitor = "monitor_" + number;
        this.plain = "plain_" + number;
        database.administer("create role " + monitor + " login in role pg_monitor");
        database.administer("create role " + plain + " login");
    }

    @Override
    public void close() throws SQLException {
        database.administer("drop role " + monitor);
        database.administer("drop role " + plain);
    }
}
