/** The example's own test: `node --test` in this folder. The system is a function that answers requests. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { synapse } from "./synapse.mjs";

const connect = (answer) =>
  synapse.connect({
    config: { baseUrl: "https://tasks.example.com" },
    credentials: { token: "t" },
    send: async (request) => {
      const { status = 200, body = "", headers = {} } = answer(request);
      return { status, headers, body: new TextEncoder().encode(JSON.stringify(body)) };
    },
  });
const TASK = { id: 1, title: "Write", done: false, updatedAt: "2026-01-01T00:00:00.000Z" };

await test("a page of tasks, and where the next reading begins", async () => {
  const connection = connect(() => ({ body: [TASK] }));
  const page = await connection.read({ cursor: null, mode: "changes", pageSize: 100 });
  assert.equal(page.records[0].id, "1");
  assert.deepEqual(page.cursor, { after: TASK.updatedAt });
  assert.equal(page.drained, true);
});

await test("a refused token is an error of its kind", async () => {
  const connection = connect(() => ({ status: 401 }));
  await assert.rejects(connection.check(), { kind: "authentication" });
});

await test("a task that is gone is missing, not an error", async () => {
  const connection = connect(() => ({ status: 404 }));
  const outcomes = await connection.write({ operations: [{ kind: "delete", id: "7" }] });
  assert.deepEqual(outcomes, [{ status: "missing" }]);
});
