/**
 * Pages of what happened, with rows as large as they come: the database gives as many as fit, so that neither memory
 * nor other callers suffer, and no row is out of reach.
 */
import type { AnyEndpoint, Id } from "@accord/contracts";
import { createEntity } from "@accord/contracts/data/core-schema";
import { listPipelineActions } from "@accord/contracts/sync/actions";
import { listConflicts } from "@accord/contracts/sync/monitoring/conflicts";
import { listMerges } from "@accord/contracts/sync/merges";
import { listDifferences } from "@accord/contracts/sync/reconciliation";
import { listQuarantine } from "@accord/contracts/sync/monitoring/quarantine";
import { listTransactions } from "@accord/contracts/sync/monitoring/transactions";
import { getHealth } from "@accord/contracts/operations/health";
import { beforeAll, describe, expect, test } from "vitest";
import { instanceSchema } from "../src/platform/db/db.ts";
import { MAX_ANSWER_BYTES } from "../src/platform/http/serve.ts";
import { testApp, type TestApp } from "../test-kit/index.ts";

const MB = 1_000_000;
/** What the process may hold more than before while it reads pages of a list whose rows have a gigabyte. */
const MAX_MEMORY = 400 * MB;
const ROWS = 1_000;
/** Beyond what any answer may have. */
const OVERSIZED = 25 * MB;

let t: TestApp;
let schema: string;
let entityId: Id<"entity">;
let reconciliationId: Id<"reconciliation">;

interface List {
  endpoint: AnyEndpoint;
  /** Makes rows `from` to `to`, each with a value of so many bytes. */
  fill(from: number, to: number, bytes: number): Promise<unknown>;
  rowsOf(body: never): { id: string; shown: unknown }[];
  clear: string;
  most: number;
  /** Rows come in the order in which they were made, not the newest first. */
  isOldestFirst?: true;
  /** Its values are not shown here, so that none is seen to be cut. */
  isHidden?: true;
}

const text = (param: string): string => `repeat('x', ${param}::int)`;
const id = "lpad(to_hex(n), 24, '0')";

