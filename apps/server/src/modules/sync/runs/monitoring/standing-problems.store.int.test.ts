/** What is wrong with records right now: each cause, refused value and waiting delivery that stands, and none that does not. */
import { COUNTED_UP_TO } from "@accord/contracts/sync/monitoring/health";
import { describe, expect, test } from "vitest";
import { I, numberedPlaces, P, Q, T } from "../../../../../test-kit/sync-world/numbered-places.ts";
import { standingProblemsStore } from "./standing-problems.store.ts";

/** Places 1 and 2 are of P, 3 of Q. */
async function world() {
  const pool = await numberedPlaces();
  return { pool, standing: standingProblemsStore(pool) };
}

interface QuarantinedRows {
  pipeline?: string;
  place?: number;
  direction?: string;
  status?: string;
  node?: string | null;
  code?: string;
}

async function quarantined() {
  const it = await world();
  /** Entries numbered from `first` to `last`, of records `r<number>`. */
  const add = (first: number, last: number, more: QuarantinedRows = {}) => {
    const { pipeline = P, place = 1, direction = "source", status = "OPEN", node = "n", code = "bad" } = more;
    return it.pool.query(
      `INSERT INTO ${T}.quarantine (id, pipeline_id, place, direction, status, external_id, record_id, node_id, code, message)
       SELECT lpad(n::text, 8, '0'), $3, $4, $5, $6, 'x' || n, 'r' || n, $7, $8, '' FROM generate_series($1::int, $2::int) n`,
      [first, last, pipeline, place, direction, status, node, code],
    );
  };
  return { ...it, add };
}

describe("causes of quarantine", () => {
  test("are found each with its newest entry, of one pipeline or all, and counted up to a bound", async () => {
    const { standing, add } = await quarantined();
    await add(1, COUNTED_UP_TO + 2, { code: "many" });
    await add(20_001, 20_003, { code: "unplaced", node: null });
    await add(30_001, 30_002, { pipeline: Q, code: "many" });
    await add(40_001, 40_009, { code: "over", status: "RESOLVED" });
    const found = { placeId: 1, direction: "source", nodeId: "n" };
    const own = [
      { ...found, pipelineId: P, code: "many", count: 10_001, sampleId: "00010002", externalId: "x10002" },
      { ...found, pipelineId: P, code: "unplaced", nodeId: null, count: 3, sampleId: "00020003", externalId: "x20003" },
    ];
    expect(await standing.quarantineCauses(I, P)).toEqual(own);
    expect(await standing.quarantineCauses(I)).toEqual([
      ...own,
      { ...found, pipelineId: Q, code: "many", count: 2, sampleId: "00030002", externalId: "x30002" },
    ]);
    expect(await standing.openQuarantine(I, P)).toEqual({ count: 10_001, oldestId: "00000001" });
  });

  test("are one each for what differs in code, place, direction or node, and none once nothing is open", async () => {
    const { standing, add } = await quarantined();
    expect(await standing.quarantineCauses(I, P)).toEqual([]);
    await add(1, 9, { status: "RESOLVED" });
    expect(await standing.openQuarantine(I, P)).toEqual({ count: 0, oldestId: null });
    await add(11, 11);
    await add(12, 12, { code: "worse", status: "RETRYING" });
    await add(13, 13, { place: 2 });
    await add(14, 14, { direction: "destination" });
    await add(15, 15, { node: "m" });
    await add(10, 10, { pipeline: Q, place: 3 });
    const causes = await standing.quarantineCauses(I, P);
    expect(new Set(causes.map(({ sampleId, count }) => [sampleId, count].join()))).toEqual(
      new Set(["00000011,1", "00000012,1", "00000013,1", "00000014,1", "00000015,1"]),
    );
    expect(await standing.openQuarantine(I, P)).toEqual({ count: 5, oldestId: "00000011" });
  });

  test("are over where entries of the same pipeline with the same code were resolved and none is open", async () => {
    const { standing, add } = await quarantined();
    await add(1, 1, { code: "over", status: "RESOLVED" });
    await add(2, 2, { code: "other", status: "RESOLVED" });
    await add(3, 3, { code: "again", status: "RESOLVED" });
    await add(4, 4, { code: "again" });
    await add(5, 5, { code: "open" });
    await add(6, 6, { code: "over", pipeline: Q, place: 3 });
    await add(7, 7, { code: "theirs", status: "RESOLVED", pipeline: Q, place: 3 });
    const over = async (...codes: string[]) =>
      (
        await standing.resolvedCauses(
          I,
          codes.map((code) => ({ pipelineId: P, code })),
        )
      ).map(({ code }) => code);
    expect(await over("over", "again", "open", "never", "theirs")).toEqual(["over"]);
    expect(await over("over")).toEqual(["over"]);
    expect(await over()).toEqual([]);
    expect(await standing.resolvedCauses(I, [{ pipelineId: Q, code: "over" }])).toEqual([]);
  });

  test("have a sample with what its source sent, unless that is too large to be read for it", async () => {
    const { standing, pool, add } = await quarantined();
    for (const [id, code] of ["small", "large", "none"].entries()) await add(id + 1, id + 1, { code });
    await pool.query(
      `UPDATE ${T}.quarantine SET message = repeat('m', 3000), payload = '{"n": 1}' WHERE code = 'small'`,
    );
    await pool.query(
      `UPDATE ${T}.quarantine SET message = 'M', payload =
         (SELECT jsonb_build_object('n', string_agg(md5(n::text), '')) FROM generate_series(1, 10000) n) WHERE code = 'large'`,
    );
    const causes = await standing.quarantineCauses(I, P);
    const samples = async (...codes: string[]) => {
      const found = await standing.causeSamples(
        I,
        causes.filter(({ code }) => codes.includes(code)),
      );
      return Object.fromEntries(found);
    };
    const small = { message: "m".repeat(2000), payload: { n: 1 }, isPayloadLeftOut: false };
    expect(await samples("small", "large", "none")).toEqual({
      "00000001": small,
      "00000002": { message: "M", payload: null, isPayloadLeftOut: true },
      "00000003": { message: "", payload: null, isPayloadLeftOut: false },
    });
    expect(await samples("small")).toEqual({ "00000001": small });
    expect(await samples()).toEqual({});
  });
});

