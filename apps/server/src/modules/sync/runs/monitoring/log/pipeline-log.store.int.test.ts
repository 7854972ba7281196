/** Entries of a pipeline's log as one search finds them: exactly those asked for, at their positions, whichever way it goes. */
import type { Id } from "@accord/contracts";
import { LOG_KINDS, LOG_SEVERITIES } from "@accord/contracts/sync/monitoring/page-filters";
import { describe, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { instanceSchema } from "../../../../../platform/db/db.ts";
import { migrateInstance } from "../../../../../platform/db/migrations.ts";
import { SEARCHED_ROWS, type StoredLogEntry } from "./pipeline-log-rows.ts";
import { type LogSearch, msOf, pipelineLogStore } from "./pipeline-log.store.ts";

const [I, J] = ["a".repeat(24), "b".repeat(24)] as [Id<"instance">, Id<"instance">];
const [P, Q] = ["c".repeat(24), "d".repeat(24)] as [Id<"entity">, Id<"entity">];
const T = `"${instanceSchema(I)}"`;
/** Milliseconds whose digits in base 16 are not those in another one. */
const AT = Date.parse("2026-01-01T00:00:00.000Z");
const ALL: LogSearch = {
  pipelineId: P,
  severities: LOG_SEVERITIES,
  kinds: LOG_KINDS,
  nodeId: null,
  text: null,
  from: null,
  to: null,
  cursor: null,
  direction: "next",
  count: 50,
  nodes: [],
  levels: {},
  isHidden: false,
};
const idAt = (ms: number, tail: string): string => ms.toString(16).padStart(11, "0") + tail.padStart(13, "0");

interface NewCycle {
  pipeline?: string;
  /** Milliseconds that it ran, up to its moment. */
  ran?: number;
  outcome?: string;
  counts?: object;
  problems?: object[];
}
interface NewAction {
  at?: string;
  pipeline?: string;
  node?: string;
  label?: string;
  action?: string;
  state?: string;
  record?: string | null;
  external?: string | null;
  outcome?: object | null;
}
interface NewQuarantined {
  pipeline?: string;
  node?: string;
  code?: string;
  message?: string;
  record?: string;
}

async function world() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  await migrateInstance(pool, I);
  const store = pipelineLogStore(pool);
  const addCycle = (number: number, ms: number, more: NewCycle = {}) => {
    const { pipeline = P, ran = 10, outcome = "finished", counts = {}, problems = [] } = more;
    return pool.query(
      `INSERT INTO ${T}.cycle (number, pipeline_id, is_resync, version_number, began_at, finished_at, outcome, counts, problems)
       VALUES ($1, $2, true, 3, 'epoch'::timestamptz + $3::float8 * interval '1 millisecond', 'epoch'::timestamptz + $4::float8 * interval '1 millisecond', $5, $6, $7)`,
      [number, pipeline, ms - ran, ms, outcome, JSON.stringify(counts), JSON.stringify(problems)],
    );
  };
  const addAction = (tail: string, ms: number, more: NewAction = {}) => {
    const { at = I, pipeline = P, node = "log", label = "Say", action = "logMessage", state = "DONE" } = more;
    const { record = null, external = null, outcome = { body: { text: "Hello" } } } = more;
    return pool.query(
      `INSERT INTO sync_action (id, instance_id, pipeline_id, version_number, node_id, label, action, record_id, external_id, work, state, outcome)
       VALUES ($1, $2, $3, 1, $4, $5, $6, $7, $8, '{}', $9, $10)`,
      [idAt(ms, tail), at, pipeline, node, label, action, record, external, state, outcome && JSON.stringify(outcome)],
    );
  };
  const addQuarantined = (tail: string, ms: number, more: NewQuarantined = {}) => {
    const { pipeline = P, node = "core", code = "too_long", message = "The name", record = null } = more;
    return pool.query(
      `INSERT INTO ${T}.quarantine (id, pipeline_id, place, direction, external_id, record_id, node_id, code, message) VALUES ($1, $2, 1, 'source', $3, $4, $5, $6, $7)`,
      [idAt(ms, tail), pipeline, `x-${tail}`, record, node, code, message],
    );
  };
  const search = (more: Partial<LogSearch>) => store.search(I, { ...ALL, ...more });
  const entries = async (more: Partial<LogSearch> = {}): Promise<StoredLogEntry[]> =>
    (await search(more)).flatMap((found) => found.entries);
  return { pool, store, addCycle, addAction, addQuarantined, search, entries };
}

