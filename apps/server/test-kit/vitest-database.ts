/** Runs around all integration tests: starts the shared PostgreSQL, and fails the run when a test forgot its databases. */
import { closeTestDatabases, prepareTemplate, sweepTestDatabases } from "./database.ts";
import { leaveTestCluster } from "./test-cluster.ts";

export async function setup(): Promise<void> {
  process.env["ACCORD_TEST_RUN"] = String(process.pid);
  await prepareTemplate();
}

export async function teardown(): Promise<void> {
  const forgotten = await sweepTestDatabases();
  await closeTestDatabases();
  await leaveTestCluster();
  if (forgotten.length > 0) {
    throw new Error(
      `These test databases were never dropped (call drop() or use "await using"): ${forgotten.join(", ")}`,
    );
  }
}
