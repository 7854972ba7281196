/** The log of a pipeline on real storage: what a cycle leaves in it, and pages through what was stored long before. */
import type { PipelineLogEntry, PipelineLogFilter } from "@accord/contracts/sync/monitoring/pipeline-logs";
import { expect, test } from "vitest";
import { ENTITY, INSTANCE } from "../../../../../../test-kit/sync-world/sync-world.ts";
import { eventually, inWorkingWorld, type WorkingWorld } from "../../../../../../test-kit/sync-world/working-world.ts";
import { instanceSchema } from "../../../../../platform/db/db.ts";
import type { RunsDependencies } from "../../worker/plans.ts";
import { SEARCHED_ROWS } from "./pipeline-log-rows.ts";

const T = `"${instanceSchema(INSTANCE)}"`;
const LONG_AGO = Date.parse("2026-01-01T00:00:00.000Z");

const logging =
  (...loggedNodes: string[]) =>
  (needs: RunsDependencies): RunsDependencies => ({
    ...needs,
    pipelines: {
      ...needs.pipelines,
      publishedVersion: async (...asked) => {
        const version = await needs.pipelines.publishedVersion(...asked);
        return version && { ...version, loggedNodes };
      },
    },
  });

interface Turn {
  cursor?: string | undefined;
  direction?: "next" | "previous";
  count?: number;
}

const read = ({ service, person }: WorkingWorld, filter: PipelineLogFilter = {}, turn: Turn = {}) =>
  service.log(person, ENTITY, "published", { query: { count: 50, direction: "next", ...turn }, filter });

/** Page after page until there are no more, in the order they were read in. */
async function readAll(world: WorkingWorld, filter: PipelineLogFilter, first: Turn): Promise<PipelineLogEntry[][]> {
  const pages: PipelineLogEntry[][] = [];
  let turn: Turn = first;
  for (;;) {
    const { entries, page } = await read(world, filter, turn);
    pages.push(entries);
    const cursor = first.direction === "previous" ? page.previousCursor : page.nextCursor;
    if (cursor === null) return pages;
    turn = { ...first, cursor };
  }
}

const idAt = (ms: number, tail: number): string =>
  ms.toString(16).padStart(11, "0") + tail.toString(16).padStart(13, "0");

/** Cycles a second apart, each with two problems; every fiftieth failed. */
const addCycles = ({ pool }: WorkingWorld, count: number, firstNumber = 1) =>
  pool.query(
    `INSERT INTO ${T}.cycle (number, pipeline_id, is_resync, version_number, began_at, finished_at, outcome, counts, problems)
     SELECT n, $1, false, 1, $3::timestamptz + (n - 0.5) * interval '1 second', $3::timestamptz + n * interval '1 second',
       CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'finished' END, '{"read": {}, "delivered": {}, "created": 0, "updated": 1, "deleted": 0}',
       jsonb_build_array(
         jsonb_build_object('severity', 'error', 'nodeId', 'source-a', 'code', 'c', 'message', 'Broken ' || n, 'detail', null),
         jsonb_build_object('severity', 'warning', 'nodeId', 'sink-b', 'code', 'd', 'message', 'Odd', 'detail', 'row 7', 'count', 2))
     FROM generate_series($2::int, $2 + $4 - 1) n`,
    [ENTITY, firstNumber, new Date(LONG_AGO).toISOString(), count],
  );

/** Log messages that one page wrote: all within one millisecond. */
const addActions = ({ pool }: WorkingWorld, ms: number, count: number) =>
  pool.query(
    `INSERT INTO sync_action (id, instance_id, pipeline_id, version_number, node_id, label, action, record_id, work, state, outcome)
     SELECT $3 || lpad(to_hex(n), 13, '0'), $1, $2, 1, 'log', 'Say', 'logMessage', lpad(to_hex(n), 24, '0'), '{}', 'DONE',
       jsonb_build_object('succeeded', true, 'body', jsonb_build_object('level', CASE WHEN n = 7 THEN 'error' ELSE 'info' END, 'text', 'Saw Acme ' || n))
     FROM generate_series(1, $4) n`,
    [INSTANCE, ENTITY, idAt(ms, 0).slice(0, 11), count],
  );