/** A name by which entries of these tests are known. */
function nameOf(entry: StoredLogEntry): string {
  switch (entry.kind) {
    case "cycle":
      return `cycle ${entry.cycle.number}`;
    case "node":
      return `${entry.nodeId} ${entry.cycleNumber}`;
    case "problem":
      return entry.problem.message;
    case "action":
      return entry.action.text ?? entry.action.label;
    case "record":
      return entry.externalId ?? "";
  }
}
const named = (entries: readonly StoredLogEntry[]): string[] => entries.map(nameOf);

describe("cycles", () => {
  const problem = (message: string, more: object = {}) => ({
    ...{ severity: "warning", nodeId: "s", code: "c", message, detail: null },
    ...more,
  });

  test("are found with their problems, by severity, kind, node and words; those of other pipelines are not", async () => {
    const { addCycle, entries } = await world();
    const long = { message: "m".repeat(5_000), detail: "d".repeat(5_000) };
    await addCycle(1, AT, {
      counts: { created: 1, flow: {} },
      problems: [problem("one"), problem("two", { code: "odd" })],
    });
    await addCycle(2, AT + 1, {
      outcome: "failed",
      problems: [problem("", { ...long, severity: "error", nodeId: "t" })],
    });
    await addCycle(3, AT + 2, { outcome: "lost" });
    await addCycle(4, AT + 3, { outcome: "paused" });
    await addCycle(9, AT, { pipeline: Q, problems: [problem("theirs")] });
    const cut = "m".repeat(4_000);
    expect(named(await entries())).toEqual(["cycle 4", "cycle 3", "cycle 2", cut, "cycle 1", "one", "two"]);
    expect(named(await entries({ direction: "previous" }))).toEqual([
      ...["two", "one", "cycle 1", cut, "cycle 2", "cycle 3", "cycle 4"],
    ]);
    expect(named(await entries({ severities: ["error"] }))).toEqual(["cycle 3", "cycle 2", cut]);
    expect(named(await entries({ kinds: ["problem"] }))).toEqual([cut, "one", "two"]);
    expect(named(await entries({ kinds: ["problem", "record"], severities: ["warning"] }))).toEqual(["one", "two"]);
    expect(named(await entries({ nodeId: "t" }))).toEqual([cut]);
    expect(named(await entries({ text: "odd" }))).toEqual(["two"]);
    expect(named(await entries({ text: "cycle" })), "cycles have no words").toEqual([]);
    const [failed] = await entries({ nodeId: "t" });
    expect(failed).toMatchObject({ kind: "problem", cycleNumber: 2, problem: { detail: "d".repeat(4_000) } });
    const [first] = await entries({ kinds: ["cycle"], to: AT });
    expect(first).toMatchObject({
      kind: "cycle",
      severity: "info",
      cycle: { number: 1, isResync: true, versionNumber: 3, outcome: "finished", counts: { created: 1 } },
    });
  });

  test("of a time are those that ended in it, both ends included, to the millisecond", async () => {
    const { addCycle, entries } = await world();
    for (const number of [1, 2, 3, 4]) await addCycle(number, AT + number);
    await addCycle(5, AT + 3.9);
    expect(named(await entries({ from: AT + 2, to: AT + 3 }))).toEqual(["cycle 5", "cycle 3", "cycle 2"]);
    expect(named(await entries({ from: AT + 4 }))).toEqual(["cycle 4"]);
    expect(named(await entries({ to: AT + 1 }))).toEqual(["cycle 1"]);
  });

  test("go on after a position, and come one more than a page where there are more", async () => {
    const { addCycle, entries } = await world();
    for (const number of [1, 2, 3]) await addCycle(number, AT + number, { problems: [problem(`p${number}`)] });
    const all = await entries();
    expect(named(all)).toEqual(["cycle 3", "p3", "cycle 2", "p2", "cycle 1", "p1"]);
    const positions = all.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted().toReversed());
    for (const [place, cursor] of positions.entries()) {
      expect(named(await entries({ cursor }))).toEqual(named(all).slice(place + 1));
      expect(named(await entries({ cursor, direction: "previous" }))).toEqual(named(all).slice(0, place).toReversed());
    }
    expect(named(await entries({ count: 2 }))).toEqual(["cycle 3", "p3", "cycle 2"]);
    const cursor = positions[1] ?? "";
    expect(msOf(cursor)).toBe(AT + 3);
    expect(named(await entries({ cursor, to: AT + 9 })), "the time goes on further than the cursor").toHaveLength(4);
    expect(named(await entries({ cursor, to: AT + 1 }))).toEqual(["cycle 1", "p1"]);
    expect(named(await entries({ cursor, direction: "previous", from: AT }))).toEqual(["cycle 3"]);
    expect(named(await entries({ cursor: positions[5] ?? "", direction: "previous", from: AT + 3 }))).toEqual([
      "p3",
      "cycle 3",
    ]);
  });

  test("count at a logged node what reached it, ended there and was quarantined, each destination for itself", async () => {
    const { addCycle, entries } = await world();
    const flow = {
      sources: { passed: { a: 4, b: 1 }, ended: { m: 1 } },
      failed: { m: 2 },
      sinks: { x: { passed: { c: 5 }, ended: { n: 3 } }, y: { passed: { c: 7 }, ended: { n: 1 } } },
    };
    await addCycle(1, AT, { counts: { read: { s: 9, idle: 0 }, flow } });
    await addCycle(2, AT + 1, { counts: {} });
    const nodes = [
      { nodeId: "s", isSource: true, edges: [] },
      { nodeId: "m", isSource: false, edges: ["a", "b"] },
      { nodeId: "n", isSource: false, edges: ["c"] },
      { nodeId: "idle", isSource: true, edges: [] },
      { nodeId: "beside", isSource: false, edges: ["z"] },
    ];
    const found = (await entries({ nodes })).map((entry) =>
      entry.kind === "node" ? [nameOf(entry), entry.reached, entry.ended, entry.quarantined] : nameOf(entry),
    );
    expect(found).toEqual(["cycle 2", "cycle 1", ["s 1", 9, 0, 0], ["m 1", 5, 1, 2], ["n 1", 7, 3, 0]]);
    expect(named(await entries({ nodes, kinds: ["node"], nodeId: "m" }))).toEqual(["m 1"]);
    expect(await entries({ nodes, text: "m" }), "nodes have counts and no words").toEqual([]);
  });

  test("that ran at a moment are found by it, where they have ended", async () => {
    const { store, addCycle } = await world();
    await addCycle(1, AT + 100, { ran: 50 });
    await addCycle(2, AT + 200, { ran: 50 });
    await addCycle(9, AT + 90, { ran: 80, pipeline: Q });
    const at = async (...after: number[]) =>
      [
        ...(await store.cyclesAt(
          I,
          P,
          after.map((ms) => AT + ms),
        )),
      ].map(([ms, number]) => [ms - AT, number]);
    expect(await at(48, 49, 60, 100, 101, 149, 200, 201)).toEqual([
      [49, 1],
      [60, 1],
      [100, 1],
      [149, 2],
      [200, 2],
    ]);
    expect(await at(60)).toEqual([[60, 1]]);
    expect(await at()).toEqual([]);
  });
});

