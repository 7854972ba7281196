/** Conformance: writes that compare with what was read before, and that stop when the caller may not write any more. */
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import type { WriteOperation, WriteOutcome, WriteRequest } from "../connection.ts";
import { ConnectorError } from "../errors.ts";
import { hashValue, type ExpectedValues } from "../fingerprint.ts";
import { notApplicable, type Kit } from "./kit.ts";
import { entityNamed, fieldNames, latestById, readToEnd } from "./reading.ts";

let counter = 0;
const key = (): string => `kit-conditional-${(counter += 1)}`;

const expectedOf = (values: Values | undefined, fields: readonly string[]): ExpectedValues =>
  Object.fromEntries(fields.map((field) => [field, hashValue(values?.[field])]));

const WRITERS = 6;

/** What such a test needs; null for connectors that only read, or claim neither capability. */
async function comparing(kit: Kit) {
  const { writes, entity: name, config } = kit.system();
  const connection = kit.connect();
  if (!writes || !connection.write) {
    notApplicable("it is only read");
    return null;
  }
  const entity = await entityNamed(connection, name);
  const capabilities = kit.definition.capabilitiesOf(config, entity);
  const isConditional = capabilities.includes("conditionalWrite");
  if (!isConditional && !capabilities.includes("checkedWrite")) {
    notApplicable("its writes compare nothing");
    return null;
  }
  const fields = fieldNames(entity);
  const write = async (operations: WriteOperation[], options: Partial<WriteRequest> = {}, by = connection) =>
    (await by.write?.({ entity, operations, fields, ...options })) ?? [];
  const recordOf = async (id: string): Promise<Values | undefined> => {
    if (capabilities.includes("getById"))
      return (await connection.getByIds?.({ entity, fields, ids: [id] }))?.[0]?.values;
    const all = await readToEnd(connection, { entity, cursor: null, pageSize: 100, mode: "all" });
    return latestById(all.records).get(id);
  };
  const create = async (n: number): Promise<string> => {
    const [made] = await write([{ kind: "create", values: writes.valid(n), idempotencyKey: key() }]);
    if (made?.status !== "done") throw new Error(`Not created: ${JSON.stringify(made)}`);
    return made.id;
  };
  const update = (id: string, values: Values, expected?: ExpectedValues): WriteOperation => ({
    kind: "update",
    id,
    values,
    idempotencyKey: key(),
    ...(expected ? { expected } : {}),
  });
  const remove = (id: string, expected?: ExpectedValues): WriteOperation => ({
    kind: "delete",
    id,
    idempotencyKey: key(),
    ...(expected ? { expected } : {}),
  });
  const deletes = capabilities.includes("delete");
  /** Takes a record away by whatever way there is. */
  const clear = async (id: string): Promise<void> => {
    if (deletes) await write([remove(id)]);
    else await kit.system().outside?.remove(id);
  };
  return { writes, isConditional, deletes, fields, write, recordOf, create, update, remove, clear, entity };
}

export function describeConditionalWriting(kit: Kit): void {
  describeComparing(kit);
  describeRemoving(kit);
  describePermission(kit);
}

