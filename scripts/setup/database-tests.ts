/** Integration tests of what depends on the database server itself: enough to judge another version or build of PostgreSQL. */

/** Parts of paths, each with what may differ there. The other tests see the database only through these. */
export const DATABASE_TESTS: Readonly<Record<string, string>> = {
  ".store.int.test.": "statements of stores: plans, locks, limits",
  ".golden.int.test.": "the schema as migrations make it, and the SQL of datasets",
  "server/src/platform/": "migrations, transactions, types, roles, embedded and external servers, jobs, notifications",
  "server/src/first-starts.": "servers that begin on empty databases at once",
  "modules/insights/": "analytical SQL, its limits and cancellation",
  "modules/sync/runs/storage/": "commits of pages: constraints, upserts, statistics of tables",
  "modules/sync/runs/schedule/": "row locks that share work, notifications",
  "scenarios/two-systems/sync.model.": "histories on real storage",
  "scenarios/values/awkward-values.": "values of every type, there and back",
  "scenarios/values/unstorable-values.": "values that the server refuses",
  "scenarios/two-systems/statement-names.": "prepared statements",
  "scenarios/two-systems/replicated-source.": "logical replication",
  "scenarios/faults/postgres.kill.": "a server that is killed",
  "modules/sync/runs/worker/worker.kill.": "connections that end without a word",
  "scenarios/faults/lease.frozen.": "transactions that the server ends",
  "scenarios/faults/disk-full.": "a server without room",
  "connectors/src/postgres/": "PostgreSQL as a system of somebody",
};