describe("actions", () => {
  test("are found with what they wrote, by severity, node and words; those of others are not", async () => {
    const { addAction, entries } = await world();
    const said = (text: string, level?: string) => ({ body: { text, ...(level === undefined ? {} : { level }) } });
    await addAction("1", AT, { outcome: said("quiet") });
    await addAction("2", AT + 1, { outcome: said("loud", "error"), record: "r-77" });
    await addAction("3", AT + 2, { outcome: said("by its node"), node: "loud" });
    await addAction("4", AT + 3, {
      action: "callUrl",
      label: "Call",
      outcome: { ...said("hidden", "error"), code: "Refused" },
    });
    await addAction("5", AT + 4, {
      action: "callUrl",
      label: "Failed",
      state: "FAILED",
      outcome: { message: "Mb".repeat(2_500) },
    });
    await addAction("6", AT + 5, {
      action: "callUrl",
      label: "Unknown",
      state: "UNKNOWN",
      outcome: null,
      external: "X-9",
    });
    await addAction("7", AT, { at: J, outcome: said("of another instance") });
    await addAction("8", AT, { pipeline: Q, outcome: said("of another pipeline") });
    const levels = { loud: "error" } as const;
    const all = ["Unknown", "Failed", "Call", "by its node", "loud", "quiet"];
    expect(named(await entries({ levels }))).toEqual(all);
    expect(named(await entries({ levels, direction: "previous" }))).toEqual(all.toReversed());
    expect(named(await entries({ levels, severities: ["error"] }))).toEqual(["by its node", "loud"]);
    expect(named(await entries({ levels, severities: ["warning"] }))).toEqual(["Unknown", "Failed"]);
    expect(named(await entries({ nodeId: "loud" }))).toEqual(["by its node"]);
    for (const [text, found] of [
      ["r-77", "loud"],
      ["x-9", "Unknown"],
      ["refused", "Call"],
      ["call", "Call"],
      ["mb", "Failed"],
    ])
      expect(named(await entries({ text: text ?? "" })), text).toEqual([found]);
    expect(await entries({ text: "hidden" }), "only what a log message says is a text").toEqual([]);
    const [failed] = await entries({ text: "mb" });
    expect(failed).toMatchObject({
      kind: "action",
      action: {
        action: "callUrl",
        state: "FAILED",
        code: null,
        message: "Mb".repeat(2_000),
        text: null,
        recordId: null,
      },
    });
  });

  test("are not found by what their messages say where that is hidden", async () => {
    const { addAction, entries } = await world();
    await addAction("1", AT);
    expect(named(await entries({ text: "hello" }))).toEqual(["Hello"]);
    expect(await entries({ text: "hello", isHidden: true })).toEqual([]);
    expect(named(await entries({ text: "say", isHidden: true }))).toEqual(["Hello"]);
  });

  test("and records go on after a position, within a time, one more than a page", async () => {
    const { addAction, addQuarantined, entries } = await world();
    for (const tail of ["1", "2", "3"]) {
      await addAction(tail, AT + Number(tail), { outcome: { body: { text: `a${tail}` } } });
      await addQuarantined(tail, AT + Number(tail));
    }
    const ofActions = { kinds: ["action"] } as const;
    const ofRecords = { kinds: ["record"] } as const;
    for (const [kinds, names] of [
      [ofActions, ["a3", "a2", "a1"]],
      [ofRecords, ["x-3", "x-2", "x-1"]],
    ] as const) {
      const all = await entries(kinds);
      expect(named(all)).toEqual(names);
      expect(all.map(({ position }) => msOf(position))).toEqual([AT + 3, AT + 2, AT + 1]);
      for (const [place, { position: cursor }] of all.entries()) {
        expect(named(await entries({ ...kinds, cursor }))).toEqual(names.slice(place + 1));
        const back = await entries({ ...kinds, cursor, direction: "previous" });
        expect(named(back)).toEqual(names.slice(0, place).toReversed());
      }
      expect(named(await entries({ ...kinds, count: 1 }))).toEqual(names.slice(0, 2));
      expect(named(await entries({ ...kinds, count: 1, direction: "previous" }))).toEqual(names.slice(1).toReversed());
      expect(named(await entries({ ...kinds, from: AT + 2, to: AT + 2 }))).toEqual(names.slice(1, 2));
      expect(named(await entries({ ...kinds, to: -1 })), "before any time there is nothing").toEqual([]);
    }
  });
});

