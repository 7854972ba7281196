/** External records that pass from one record to another, in PostgreSQL and in the memory of simulations alike. */
import { type CommitBatch, emptyBatch, type LinkWrite, type DeliveryResult } from "@accord/sync-engine/run";
import { MemoryStore } from "@accord/sync-simulation";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { newId, PLACE, storeWorld } from "../../../../../../test-kit/replay/store-world.ts";

const HELD = { since: "2026-01-01T00:00:00.000Z", shown: "shown", values: { name: "hash" } };

const linkOf = (recordId: string, more: Partial<LinkWrite> = {}): LinkWrite => ({
  ...{ externalId: "x", recordId, seen: "seen", lastWritten: "told", refused: null, respelled: null },
  ...{ modifiedAt: "2026-01-02", dead: false, isNew: false },
  ...more,
});

const batchOf = (more: Partial<CommitBatch>): CommitBatch => ({ ...emptyBatch(PLACE, null), ...more });

const createdOf = (recordId: string): CommitBatch["creates"] => [{ recordId, values: { name: "Ada" }, origin: {} }];

/** Commands for both storages; each answers what it then knows of the external record. */
async function bothStores() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, schema, pipelineId, storage, run } = await storeWorld(database);
  await pool.query(
    `INSERT INTO ${schema}.place (pipeline_id, connector_id, entity, read_fields, told_fields)
     VALUES ($1, 'crm', 'customer', '{name}', '{name}')`,
    [pipelineId],
  );
  const memory = new MemoryStore({ places: new Map([["crm", PLACE]]), references: [] });
  const now = Date.now();
  const epoch = memory.acquire("worker", now) ?? 0;
  return {
    async commit(more: Partial<CommitBatch>): Promise<void> {
      const batch = batchOf(more);
      expect(await storage.commit(run, batch, newId)).toMatchObject({ status: "done" });
      expect(memory.commit(epoch, batch, now)).toMatchObject({ status: "done" });
    },
    async settle(recordId: string, takesOver: DeliveryResult["takesOver"], modifiedAt: string | null): Promise<void> {
      const { rows } = await pool.query(`SELECT wanted FROM ${schema}.delivery WHERE record_id = $1`, [recordId]);
      const settled = (wanted: number): DeliveryResult => ({
        ...{ recordId, wanted, result: "done", answered: true, attempts: 0, nextAt: 0, ledger: null, quarantine: null },
        link: linkOf(recordId, { modifiedAt, isNew: true }),
        ...(takesOver ? { takesOver } : {}),
      });
      await storage.settle(run, PLACE, [settled(rows[0].wanted)], now, newId);
      const claimed = memory.claim({ placeId: PLACE, limit: 10, references: [] }, now).deliveries;
      const wanted = claimed.find((delivery) => delivery.recordId === recordId)?.wanted ?? 0;
      memory.settle(epoch, PLACE, [settled(wanted)], now);
    },
    /** What a page that shows the external record finds out about it. */
    async known(): Promise<unknown[]> {
      const request = { placeId: PLACE, records: [{ externalId: "x", seen: "other", deleted: false }] };
      const asked = { ...request, absorb: true, references: [] };
      const answers = [await storage.resolve(asked), memory.resolve(asked)];
      return answers.map(({ links }) => {
        const { recordId, dead, heldBack = null } = links.get("x") ?? {};
        return { recordId, dead, heldBack };
      });
    },
  };
}

/** A filter holds the copy of Ada back; it is deleted there, and another record is created under the same key. */
async function takenOver(takesOver: "always" | "ifLater", modifiedAt: string | null) {
  const stores = await bothStores();
  const [ada, eve] = [newId<"record">(), newId<"record">()];
  await stores.commit({ creates: createdOf(ada), links: [linkOf(ada, { isNew: true })] });
  await stores.commit({ links: [linkOf(ada, { heldBack: HELD })] });
  const held = { recordId: ada, dead: false, heldBack: HELD };
  expect(await stores.known()).toEqual([held, held]);
  await stores.commit({ links: [linkOf(ada, { heldBack: HELD, dead: true })] });
  const delivery = { placeId: PLACE, recordId: eve, onlyIfOutstanding: false };
  await stores.commit({ creates: createdOf(eve), deliveries: [delivery] });
  await stores.settle(eve, takesOver, modifiedAt);
  return { eve, known: await stores.known() };
}

test.each([
  ["made anew under the same key", "always" as const, null, false],
  ["made later", "ifLater" as const, "2026-01-03", false],
  ["answered once more with what is deleted", "ifLater" as const, "2026-01-02", true],
])(
  "a record that takes a deleted one's key over has none of what a filter held back of that: %s",
  async (_, takesOver, modifiedAt, dead) => {
    const { eve, known } = await takenOver(takesOver, modifiedAt);
    const clean = { recordId: eve, dead, heldBack: null };
    expect(known).toEqual([clean, clean]);
  },
);
