/** Runs around all integration tests: starts the shared PostgreSQL, and fails the run when a test forgot its databases. */
import { closeTestDatabases, prepareTemplate, sweepTestDatabases } from "./database.ts";
import { leaveTestCluster, testPrograms } from "./test-cluster.ts";

/** Several projects load this file, each its own copy, in one process: only that is common to them. */
const users = {
  count: () => Number(process.env["ACCORD_TEST_USERS"] ?? 0),
  add: (by: number) => (process.env["ACCORD_TEST_USERS"] = String(users.count() + by)),
};

export async function setup(): Promise<void> {
  users.add(1);
  process.env["ACCORD_TEST_RUN"] = String(process.pid);
  process.env["ACCORD_TEST_POSTGRES_PROGRAMS"] = await testPrograms();
  await prepareTemplate();
}

export async function teardown(): Promise<void> {
  users.add(-1);
  if (users.count() > 0) return closeTestDatabases();
  const forgotten = await sweepTestDatabases();
  await closeTestDatabases();
  await leaveTestCluster();
  if (forgotten.length > 0) {
    throw new Error(
      `These test databases were never dropped (call drop() or use "await using"): ${forgotten.join(", ")}`,
    );
  }
}