describe("quarantined records", () => {
  test("are found by node and words, and are warnings", async () => {
    const { addQuarantined, entries } = await world();
    await addQuarantined("1", AT, { node: "core", record: "R-5" });
    await addQuarantined("2", AT + 1, { node: "sink", code: "odd_code", message: "Something Else" });
    await addQuarantined("9", AT, { pipeline: Q });
    expect(named(await entries())).toEqual(["x-2", "x-1"]);
    expect(named(await entries({ nodeId: "sink" }))).toEqual(["x-2"]);
    for (const text of ["r-5", "x-1", "too_long", "the name"])
      expect(named(await entries({ text })), text).toEqual(["x-1"]);
    expect(await entries({ severities: ["info", "error"] })).toEqual([]);
    expect((await entries({ text: "odd" }))[0]).toMatchObject({
      ...{ kind: "record", severity: "warning", nodeId: "sink", quarantineId: idAt(AT + 1, "2") },
      ...{ code: "odd_code", recordId: null, externalId: "x-2" },
    });
  });
});

test("a search reads the kinds that are asked for, and says how far it came where it did not look at all", async () => {
  const { pool, search, addAction, addCycle, addQuarantined } = await world();
  await addCycle(1, AT - 10);
  await addAction("1", AT - 10);
  await addQuarantined("1", AT - 10);
  const kindsFound = async (more: Partial<LogSearch>) =>
    (await search(more)).map(({ entries }) => entries.map(({ kind }) => kind).join());
  expect(await kindsFound({})).toEqual(["cycle", "action", "record"]);
  expect(await kindsFound({ kinds: ["action"] })).toEqual(["action"]);
  expect(await kindsFound({ kinds: ["record"] })).toEqual(["record"]);
  expect(await kindsFound({ kinds: ["record", "action"] })).toEqual(["action", "record"]);
  expect(await kindsFound({ kinds: ["cycle", "action"] })).toEqual(["cycle", "action"]);
  expect(await kindsFound({ kinds: ["record"], severities: ["info"] })).toEqual([]);
  expect(await kindsFound({ kinds: ["cycle"], severities: ["info", "warning"] })).toEqual(["cycle"]);
  expect(
    (await search({})).map(({ end }) => end),
    "all was looked at",
  ).toEqual([null, null, null]);

  const many = [AT, SEARCHED_ROWS - 1] as const;
  await pool.query(
    `INSERT INTO ${T}.cycle (number, pipeline_id, is_resync, version_number, began_at, finished_at, outcome, counts, problems)
     SELECT 1 + n, '${P}', false, 1, 'epoch'::timestamptz + ($1::float8 + n) * interval '1 millisecond', 'epoch'::timestamptz + ($1::float8 + n) * interval '1 millisecond', 'finished', '{}', '[]' FROM generate_series(1, $2::int) n`,
    [...many],
  );
  const id = "lpad(to_hex($1::bigint + n), 11, '0') || '0000000000001'";
  await pool.query(
    `INSERT INTO sync_action (id, instance_id, pipeline_id, version_number, node_id, label, action, work)
     SELECT ${id}, '${I}', '${P}', 1, 'n', 'l', 'a', '{}' FROM generate_series(1, $2::int) n`,
    [...many],
  );
  await pool.query(
    `INSERT INTO ${T}.quarantine (id, pipeline_id, place, direction, external_id, code, message)
     SELECT ${id}, '${P}', 1, 'source', n, 'c', '' FROM generate_series(1, $2::int) n`,
    [...many],
  );
  const found = async (direction: LogSearch["direction"]) =>
    (await search({ direction, count: 1 })).map(({ end }) => end?.slice(0, 12));
  const ends = (ms: number) => ["c", "a", "q"].map((kind) => idAt(ms, "").slice(0, 11) + kind);
  expect(await found("next")).toEqual(ends(AT - 10));
  expect(await found("previous")).toEqual(ends(AT + SEARCHED_ROWS - 1));
  const [oldest, newest] = [await search({}), await search({ direction: "previous" })];
  for (const { end } of oldest) expect(end).toMatch(/000$/);
  expect(newest[0]?.end).toMatch(/999$/);
});