async function addQuarantined({ pool }: WorkingWorld, ms: number): Promise<void> {
  await pool.query(
    `INSERT INTO ${T}.place (pipeline_id, connector_id, entity) VALUES ($1, 'a', 'contact') ON CONFLICT DO NOTHING`,
    [ENTITY],
  );
  await pool.query(
    `INSERT INTO ${T}.quarantine (id, pipeline_id, place, direction, external_id, node_id, code, message)
     SELECT $1, $2, number, 'source', 'x-17', 'core', 'too_long', 'The name is too long' FROM ${T}.place LIMIT 1`,
    [idAt(ms, 1), ENTITY],
  );
}

test("[SYN-011] a cycle leaves its counts in the log, those of nodes that are logged, and leads to node and cycle", () =>
  inWorkingWorld(
    async (world) => {
      const { service, person } = world;
      await world.addOutside("a", "one@example.com", "first");
      await world.addOutside("a", "two@example.com", "first");
      await world.startWorker();
      const entries = await eventually("the cycle's entries", async () => {
        const page = await read(world);
        return page.entries.some(({ nodeId }) => nodeId === "sink-b") ? page.entries : undefined;
      });
      await world.stopWorker();
      const { cycles } = await service.cycles(person, ENTITY, { count: 50, direction: "next" });
      const cycleIds = cycles.map(({ id }) => id);
      expect(entries.filter(({ kind }) => kind === "cycle").map(({ cycleId }) => cycleId)).toEqual(cycleIds);
      expect(entries.reduce((sum, { cycle }) => sum + (cycle?.created ?? 0), 0)).toBe(2);
      const ofNodes = entries.filter(({ kind }) => kind === "node");
      const reached = (nodeId: string) =>
        ofNodes.reduce((sum, entry) => sum + (entry.nodeId === nodeId ? (entry.node?.reached ?? 0) : 0), 0);
      expect([reached("source-a"), reached("sink-b"), reached("core-node-000")]).toEqual([2, 2, 0]);
      for (const entry of ofNodes) expect(cycleIds).toContain(entry.cycleId);
      const draft = await service.log(person, ENTITY, "draft", { query: { count: 5, direction: "next" }, filter: {} });
      expect(draft.entries).toEqual([]);
    },
    logging("source-a", "sink-b"),
  ));

test("[SYN-137] pages go on to older entries and back again, with no overlap and no gap, however entries share a moment", () =>
  inWorkingWorld(async (world) => {
    await addCycles(world, 40);
    await addActions(world, LONG_AGO + 20_000, 60);
    await addQuarantined(world, LONG_AGO + 20_000);
    const older = (await readAll(world, {}, { count: 7 })).flat();
    expect(older).toHaveLength(40 * 3 + 60 + 1);
    const ids = older.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(ids.toSorted().reverse());
    // Back from the last page: the same pages' entries before it, in the same order.
    const last = ids.at(-1);
    const newer = (await readAll(world, {}, { count: 7, direction: "previous", cursor: last })).toReversed().flat();
    expect(newer.map(({ id }) => id)).toEqual(ids.slice(0, -1));
    // Every neighbouring pair of pages.
    const first = await read(world, {}, { count: 9 });
    const second = await read(world, {}, { count: 9, cursor: first.page.nextCursor ?? undefined });
    const back = await read(
      world,
      {},
      {
        count: 9,
        direction: "previous",
        cursor: second.page.previousCursor ?? undefined,
      },
    );
    expect(back.entries).toEqual(first.entries);
    expect([first.page.previousCursor, back.page.previousCursor]).toEqual([null, null]);
    for (const cursor of ["7", "nothing", `${last}0`])
      await expect(read(world, {}, { cursor })).rejects.toMatchObject({ code: "validation_failed" });
  }));