const LISTS: Record<string, List> = {
  transactions: {
    endpoint: listTransactions,
    fill: (from, to, bytes) =>
      sql(
        // Made once: a gigabyte of JSON takes half a minute to make.
        `WITH large AS MATERIALIZED (
           SELECT json_build_object('name', json_build_array(NULL, ${text("$3")}), 'size', json_build_array(1, 2)) AS changes)
         INSERT INTO $S.ledger (entity, record_id, operation, changes)
         SELECT number, ${id}, 'update', changes FROM large, generate_series($1::int, $2::int) n, $S.sync_entity`,
        [from, to, bytes],
      ),
    rowsOf: ({ transactions }: { transactions: { recordId: string; changes: unknown }[] }) =>
      transactions.map(({ recordId, changes }) => ({ id: recordId, shown: changes })),
    clear: "DELETE FROM $S.ledger",
    most: 500,
  },
  quarantine: {
    endpoint: listQuarantine,
    fill: (from, to, bytes) =>
      sql(
        `INSERT INTO $S.quarantine (id, pipeline_id, place, direction, external_id, code, message, payload)
         SELECT ${id}, $4, 1, 'source', n::text, 'bad', 'no', jsonb_build_object('name', ${text("$3")}, 'size', n)
         FROM generate_series($1::int, $2::int) n`,
        [from, to, bytes, entityId],
      ),
    rowsOf: ({ entries }: { entries: { id: string; payload: unknown }[] }) =>
      entries.map(({ id: own, payload }) => ({ id: own, shown: payload })),
    clear: "DELETE FROM $S.quarantine",
    most: 500,
    isHidden: true,
  },
  conflicts: {
    endpoint: listConflicts,
    fill: async (from, to, bytes) => {
      const values = [from, to, bytes];
      await sql(
        `INSERT INTO $S."r_Huge" (accord_id, accord_origin, name, note)
         SELECT ${id}, '{}', 'n' || n, ${text("$3")} FROM generate_series($1::int, $2::int) n`,
        values,
      );
      await sql(
        `INSERT INTO $S.conflict (pipeline_id, record_id, field, place, value, at, reason)
         SELECT $4, ${id}, 'note', 1, to_jsonb(${text("$3")} || 'y'), '2026-01-01T00:00:00.000Z', 'older'
         FROM generate_series($1::int, $2::int) n`,
        [...values, entityId],
      );
    },
    rowsOf: ({ conflicts }: { conflicts: { recordId: string; value: unknown; competing: unknown }[] }) =>
      conflicts.map(({ recordId, value, competing }) => ({ id: recordId, shown: [value, competing] })),
    clear: `DELETE FROM $S.conflict; DELETE FROM $S."r_Huge"`,
    most: 200,
    isOldestFirst: true,
  },
  merges: {
    endpoint: listMerges,
    fill: (from, to, bytes) =>
      sql(
        `INSERT INTO $S.merge (id, pipeline_id, status, winner_id, loser_ids, before, changes)
         SELECT ${id}, $4, 'MERGED', ${id}, ARRAY[${id}],
           jsonb_build_object(${id}, jsonb_build_object('values', jsonb_build_object('note', ${text("$3")}, 'name', 'a'), 'origin', '{}'::jsonb)),
           jsonb_build_object('name', jsonb_build_array('a', ${text("$3 / 10")}))
         FROM generate_series($1::int, $2::int) n`,
        [from, to, bytes, entityId],
      ),
    rowsOf: ({ merges }: { merges: { id: string; before: unknown; changes: unknown }[] }) =>
      merges.map(({ id: own, before, changes }) => ({ id: own, shown: [before, changes] })),
    clear: "DELETE FROM $S.merge",
    most: 200,
  },
  actions: {
    endpoint: listPipelineActions,
    fill: (from, to, bytes) =>
      sql(
        `INSERT INTO sync_action (id, instance_id, pipeline_id, version_number, node_id, label, action, work, state, outcome)
         SELECT ${id}, $5, $4, 1, 'node', 'Log', 'logMessage', '{"kind": "log"}', 'DONE',
           jsonb_build_object('succeeded', true, 'code', NULL, 'message', 'n' || n, 'body', ${text("$3")})
         FROM generate_series($1::int, $2::int) n`,
        [from, to, bytes, entityId, t.instanceId],
      ),
    rowsOf: ({ actions }: { actions: { id: string; message: unknown; body: unknown }[] }) =>
      actions.map(({ id: own, message, body }) => ({ id: own, shown: [message, body] })),
    clear: "DELETE FROM sync_action",
    most: 200,
  },
  "differences of a reconciliation": {
    endpoint: listDifferences,
    fill: (from, to, bytes) =>
      sql(
        `INSERT INTO $S.reconciliation_difference (reconciliation_id, kind, reason, place, external_id, is_unread,
           outside_value, core_value)
         SELECT $4, 'different', 'unexplained', 1, ${id}, false, to_jsonb(${text("$3")}), to_jsonb(n)
         FROM generate_series($1::int, $2::int) n`,
        [from, to, bytes, reconciliationId],
      ),
    rowsOf: ({ differences }: { differences: { externalId: string; outsideValue: unknown }[] }) =>
      differences.map(({ externalId, outsideValue }) => ({ id: externalId, shown: outsideValue })),
    clear: "DELETE FROM $S.reconciliation_difference",
    most: 500,
    isOldestFirst: true,
    isHidden: true,
  },
};

const sql = (statement: string, values?: unknown[]) =>
  t.deps.dataPool.query(statement.replaceAll("$S", schema), values);

beforeAll(async () => {
  t = await testApp();
  schema = `"${instanceSchema(t.instanceId)}"`;
  const field = (apiName: string) => ({ apiName, displayName: apiName });
  const entity = await t.as("SYNC_MANAGER").call(createEntity, {
    body: {
      apiName: "Huge",
      displayName: "Huge",
      nameField: "name",
      publish: true,
      fields: [field("name"), field("note"), { ...field("size"), dataType: "integer" }],
    },
  });
  entityId = entity.id;
  await sql("INSERT INTO $S.sync_entity (pipeline_id) VALUES ($1)", [entityId]);
  await sql("INSERT INTO $S.place (pipeline_id, connector_id, entity) VALUES ($1, 'crm', 'login')", [entityId]);
  reconciliationId = t.deps.newId<"reconciliation">();
  await sql(
    `INSERT INTO sync_reconciliation (id, instance_id, pipeline_id, version_number, requested_by, status)
     VALUES ($1, $2, $3, 1, 'Ada', 'FINISHED')`,
    [reconciliationId, t.instanceId, entityId],
  );
});