describe("values that could not be taken", () => {
  const AT = "2026-01-05T00:00:00.000Z";
  type Refused = { [field: string]: [value: string, code: string, connectorField?: string] };
  interface NewEntry {
    record?: string;
    place?: number;
    operation?: string;
    refused?: Refused;
    changes?: object;
  }
  const PHONE: Refused = { phone: ["x", "not_convertible"] };

  async function refusals() {
    const it = await world();
    const note = async (external: string, { record = external, place = 1, ...more }: NewEntry): Promise<void> => {
      const { operation = "refuse", refused = null, changes = {} } = more;
      await it.pool.query(
        `INSERT INTO ${T}.ledger (entity, record_id, operation, at, changes, refused, place, external_id)
         VALUES (1, $1, $2, $3, $4, $5, $6, $7)`,
        [record, operation, AT, JSON.stringify(changes), refused && JSON.stringify(refused), place, external],
      );
    };
    /** Milliseconds after the refusal at which the link was seen, and at which it was decided on. */
    const link = (external: string, { place = 1, dead = false, seen = 0, decided = null as number | null } = {}) =>
      it.pool.query(
        `INSERT INTO ${T}.link (place, external_id, record_id, dead, seen_at, decided_at) VALUES ($1, $2, $2, $3,
           $4::timestamptz + $5 * interval '1 millisecond', $4::timestamptz + $6 * interval '1 millisecond')`,
        [place, external, dead, AT, seen, decided],
      );
    const refuse = async (external: string, refused: Refused = PHONE, more: NewEntry & { links?: object } = {}) => {
      await link(external, { ...(more.place === undefined ? {} : { place: more.place }), ...more.links });
      await note(external, { ...more, refused });
    };
    const both = (id: number) => (["source", "destination"] as const).map((direction) => ({ id, direction }));
    const listed = async (places: number[] = [1, 2, 3], page: object = {}, field?: string) => {
      const all = { from: null, direction: "next", count: 50 } as const;
      return it.standing.refusedRecords(I, { places: places.flatMap(both), field }, { ...all, ...page });
    };
    const standing = async () =>
      Object.fromEntries((await listed()).rows.map(({ externalId, values }) => [externalId, values]));
    return { ...it, note, link, refuse, listed, standing };
  }

  test("stand while their external record is as it was when they were refused", async () => {
    const { note, link, refuse, standing } = await refusals();
    await refuse("stands");
    await refuse("shows our write", PHONE, { links: { seen: 3_600_000, decided: 1 } });
    await refuse("decided anew", PHONE, { links: { decided: 2 } });
    await refuse("read anew", PHONE, { links: { seen: 2 } });
    await refuse("gone", PHONE, { links: { dead: true } });
    await note("elsewhere", { refused: PHONE });
    await link("elsewhere", { place: 2 });
    await note("another", { record: "stands", refused: PHONE });
    await refuse("two", { ...PHONE, name: ["y", "older"], mail: ["z", "not_convertible"] });
    expect(await standing()).toEqual({
      stands: { phone: "x" },
      "shows our write": { phone: "x" },
      two: { phone: "x", mail: "z" },
    });
  });

  test("stand until the field is taken over from their record, or written there, under the name it has there", async () => {
    const { note, refuse, standing } = await refusals();
    const taken = { operation: "update", changes: { phone: [null, "1"] } };
    const written = { operation: "write", changes: { tel: [null, "1"] } };
    const asTel: Refused = { phone: ["x", "not_convertible", "tel"] };
    await note("before", taken);
    for (const external of ["before", "taken", "by another", "elsewhere", "other field"]) await refuse(external);
    for (const external of ["written", "written otherwise", "read otherwise"]) await refuse(external, asTel);
    await refuse("written under one name");
    await note("taken", taken);
    await note("nobody", taken);
    await note("elsewhere", { ...taken, place: 2 });
    await note("other field", { ...taken, changes: { name: [null, "1"] } });
    await note("written", written);
    await note("written otherwise", { ...taken, operation: "write" });
    await note("read otherwise", { ...written, operation: "update" });
    await note("written under one name", { ...taken, operation: "write" });
    expect(Object.keys(await standing()).toSorted()).toEqual(
      ["before", "by another", "elsewhere", "other field", "read otherwise", "written otherwise"].toSorted(),
    );
  });

  test("are listed of the places and the field asked for, newest first, a page and whether there is more", async () => {
    const { refuse, listed } = await refusals();
    for (const external of ["a", "b", "c", "d"]) await refuse(external);
    await refuse("e", { name: ["y", "not_convertible"], phone: ["x", "not_convertible"] }, { place: 2 });
    await refuse("f", PHONE, { place: 3 });
    const ids = async (...asked: Parameters<typeof listed>) =>
      (await listed(...asked)).rows.map(({ externalId }) => externalId).join("");
    expect(await ids()).toBe("fedcba");
    expect(await ids([1, 2])).toBe("edcba");
    const { rows } = await listed([2], {}, "name");
    expect(rows).toMatchObject([{ placeId: 2, recordId: "e", externalId: "e", values: { name: "y" } }]);
    expect(new Date(rows[0]?.at ?? 0).toISOString()).toBe(AT);
    expect(await ids([1, 2], {}, "name")).toBe("e");
    const numbers = Object.fromEntries((await listed()).rows.map(({ externalId, number }) => [externalId, number]));
    expect(await ids([1, 3], { from: numbers["c"] })).toBe("ba");
    expect(await ids([1, 3], { from: numbers["b"], direction: "previous" })).toBe("fdc");
    expect(await ids([1, 3], { from: numbers["b"], direction: "previous", count: 2 })).toBe("dc");
    const isMore = async (page: object) => (await listed([1], page)).isMore;
    expect([await isMore({ count: 3 }), await isMore({ count: 4 })]).toEqual([true, false]);
    expect([await isMore({ from: numbers["c"], count: 1 }), await isMore({ from: numbers["c"] })]).toEqual([
      true,
      false,
    ]);
  });

  test("are counted by place and field, of the newest records of each place, and say where there may be more", async () => {
    const { pool, refuse, standing: _, ...it } = await refusals();
    await refuse("a", { name: ["y", "not_convertible"], phone: ["x", "not_convertible"] });
    await refuse("b", { phone: ["x", "not_convertible"], fax: ["x", "older"] });
    await refuse("c", { name: ["y", "not_convertible"] }, { place: 2 });
    const counted = async () =>
      (await standingProblemsStore(pool).refusedValues(I)).map(({ placeId, field, count, isLowerBound }) =>
        [placeId, field, count, isLowerBound].join(" "),
      );
    expect(await counted()).toEqual(["1 phone 2 false", "1 name 1 false", "2 name 1 false"]);
    await it.link("d", { place: 2 });
    const fill = (first: number, last: number) =>
      pool.query(
        `WITH l AS (INSERT INTO ${T}.link (place, external_id, record_id, seen_at) SELECT 3, n, n, $1 FROM generate_series($2::int, $3) n)
         INSERT INTO ${T}.ledger (entity, record_id, operation, at, refused, place, external_id)
         SELECT 1, n, 'refuse', $1, json_build_object(CASE n WHEN 1 THEN 'oldest' ELSE 'phone' END, json_build_array('x', 'not_convertible')), 3, n
         FROM generate_series($2::int, $3) n`,
        [AT, first, last],
      );
    await fill(1, COUNTED_UP_TO);
    const ofThree = async () => (await counted()).filter((line) => line.startsWith("3 "));
    expect(await ofThree()).toEqual([`3 phone ${COUNTED_UP_TO - 1} false`, "3 oldest 1 false"]);
    await fill(COUNTED_UP_TO + 1, COUNTED_UP_TO + 2);
    expect(await ofThree()).toEqual([`3 phone ${COUNTED_UP_TO + 1} true`]);
    const [first] = (await standingProblemsStore(pool).refusedValues(I)).filter(({ placeId }) => placeId === 1);
    expect(["a", "b"]).toContain(first?.externalId);
  });
});