function describeComparing(kit: Kit): void {
  describe("compares", () => {
    test("a record that holds what is expected is changed, whatever its other fields hold", async () => {
      const at = await comparing(kit);
      if (!at) return;
      const id = await at.create(40);
      const changed = Object.keys(at.writes.change);
      const expected = expectedOf(await at.recordOf(id), changed);
      const [outcome] = await at.write([at.update(id, at.writes.change, expected)]);
      expect(outcome).toMatchObject({ status: "done", id });
      expect(await at.recordOf(id)).toMatchObject(at.writes.change);
      const [again] = await at.write([at.update(id, at.writes.valid(41), expectedOf(await at.recordOf(id), changed))]);
      expect(again).toMatchObject({ status: "done", id });
      await at.clear(id);
    });
    test("a record that holds something newer is left as it is, and comes back as it stands", async () => {
      const at = await comparing(kit);
      if (!at) return;
      const id = await at.create(42);
      const expected = expectedOf(await at.recordOf(id), Object.keys(at.writes.change));
      await at.write([at.update(id, at.writes.change)]);
      const [outcome] = await at.write([at.update(id, at.writes.valid(43), expected)]);
      expect(outcome).toMatchObject({ status: "conflict", record: { id, values: at.writes.change } });
      expect(await at.recordOf(id)).toMatchObject(at.writes.change);
      await at.clear(id);
    });
    test("what the system's own users change between reading and writing is not overwritten", async () => {
      const at = await comparing(kit);
      const { outside } = kit.system();
      if (!at) return;
      if (!outside) return notApplicable("nobody else changes it");
      const id = await at.create(44);
      const before = await at.recordOf(id);
      await outside.update(id);
      const now = await at.recordOf(id);
      const [outcome] = await at.write([at.update(id, at.writes.change, expectedOf(before, at.fields))]);
      expect(outcome).toMatchObject({ status: "conflict", record: { id } });
      expect(await at.recordOf(id)).toEqual(now);
      await at.clear(id);
    });
    test("in a batch only the outdated ones are left out", async () => {
      const at = await comparing(kit);
      if (!at) return;
      const ids = [await at.create(45), await at.create(46), await at.create(47)];
      const changed = Object.keys(at.writes.change);
      const expected = await Promise.all(ids.map(async (id) => expectedOf(await at.recordOf(id), changed)));
      await at.write([at.update(ids[1] ?? "", at.writes.change)]);
      const outcomes = await at.write(ids.map((id, index) => at.update(id, at.writes.change, expected[index])));
      expect(outcomes.map(({ status }) => status)).toEqual(["done", "conflict", "done"]);
      await at.write(ids.map((id) => at.remove(id)));
    });
    test("of several writers that expect the same, one alone changes the record where that is promised", async () => {
      const at = await comparing(kit);
      if (!at) return;
      if (!at.isConditional) return notApplicable("it reads before it writes");
      const id = await at.create(48);
      // A field that can change and whose written values differ, so that each writer sees the one before.
      const [left, right] = [at.writes.valid(48), at.writes.valid(49)];
      const changeable = Object.keys(at.writes.change);
      const field = changeable.find((name) => hashValue(left[name]) !== hashValue(right[name])) ?? "";
      expect(changeable).toContain(field);
      const expected = expectedOf(await at.recordOf(id), [field]);
      const outcomes = await Promise.all(
        Array.from({ length: WRITERS }, (_, index) =>
          at.write([at.update(id, at.writes.valid(50 + index), expected)], {}, kit.connect()),
        ),
      );
      const statuses = outcomes.map(([outcome]) => outcome?.status);
      expect(statuses.filter((status) => status === "done")).toHaveLength(1);
      expect(statuses.filter((status) => status === "conflict")).toHaveLength(WRITERS - 1);
      const winner = statuses.indexOf("done");
      expect((await at.recordOf(id))?.[field]).toEqual(at.writes.valid(50 + winner)[field]);
      await at.clear(id);
    });
  });
}

function describeRemoving(kit: Kit): void {
  describe("deletes", () => {
    test("a record that holds something newer stays, one that holds what is expected goes", async () => {
      const at = await comparing(kit);
      if (!at) return;
      if (!at.deletes) return notApplicable("it deletes nothing");
      const id = await at.create(60);
      const changed = Object.keys(at.writes.change);
      const expected = expectedOf(await at.recordOf(id), changed);
      await at.write([at.update(id, at.writes.change)]);
      const [kept] = await at.write([at.remove(id, expected)]);
      expect(kept).toMatchObject({ status: "conflict", record: { id, values: at.writes.change } });
      expect(await at.recordOf(id)).toMatchObject(at.writes.change);
      const [gone] = await at.write([at.remove(id, expectedOf(at.writes.change, changed))]);
      expect(gone).toMatchObject({ status: "done", id });
      expect(await at.recordOf(id)).toBeUndefined();
    });
    test("a record that is gone is missing, not in conflict", async () => {
      const at = await comparing(kit);
      if (!at) return;
      const id = await at.create(61);
      const expected = expectedOf(await at.recordOf(id), Object.keys(at.writes.change));
      await at.clear(id);
      expect(await at.write([at.update(id, at.writes.change, expected)])).toEqual([{ status: "missing" }]);
      if (at.deletes) expect(await at.write([at.remove(id, expected)])).toEqual([{ status: "missing" }]);
    });
  });
}