interface Page {
  ids: string[];
  shown: unknown[];
  bytes: number;
  next: string | null;
}

async function pageOf({ endpoint, rowsOf }: List, cursor: string | null, count: number): Promise<Page> {
  const query = { count, ...(cursor === null ? {} : { cursor }) };
  const names = Object.keys((endpoint.params as { shape?: object } | undefined)?.shape ?? {});
  const ids: Record<string, string> = { entityId, reconciliationId };
  const params = endpoint.params && Object.fromEntries(names.map((name) => [name, ids[name]]));
  const { status, body } = await t.as("VIEWER").send(endpoint, { params, query });
  expect(status, JSON.stringify(body).slice(0, 300)).toBe(200);
  const rows = rowsOf(body as never);
  const { page = body } = body as { page?: unknown };
  return {
    ids: rows.map((row) => row.id),
    shown: rows.map(({ shown }) => shown),
    bytes: Buffer.byteLength(JSON.stringify(body)),
    next: (page as { nextCursor: string | null }).nextCursor,
  };
}

async function walk(list: List): Promise<Page[]> {
  const pages = [await pageOf(list, null, list.most)];
  for (let last = pages.at(-1); last?.next; last = pages.at(-1)) pages.push(await pageOf(list, last.next, list.most));
  return pages;
}

/** How often `/health` answered while something was done. */
async function whileOthersAsk<Result>(work: () => Promise<Result>) {
  let isOver = false;
  let asked = 0;
  const asking = (async () => {
    for (; !isOver; asked++) await t.anonymous.send(getHealth);
  })();
  const result = await work().finally(() => (isOver = true));
  await asking;
  return { result, asked };
}

const hexOf = (number: number): string => number.toString(16).padStart(24, "0");

describe.each(Object.keys(LISTS))("pages of %s", (name) => {
  const list = LISTS[name]!;

  test(
    "a thousand rows of a megabyte never come together: pages are short, and the next one goes on",
    { timeout: 120_000 },
    async () => {
      await sql(list.clear);
      await list.fill(1, ROWS, MB);
      const before = process.memoryUsage().rss;
      const { result: pages, asked } = await whileOthersAsk(async () => {
        const first = await pageOf(list, null, list.most);
        return [first, await pageOf(list, first.next, list.most)];
      });
      expect(process.memoryUsage().rss - before).toBeLessThan(MAX_MEMORY);
      expect(asked).toBeGreaterThan(3);
      for (const { ids, bytes, next } of pages) {
        expect(ids.length).toBeGreaterThan(1);
        expect(ids.length).toBeLessThan(20);
        expect(bytes).toBeLessThan(MAX_ANSWER_BYTES);
        expect(next).not.toBeNull();
      }
      expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(pages.flatMap(({ ids }) => ids).length);
    },
  );

  test(
    "no row is out of reach: large ones come, and one beyond any answer comes with its values cut",
    { timeout: 120_000 },
    async () => {
      await sql(list.clear);
      await list.fill(1, 20, MB);
      await list.fill(21, 21, OVERSIZED);
      await list.fill(22, 400, 10);
      await list.fill(401, 420, MB);
      const pages = await walk(list);
      const ids = pages.flatMap((page) => page.ids);
      const all = Array.from({ length: 420 }, (_, index) => hexOf(index + 1));
      expect(ids).toEqual(list.isOldestFirst ? all : all.toReversed());
      for (const { bytes } of pages) expect(bytes).toBeLessThan(MAX_ANSWER_BYTES);
      const giant = JSON.stringify(pages.flatMap((page) => page.shown)[ids.indexOf(hexOf(21))]);
      expect(giant.length).toBeLessThan(20_000);
      if (!list.isHidden) expect(giant).toMatch(/x{1000}… \(2500000\d bytes\)/);
    },
  );
});