describe("deliveries to be made", () => {
  const deliver = (first: number, last: number, place: number, parked = false) =>
    [
      `INSERT INTO ${T}.delivery (place, record_id, parked, next_at)
       SELECT $3, 'r' || n, $4, now() + n * interval '1 second' FROM generate_series($1::int, $2::int) n`,
      [first, last, place, parked],
    ] as const;

  test("are counted by place, and those whose records are not in quarantine at that place as waiting", async () => {
    const { standing, pool, add } = await quarantined();
    for (const rows of [deliver(1, 5, 1), deliver(6, 7, 1, true), deliver(1, 2, 2)])
      await pool.query(rows[0], [...rows[1]]);
    await add(1, 1, { direction: "destination" });
    await add(2, 2, { direction: "destination", place: 2 });
    await add(3, 3);
    await add(4, 4, { direction: "destination", status: "RESOLVED" });
    await add(5, 5, { direction: "destination", status: "RETRYING" });
    expect(Object.fromEntries(await standing.deliveryCounts(I)), "and none where nothing is to be made").toEqual({
      1: { outstanding: 5, waiting: 3, isLowerBound: false },
      2: { outstanding: 2, waiting: 1, isLowerBound: false },
    });
  });

  test("are counted up to a bound, those that are due first", async () => {
    const { standing, pool, add } = await quarantined();
    const [text, values] = deliver(1, COUNTED_UP_TO, 1);
    await pool.query(text, [...values]);
    await add(COUNTED_UP_TO + 2, COUNTED_UP_TO + 2, { direction: "destination" });
    const counted = async () => (await standing.deliveryCounts(I)).get(1);
    expect(await counted()).toEqual({ outstanding: COUNTED_UP_TO, waiting: COUNTED_UP_TO, isLowerBound: false });
    await pool.query(text, [COUNTED_UP_TO + 1, COUNTED_UP_TO + 2, 1, false]);
    expect(await counted()).toEqual({ outstanding: COUNTED_UP_TO + 1, waiting: COUNTED_UP_TO + 1, isLowerBound: true });
  });
});
