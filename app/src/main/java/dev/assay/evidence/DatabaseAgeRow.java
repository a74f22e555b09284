package dev.assay.evidence;

/**
 * How far a database is from having to be frozen, from {@code pg_database}.
 *
 * @param database its name
 * @param xidAge age of {@code datfrozenxid}, in transactions
 * @param multixactAge age of {@code datminmxid}, in multixacts
 */
public record DatabaseAgeRow(String database, int xidAge, int multixactAge) implements Row {}
