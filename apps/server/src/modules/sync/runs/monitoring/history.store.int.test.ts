/** What screens ask of records quarantined, of cycles and of single records: exactly their own, in order, a page at a time. */
import { DELIVERY_ATTEMPTS } from "@accord/sync-engine/run";
import { describe, expect, test } from "vitest";
import { I, P, Q, T } from "../../../../../test-kit/sync-world/numbered-places.ts";
import { PAGE, world } from "./fixtures/history.store.ts";

describe("records quarantined", () => {
  interface QuarantinedEntry {
    pipeline?: string;
    place?: number;
    direction?: string;
    status?: string;
    external?: string | null;
    record?: string | null;
    node?: string | null;
    code?: string;
    message?: string;
    payload?: object | null;
  }
  async function quarantineEntries(entries: Record<string, QuarantinedEntry>) {
    const it = await world();
    for (const [id, entry] of Object.entries(entries)) {
      const { pipeline = P, place = 1, direction = "source", status = "OPEN", external = id, record = null } = entry;
      const { node = "n", code = "bad", message = "Bad", payload = null } = entry;
      await it.pool.query(
        `INSERT INTO ${T}.quarantine (id, pipeline_id, place, direction, status, external_id, record_id, node_id, code, message, payload)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          id,
          pipeline,
          place,
          direction,
          status,
          external,
          record,
          node,
          code,
          message,
          payload && JSON.stringify(payload),
        ],
      );
    }
    const statuses = async () => {
      const { rows } = await it.pool.query(`SELECT id, status FROM ${T}.quarantine ORDER BY id`);
      return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
    };
    return { ...it, statuses };
  }

  test("are listed newest first, a page and whether there is more, whichever way somebody walks", async () => {
    const { quarantine } = await quarantineEntries({ a: {}, b: {}, c: {}, d: {}, other: { pipeline: Q, place: 3 } });
    const ids = async (page: object) =>
      (await quarantine.list(I, P, {}, { ...PAGE, ...page })).rows.map(({ id }) => id);
    expect(await ids({})).toEqual(["d", "c", "b", "a"]);
    expect(await ids({ count: 1 })).toEqual(["d"]);
    expect(await ids({ from: "c", count: 5 })).toEqual(["b", "a"]);
    expect(await ids({ from: "b", direction: "previous" })).toEqual(["d", "c"]);
    expect(await ids({ from: "a", direction: "previous", count: 1 })).toEqual(["b"]);
    const isMore = async (page: object) => (await quarantine.list(I, P, {}, { ...PAGE, ...page })).isMore;
    expect(await Promise.all([isMore({ count: 4 }), isMore({ count: 3 }), isMore({ from: "c", count: 2 })])).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("are found by status, reason, node, side and words", async () => {
    const { quarantine } = await quarantineEntries({
      a: { code: "x", node: "m", message: "Too LONG" },
      b: { direction: "destination", record: "r-77", external: null, status: "RETRYING" },
      c: { status: "RESOLVED", payload: { name: "Ada" } },
    });
    const ids = async (filter: object) => (await quarantine.list(I, P, filter, PAGE)).rows.map(({ id }) => id);
    expect(await ids({ status: "OPEN" })).toEqual(["a"]);
    expect(await ids({ code: "x" })).toEqual(["a"]);
    expect(await ids({ nodeId: "m" })).toEqual(["a"]);
    expect(await ids({ side: "destination" })).toEqual(["b"]);
    expect([
      await ids({ search: "too long" }),
      await ids({ search: "R-77" }),
      await ids({ search: "ada" }),
      await ids({ search: "zz" }),
    ]).toEqual([["a"], ["b"], ["c"], []]);
    expect((await quarantine.list(I, P, { code: "x" }, PAGE)).rows[0]).toMatchObject({
      placeId: 1,
      connectorId: "crm",
      connectorEntity: "company",
      externalId: "a",
      attempts: 1,
      dismissedBy: null,
    });
  });

  test("that could not be read are those of sources that are open and have an id", async () => {
    const unread = { code: "unreadable" };
    const { quarantine } = await quarantineEntries({
      b: unread,
      a: { ...unread, status: "RETRYING" },
      over: { ...unread, status: "RESOLVED" },
      createWithoutKey: { ...unread, external: null },
      known: {},
      other: { ...unread, pipeline: Q, place: 3 },
    });
    const ids = async (choice: object) => (await quarantine.unreadable(I, P, choice)).map(({ id }) => id);
    expect(await ids({})).toEqual(["a", "b"]);
    expect(await ids({ ids: ["b", "known", "other"] })).toEqual(["b"]);
    expect(await quarantine.unreadable(I, P, { ids: ["b"] })).toEqual([{ id: "b", placeId: 1, externalId: "b" }]);
  });

  test("that can be read now wait as they stand, each record once", async () => {
    const { quarantine, pool, statuses } = await quarantineEntries({
      "line 4": { code: "unreadable" },
      "line 5": { code: "unreadable" },
      "line 6": { code: "unreadable", status: "RESOLVED" },
      "line 7": { code: "unreadable" },
      done: { external: "9", status: "RESOLVED" },
      told: { external: "9", direction: "destination" },
      elsewhere: { external: "9", place: 2 },
    });
    expect(await quarantine.readAgain(I, "line 4", { id: "9", values: { name: "Ada" } })).toBe(true);
    expect(await quarantine.readAgain(I, "line 5", { id: "9", values: {} }), "it waits already").toBe(false);
    expect(await quarantine.readAgain(I, "line 6", { id: "8", values: {} }), "it is over").toBe(false);
    expect(await quarantine.readAgain(I, "line 4", { id: "9", values: { name: "Eve" } }), "itself").toBe(true);
    const { rows } = await pool.query(
      `SELECT id, code, external_id, payload FROM ${T}.quarantine WHERE code = 'read_again'`,
    );
    expect(rows).toEqual([{ id: "line 4", code: "read_again", external_id: "9", payload: { name: "Eve" } }]);
    expect(await quarantine.clear(I, ["line 5", "line 6"])).toBe(1);
    expect(await statuses()).toMatchObject({ "line 5": "RESOLVED", "line 7": "OPEN" });
  });

  test("are tried again, those of destinations by telling them; not what is over or can't be read", async () => {
    const { quarantine, pool, statuses } = await quarantineEntries({
      read: {},
      told: { direction: "destination", record: "r1", external: null, place: 2 },
      createWithoutKey: { direction: "destination", record: null, place: 2 },
      over: { status: "RESOLVED" },
      unread: { code: "unreadable" },
      other: { pipeline: Q, place: 3 },
    });
    await pool.query(
      `INSERT INTO ${T}.delivery (place, record_id, wanted, attempts, parked, next_at, taken_id, taken_key)
       VALUES (2, 'r1', 5, 3, true, now(), 'x', 'k'), (1, 'r1', 5, 3, true, now(), 'x', 'k'), (2, 'r2', 5, 3, true, now(), 'x', 'k')`,
    );
    expect(await quarantine.replay(I, P, { filter: { code: "bad" } })).toBe(3);
    expect(await statuses()).toEqual({
      read: "RETRYING",
      told: "RETRYING",
      createWithoutKey: "RETRYING",
      over: "RESOLVED",
      unread: "OPEN",
      other: "OPEN",
    });
    const { rows } = await pool.query(
      `SELECT place, record_id, parked, attempts, wanted > 5 AS renewed, taken_id, taken_key FROM ${T}.delivery ORDER BY 1, 2`,
    );
    const left = { parked: true, attempts: 3, renewed: false, taken_id: "x", taken_key: "k" };
    expect(rows).toEqual([
      { place: 1, record_id: "r1", ...left },
      // Whoever held the record that its creation found may have let it go.
      { place: 2, record_id: "r1", parked: false, attempts: 0, renewed: true, taken_id: null, taken_key: null },
      { place: 2, record_id: "r2", ...left },
    ]);
    expect(await quarantine.replay(I, P, { ids: ["read", "other"] })).toBe(1);
  });

  test("that were gone at their destination are looked for there again, though nothing waited to be sent", async () => {
    const { quarantine, pool } = await quarantineEntries({
      gone: { direction: "destination", record: "r1", external: "x1", place: 2, code: "missing_there" },
      refused: { direction: "destination", record: "r2", external: "x2", place: 2 },
    });
    await pool.query(
      `INSERT INTO ${T}.link (place, external_id, record_id, dead) VALUES (2, 'x1', 'r1', true), (2, 'x2', 'r2', true), (1, 'y1', 'r1', true)`,
    );
    expect(await quarantine.replay(I, P, { filter: {} })).toBe(2);
    const links = await pool.query(`SELECT external_id FROM ${T}.link WHERE NOT dead`);
    expect(links.rows).toEqual([{ external_id: "x1" }]);
    const waiting = await pool.query(`SELECT place, record_id FROM ${T}.delivery WHERE NOT parked`);
    expect(waiting.rows).toEqual([{ place: 2, record_id: "r1" }]);
  });

  test("are let go with a name on them", async () => {
    const { quarantine, pool, statuses } = await quarantineEntries({
      a: {},
      b: {},
      over: { status: "RESOLVED" },
      other: { pipeline: Q, place: 3 },
    });
    expect(await quarantine.dismiss(I, P, { ids: ["a", "over", "other"] }, "ann")).toBe(1);
    expect(await statuses()).toEqual({ a: "RESOLVED", b: "OPEN", over: "RESOLVED", other: "OPEN" });
    const { rows } = await pool.query(
      `SELECT id, dismissed_by, dismissed_at <= now() AS was FROM ${T}.quarantine WHERE dismissed_by IS NOT NULL`,
    );
    expect(rows).toEqual([{ id: "a", dismissed_by: "ann", was: true }]);
  });

  test("are let go with what their destinations would be told once more, unless that has a newer reason", async () => {
    const { quarantine, pool } = await quarantineEntries({
      told: { direction: "destination", record: "r1", external: null, place: 2 },
      read: { record: "r2" },
      newer: { direction: "destination", record: "r3", external: null, place: 2 },
      kept: { direction: "destination", record: "r4", external: null, place: 2 },
    });
    await pool.query(
      `INSERT INTO ${T}.delivery (place, record_id, attempts)
       SELECT place, 'r' || n, CASE WHEN n = 3 THEN $1::int - 2 ELSE $1::int - 1 END FROM generate_series(1, 4) n, unnest(ARRAY[1, 2]) place`,
      [DELIVERY_ATTEMPTS],
    );
    expect(await quarantine.dismiss(I, P, { ids: ["told", "read", "newer"] }, "ann")).toBe(3);
    const { rows } = await pool.query(`SELECT place, record_id FROM ${T}.delivery WHERE parked`);
    expect(rows).toEqual([{ place: 2, record_id: "r1" }]);
  });
});

describe("one record", () => {
  async function linked() {
    const it = await world();
    await it.pool.query(
      `INSERT INTO ${T}.link (place, external_id, record_id, dead, told_at) VALUES
         (1, 'c1', 'r1', false, now()), (2, 'b1', 'r1', true, NULL), (3, 'p1', 'r1', false, NULL),
         (1, 'c2', 'r2', false, NULL), (2, 'b2', 'r2', true, NULL), (1, 'c3', 'r3', false, NULL), (1, 'c4', 'r4', false, NULL)`,
    );
    await it.pool.query(
      `INSERT INTO ${T}.merged_record (loser_id, merge_id, winner_id, undone) VALUES ('r2', 'm', 'r1', false), ('r3', 'n', 'r1', true), ('r4', 'o', 'r5', false)`,
    );
    return it;
  }

  test("is linked to its own external records, and to those that live of what was merged into it", async () => {
    const { runs } = await linked();
    expect(
      (await runs.links(I, P, ["r1"])).map(({ recordId, connectorId, externalId, state }) => [
        recordId,
        connectorId,
        externalId,
        state,
      ]),
    ).toEqual([
      ["r1", "crm", "c1", "live"],
      ["r1", "crm", "c2", "live"],
      ["r1", "books", "b1", "dead"],
    ]);
    expect((await runs.links(I, P, ["r3", "r1"])).map(({ recordId }) => recordId)).toEqual(["r1", "r1", "r1", "r3"]);
    expect(Object.fromEntries((await runs.places(I)).map(({ id, pipelineId }) => [id, pipelineId]))).toEqual({
      1: P,
      2: P,
      3: Q,
    });
  });

  test("is explained by what each place of its pipeline knows of it", async () => {
    const { explain, pool } = await linked();
    await pool.query(
      `INSERT INTO ${T}.delivery (place, record_id, attempts, parked, intent) VALUES (2, 'r1', 2, true, 'update'), (1, 'r2', 1, false, NULL), (3, 'r1', 9, false, NULL)`,
    );
    const quarantineEntries = (
      id: string,
      place: number,
      direction: string,
      external: string | null,
      record: string | null,
      status = "OPEN",
    ) =>
      pool.query(
        `INSERT INTO ${T}.quarantine (id, pipeline_id, place, direction, status, external_id, record_id, code, message) VALUES ($1, '${P}', $2, $3, $4, $5, $6, $1, '')`,
        [id, place, direction, status, external, record],
      );
    await quarantineEntries("a-older", 1, "destination", "zz", "r1");
    await quarantineEntries("b-newest", 1, "source", "c1", null);
    await quarantineEntries("c-over", 1, "source", "c1", null, "RESOLVED");
    await quarantineEntries("d-other", 1, "source", "c2", "r2");
    await quarantineEntries("e-told", 2, "destination", "b1", null);
    const places = await explain.places(I, P, "r1");
    expect(places).toMatchObject([
      { placeId: 1, link: { externalId: "c1", dead: false }, delivery: null, quarantine: { code: "b-newest" } },
      {
        placeId: 2,
        link: { externalId: "b1", dead: true },
        delivery: { attempts: 2, parked: true, isAnswerMissing: true },
        quarantine: null,
      },
    ]);
    expect(places).toHaveLength(2);
    expect(await explain.places(I, P, "nobody")).toEqual([
      { placeId: 1, link: null, delivery: null, quarantine: null },
      { placeId: 2, link: null, delivery: null, quarantine: null },
    ]);
    expect((await explain.places(I, P, "r2"))[0]).toMatchObject({ delivery: { isAnswerMissing: false } });
  });

  test("is called in a system what its live record there is called", async () => {
    const { explain } = await linked();
    const asked = ["r1", "r2", "nobody"].map((recordId) => ({ connectorId: "crm", entity: "company", recordId }));
    const others = ["books/customer", "crm/person"].map((place) => {
      const [connectorId = "", entity = ""] = place.split("/");
      return { connectorId, entity, recordId: "r1" };
    });
    const found = await explain.outsideIds(I, [...asked, ...others]);
    expect([...found].map(([key, ids]) => [key, [...ids]])).toEqual([
      [
        "crm/company",
        [
          ["r1", "c1"],
          ["r2", "c2"],
        ],
      ],
      ["books/customer", []],
      ["crm/person", [["r1", "p1"]]],
    ]);
  });

  test("is perhaps read by pipelines with a place at its connector, and by those that have no place yet", async () => {
    const { runs, pool } = await world();
    const [fresh, J] = ["e".repeat(24), "b".repeat(24)];
    await pool.query(`INSERT INTO ${T}.place (pipeline_id, connector_id, entity) VALUES ($1, 'books', 'x')`, [Q]);
    await pool.query(
      `INSERT INTO sync_pipeline (instance_id, pipeline_id, version_id, version_number)
       SELECT w.i, w.p, 'v', 1 FROM unnest($1::text[], $2::text[]) AS w(i, p)`,
      [
        [I, I, I, J],
        [P, Q, fresh, P],
      ],
    );
    const readers = async (connectorId: string) =>
      Object.fromEntries(
        (await runs.maybeReaders(I, connectorId)).map(({ pipelineId, isSettled }) => [pipelineId, isSettled]),
      );
    expect(await readers("crm")).toEqual({ [P]: true, [Q]: true, [fresh]: false });
    expect(await readers("nowhere")).toEqual({ [fresh]: false });
  });

  test("has sources that were read when they say", async () => {
    const { runs, pool } = await world();
    await pool.query(
      `INSERT INTO ${T}.source_position (pipeline_id, node_id, read_at) VALUES ('${P}', 's', now()), ('${Q}', 't', now())`,
    );
    expect([...(await runs.readTimes(I, P)).keys()]).toEqual(["s"]);
    expect([...(await runs.readTimes(I)).keys()].sort()).toEqual(["s", "t"]);
  });
});