const FORBIDDEN = new ConnectorError("unavailable", "Somebody else writes now.", { neverSent: true });

/** What a request came to: outcomes for each operation, or one refusal of them all. */
const settled = (outcomes: Promise<WriteOutcome[]>): Promise<WriteOutcome[] | null> =>
  outcomes.catch((error: unknown) => {
    expect(error).toBeInstanceOf(ConnectorError);
    return null;
  });

const wasNotSent = (outcome: WriteOutcome | undefined): boolean =>
  outcome?.status === "retry" && outcome.neverSent === true;

function describePermission(kit: Kit): void {
  describe("stops", () => {
    test("who may not write any more sends nothing", async () => {
      const at = await comparing(kit);
      if (!at) return;
      const id = await at.create(70);
      const before = await at.recordOf(id);
      const forbid = (): never => {
        throw FORBIDDEN;
      };
      for (const operation of [
        at.update(id, at.writes.change),
        at.update(id, at.writes.change, expectedOf(before, Object.keys(at.writes.change))),
        ...(at.deletes ? [at.remove(id)] : []),
      ]) {
        const outcomes = await settled(at.write([operation], { assertMaySend: forbid }));
        expect(outcomes === null || outcomes.every(wasNotSent)).toBe(true);
      }
      expect(await at.recordOf(id)).toEqual(before);
      const count = async () =>
        (await readToEnd(kit.connect(), { entity: at.entity, cursor: null, pageSize: 100, mode: "all" })).records
          .length;
      const records = await count();
      const creation: WriteOperation = { kind: "create", values: at.writes.valid(71), idempotencyKey: key() };
      const outcomes = await settled(at.write([creation], { assertMaySend: forbid }));
      expect(outcomes === null || outcomes.every(wasNotSent)).toBe(true);
      expect(await count()).toBe(records);
      await at.clear(id);
    });
    test("what was sent before the permission ended is told apart from what was not", async () => {
      const at = await comparing(kit);
      if (!at) return;
      const ids = [await at.create(72), await at.create(73), await at.create(74), await at.create(75)];
      let calls = 0;
      const outcomes = await settled(
        at.write(
          ids.map((id) => at.update(id, at.writes.change)),
          {
            assertMaySend: () => {
              if ((calls += 1) > 1) throw FORBIDDEN;
            },
          },
        ),
      );
      expect(calls).toBeGreaterThan(0);
      for (const [index, id] of ids.entries()) {
        const outcome = outcomes?.[index];
        expect(outcome?.status === "done" || wasNotSent(outcome) || outcomes === null).toBe(true);
        const values = await at.recordOf(id);
        if (outcome?.status === "done") expect(values).toMatchObject(at.writes.change);
        else expect(values).not.toMatchObject(at.writes.change);
      }
      for (const id of ids) await at.clear(id);
    });
    test("a request that was stopped before it began changes nothing", async () => {
      const at = await comparing(kit);
      if (!at) return;
      const id = await at.create(76);
      const before = await at.recordOf(id);
      const signal = AbortSignal.abort();
      await at.write([at.update(id, at.writes.change)], { signal }).catch(() => null);
      expect(await at.recordOf(id)).toEqual(before);
      await at.clear(id);
    });
  });
}
