/** Conformance: creates, updates and deletes with an outcome for each record, whatever happens to the others. */
import { describe, expect, test } from "vitest";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Connection, WriteOperation, WriteOutcome } from "../connection.ts";
import { hashValue } from "../fingerprint.ts";
import { notApplicable, type Kit } from "./kit.ts";
import { entityNamed, fieldNames } from "./reading.ts";

let counter = 0;
const key = (): string => `kit-${(counter += 1)}`;

export function describeWriting(kit: Kit): void {
  /** What a writing test needs; null for connectors and systems that only read. */
  const writable = async () => {
    const { writes, entity: name } = kit.system();
    const connection = kit.connect();
    if (!writes || !connection.write) {
      notApplicable("it is only read");
      return null;
    }
    const entity = await entityNamed(connection, name);
    const write = (operations: WriteOperation[]): Promise<WriteOutcome[]> =>
      connection.write?.({ entity, operations }) ?? Promise.resolve([]);
    const capabilities = kit.definition.capabilitiesOf(kit.system().config, entity);
    const deletes = capabilities.includes("delete");
    expect(deletes).toBe(!writes.isNeverDeleted);
    const remove = async (id: string): Promise<void> => {
      if (deletes) await write([{ kind: "delete", id, idempotencyKey: key() }]);
      else await kit.system().outside?.remove(id);
    };
    return { writes, connection, entity, write, capabilities, deletes, remove };
  };
  const valuesOf = async (connection: Connection, entity: EntitySchema, id: string) =>
    (await connection.getByIds?.({ entity, fields: fieldNames(entity), ids: [id] }))?.[0]?.values;
  const create = (values: ReturnType<NonNullable<ReturnType<Kit["system"]>["writes"]>["valid"]>): WriteOperation => ({
    kind: "create",
    values,
    idempotencyKey: key(),
  });

  describe("writes", () => {
    test("create, update and delete, each with the record's id and the values as stored", async () => {
      const at = await writable();
      if (!at) return;
      const [created] = await at.write([create(at.writes.valid(1))]);
      if (created?.status !== "done") throw new Error(`Not created: ${JSON.stringify(created)}`);
      expect(created.id).not.toBe("");
      expect(await valuesOf(at.connection, at.entity, created.id)).toMatchObject(at.writes.valid(1));

      const [updated] = await at.write([
        { kind: "update", id: created.id, values: at.writes.change, idempotencyKey: key() },
      ]);
      expect(updated).toMatchObject({ status: "done", id: created.id });
      expect(await valuesOf(at.connection, at.entity, created.id)).toMatchObject({
        ...at.writes.valid(1),
        ...at.writes.change,
      });

      if (at.deletes) {
        const [deleted] = await at.write([{ kind: "delete", id: created.id, idempotencyKey: key() }]);
        expect(deleted).toMatchObject({ status: "done", id: created.id });
      } else await at.remove(created.id);
      expect(await valuesOf(at.connection, at.entity, created.id)).toBeUndefined();
    });
    test("one refused record leaves the others of its batch done, in order", async () => {
      const at = await writable();
      if (!at) return;
      const outcomes = await at.write([
        create(at.writes.valid(10)),
        create(at.writes.valid(11)),
        create(at.writes.invalid),
        create(at.writes.valid(12)),
        create(at.writes.valid(13)),
      ]);
      expect(outcomes.map((outcome) => outcome.status)).toEqual(["done", "done", "rejected", "done", "done"]);
      expect(outcomes[2]).toMatchObject({ message: expect.stringMatching(/\w{3}/) });
      const ids = outcomes.flatMap((outcome) => (outcome.status === "done" ? [outcome.id] : []));
      for (const [index, n] of [10, 11, 12, 13].entries())
        expect(await valuesOf(at.connection, at.entity, ids[index] ?? "")).toMatchObject(at.writes.valid(n));
      for (const id of ids) await at.remove(id);
    });
    test("what was changed since it was read is answered as it stands, and neither updated nor deleted", async () => {
      const at = await writable();
      if (!at) return;
      if (!at.capabilities.includes("conditionalWrite") && !at.capabilities.includes("checkedWrite"))
        return notApplicable("its writes compare nothing");
      const [made] = await at.write([create(at.writes.valid(40))]);
      const id = made?.status === "done" ? made.id : "";
      const changed = Object.keys(at.writes.change);
      const expectedNow = async () => {
        const values = await valuesOf(at.connection, at.entity, id);
        return Object.fromEntries(changed.map((field) => [field, hashValue(values?.[field])]));
      };
      const expected = await expectedNow();
      const update = { kind: "update", id, values: at.writes.change, expected } as const;
      expect(await at.write([{ ...update, idempotencyKey: key() }])).toMatchObject([{ status: "done", id }]);

      const late: WriteOperation[] = [{ ...update, values: at.writes.valid(41), idempotencyKey: key() }];
      if (at.deletes) late.push({ kind: "delete", id, expected, idempotencyKey: key() });
      for (const operation of late)
        expect(await at.write([operation])).toMatchObject([
          { status: "conflict", record: { id, values: at.writes.change } },
        ]);
      expect(await valuesOf(at.connection, at.entity, id)).toMatchObject(at.writes.change);

      if (!at.deletes) return at.remove(id);
      const removal: WriteOperation = { kind: "delete", id, expected: await expectedNow(), idempotencyKey: key() };
      expect(await at.write([removal])).toMatchObject([{ status: "done" }]);
    });
    test("update and delete of a record that is gone say so", async () => {
      const at = await writable();
      if (!at) return;
      const id = at.writes.missingId;
      const missing = [{ status: "missing" }];
      const update = { kind: "update", id, values: at.writes.change, idempotencyKey: key() } as const;
      expect(await at.write([update])).toEqual(missing);
      if (!at.deletes) return;
      const repeated = at.writes.deletesTwice ? [{ status: "done", id }] : missing;
      expect(await at.write([{ kind: "delete", id, idempotencyKey: key() }])).toEqual(repeated);
    });
    test("kinds mixed in one batch keep their order, also for one record twice", async () => {
      const at = await writable();
      if (!at) return;
      const [made] = await at.write([create(at.writes.valid(20))]);
      const id = made?.status === "done" ? made.id : "";
      const operations: WriteOperation[] = [
        { kind: "update", id, values: at.writes.change, idempotencyKey: key() },
        { kind: "update", id, values: at.writes.valid(21), idempotencyKey: key() },
        create(at.writes.valid(22)),
      ];
      if (at.deletes) operations.push({ kind: "delete", id, idempotencyKey: key() });
      const outcomes = await at.write(operations);
      expect(outcomes.map((outcome) => outcome.status)).toEqual(operations.map(() => "done"));
      const left = await valuesOf(at.connection, at.entity, id);
      if (at.deletes) expect(left).toBeUndefined();
      else expect(left).toMatchObject(at.writes.valid(21));
      await at.remove(outcomes[2]?.status === "done" ? outcomes[2].id : "");
    });
    test("after a lost answer the outcome is unknown, and the record is found or not created twice", async () => {
      const at = await writable();
      const { loseAnswers } = kit.system().faults;
      if (!at) return;
      if (!loseAnswers) return notApplicable("its answers can't be lost");
      const values = at.writes.valid(30);
      const idempotencyKey = key();
      const mend = await loseAnswers();
      const [lost] = await at.write([{ kind: "create", values, idempotencyKey }]).finally(mend);
      expect(lost?.status).toBe("unknown");

      const { capabilities } = at;
      const isFoundAgain = capabilities.includes("idempotentCreate") || capabilities.includes("lookup");
      expect(isFoundAgain).toBe(!at.writes.isNeverFoundAgain);
      if (!isFoundAgain) return;
      let id: string | undefined;
      if (capabilities.includes("idempotentCreate")) {
        const [again] = await at.write([{ kind: "create", values, idempotencyKey }]);
        id = again?.status === "done" ? again.id : undefined;
      }
      const field = at.writes.lookupField ?? "";
      if (at.connection.lookup && field) {
        const found = await at.connection.lookup({
          entity: at.entity,
          fields: fieldNames(at.entity),
          field,
          values: [values[field] ?? null],
        });
        expect(found.length).toBe(1);
        id ??= found[0]?.id;
      }
      expect(id).toBeTruthy();
      await at.remove(id ?? "");
    });
    test("after a lost answer nobody takes an update or a deletion for one that was not done", async () => {
      const at = await writable();
      const { loseAnswers } = kit.system().faults;
      if (!at) return;
      if (!loseAnswers) return notApplicable("its answers can't be lost");
      const [made] = await at.write([{ kind: "create", values: at.writes.valid(31), idempotencyKey: key() }]);
      const id = made?.status === "done" ? made.id : "";
      const operations: WriteOperation[] = [{ kind: "update", id, values: at.writes.change, idempotencyKey: key() }];
      if (at.deletes) operations.push({ kind: "delete", id, idempotencyKey: key() });
      for (const operation of operations) {
        const mend = await loseAnswers();
        const [lost] = await at.write([operation]).finally(mend);
        expect(lost?.status, operation.kind).toBe("unknown");
      }
      await at.remove(id);
    });
  });
}