test("[SYN-011] the log is narrowed by severity, node, kind, text and time, and entries lead to record and cycle", () =>
  inWorkingWorld(async (world) => {
    await addCycles(world, 100);
    await addActions(world, LONG_AGO + 20_000, 10);
    await addQuarantined(world, LONG_AGO + 19_800);
    const texts = async (filter: PipelineLogFilter) =>
      (await readAll(world, filter, { count: 200 })).flat().map(({ message, cycle }) => message || cycle?.outcome);
    expect(await texts({ severities: ["error"], kinds: ["cycle"] })).toEqual(["failed", "failed"]);
    expect(await texts({ severities: ["error"], kinds: ["action"] })).toEqual(["Saw Acme 7"]);
    expect(await texts({ text: "BROKEN 99" })).toEqual(["Broken 99"]);
    expect(await texts({ text: "x-17" })).toEqual(["The name is too long"]);
    expect(await texts({ text: "acme 7", severities: ["warning"] })).toEqual([]);
    expect(new Set(await texts({ nodeId: "sink-b" }))).toEqual(new Set(["Odd"]));
    const [from, to] = [20_000, 21_000].map((ms) => new Date(LONG_AGO + ms).toISOString());
    expect(await texts({ kinds: ["cycle"], from, to })).toHaveLength(2);
    expect(await texts({ kinds: ["action"], to: from })).toHaveLength(10);
    expect(await texts({ kinds: ["action"], from: to })).toEqual([]);
    const [record] = (await read(world, { kinds: ["record"] })).entries;
    expect(record).toMatchObject({ severity: "warning", nodeId: "core", externalId: "x-17", code: "too_long" });
    // It happened while the twentieth cycle ran.
    expect(record?.cycleId).toBe((20).toString(16).padStart(24, "0"));
    const [action] = (await read(world, { text: "acme 7" })).entries;
    expect(action).toMatchObject({ recordId: (7).toString(16).padStart(24, "0"), detail: "Say", nodeId: "log" });
  }));

test("a search looks at a bounded number of rows, says how far it came, and finds on from there what is further away", () =>
  inWorkingWorld(async (world) => {
    await addCycles(world, 2 * SEARCHED_ROWS + 10);
    const filter = { text: "broken 3" };
    const wanted = (message: string) => message.startsWith("Broken 3");
    const pages = await readAll(world, filter, { count: 200 });
    const ids = pages.flat().map(({ id }) => id);
    const all = (await readAll(world, { kinds: ["problem"], severities: ["error"] }, { count: 200 })).flat();
    expect(ids).toEqual(all.filter(({ message }) => wanted(message)).map(({ id }) => id));
    const lone = {
      text: "broken 1",
      to: new Date(LONG_AGO + 1_000_000).toISOString(),
      severities: ["warning" as const],
    };
    const first = await read(world, { ...lone, to: new Date(LONG_AGO + 9_000_000).toISOString() });
    expect(first.entries).toEqual([]);
    expect(first.searchedTo).toBe(new Date(LONG_AGO + (SEARCHED_ROWS + 11) * 1_000).toISOString());
    // Back from a page on which nothing was found to all that is newer.
    const empty = await read(world, lone, { cursor: first.page.nextCursor ?? undefined });
    expect(empty.entries).toEqual([]);
    const back = await read(
      world,
      { kinds: ["cycle"] },
      { direction: "previous", cursor: empty.page.previousCursor ?? undefined, count: 1 },
    );
    expect(back.entries[0]?.timestamp).toBe(first.searchedTo);
  }));

test("what log messages say is masked where records have password fields, and is not found by its text", () =>
  inWorkingWorld(
    async (world) => {
      await addActions(world, LONG_AGO, 1);
      const { entries } = await read(world, {});
      expect(entries.map(({ message }) => message)).not.toContain("Saw Acme 1");
      expect(entries).toHaveLength(1);
      expect((await read(world, { text: "acme" })).entries).toEqual([]);
      expect((await read(world, { text: "say" })).entries).toHaveLength(1);
    },
    (needs) => ({
      ...needs,
      schema: {
        ...needs.schema,
        getEntity: async (...asked) => {
          const entity = await needs.schema.getEntity(...asked);
          const secret = { ...entity?.fields[0], apiName: "pin", dataType: "password" } as never;
          return entity && { ...entity, fields: [...entity.fields, secret] };
        },
      },
    }),
  ));
