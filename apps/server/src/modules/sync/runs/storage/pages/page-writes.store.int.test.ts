/** Links that a page writes: a dead one stands in nobody's way, a living one does. */
import { type CommitBatch, linkAfterReturn, type LinkWrite } from "@accord/sync-engine/run";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { newId, PLACE, pageOf, storeWorld } from "../../../../../../test-kit/replay/store-world.ts";

/** Two customers that are linked, and what a further page of links is answered. */
async function linked() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, storage, run, schema } = await storeWorld(database);
  const page = pageOf("anna", "bert");
  await storage.commit(run, page, newId);
  const [anna, bert] = page.links as [LinkWrite, LinkWrite];
  const write = async (...links: Partial<LinkWrite>[]): Promise<string> => {
    const batch: CommitBatch = { ...pageOf(), links: links.map((link) => ({ ...anna, ...link })) };
    return (await storage.commit(run, batch, newId)).status;
  };
  const links = async () => {
    const { rows } = await pool.query(
      `SELECT external_id, record_id, dead FROM ${schema}.link WHERE place = ${PLACE} ORDER BY 1`,
    );
    return rows.map((row) => [row.external_id, row.record_id === anna.recordId ? "Anna" : "Bert", row.dead]);
  };
  return { anna, bert, write, links, storage, run, pool, schema };
}

test("a record whose external record is gone is tied to another one in its place", async () => {
  const { anna, write, links } = await linked();
  const other = { ...anna, externalId: "anna-2", isNew: true };
  expect(await write(other), "the first one lives").toBe("conflict");
  expect(await write({ ...anna, isNew: false, dead: true })).toBe("done");
  expect(await write(other)).toBe("done");
  expect(await links()).toEqual([
    ["anna-2", "Anna", false],
    ["bert", "Bert", false],
  ]);
});

test("an external record that is known passes to a record whose own one is gone, and takes its place", async () => {
  const { anna, bert, write, links } = await linked();
  expect(await write({ ...anna, isNew: false, dead: true })).toBe("done");
  expect(await write({ ...bert, recordId: anna.recordId, isNew: false, isMoved: true })).toBe("done");
  expect(await links()).toEqual([["bert", "Anna", false]]);
});

test("an external record stays its record's own, gone or not: another one that claims it is looked at anew", async () => {
  const { anna, bert, write, links } = await linked();
  const moved = { ...anna, recordId: bert.recordId, isNew: true };
  expect(await write(moved)).toBe("conflict");
  expect(await write({ ...anna, isNew: false, dead: true }, { ...bert, isNew: false, dead: true })).toBe("done");
  expect(await write(moved)).toBe("conflict");
  expect(await links()).toEqual([
    ["anna", "Anna", true],
    ["bert", "Bert", true],
  ]);
});

test("a record that a filter holds back is known as such, looked at though it shows what it showed, and no more once it gets through", async () => {
  const { anna, write, storage } = await linked();
  const heldBack = { since: "2026-01-01T00:00:00.000Z", shown: "shown", values: { name: "12345678" } };
  const look = () =>
    storage.resolve({
      placeId: PLACE,
      records: ["anna", "bert"].map((externalId) => ({ externalId, seen: "seen", deleted: false })),
      absorb: true,
      references: [],
    });
  expect(await write({ ...anna, isNew: false, heldBack })).toBe("done");
  const held = await look();
  expect([...held.absorbed]).toEqual([1]);
  expect(held.links.get("anna")).toEqual({ ...linkOf(anna), heldBack });
  expect(await write({ ...anna, isNew: false })).toBe("done");
  expect([...(await look()).absorbed]).toEqual([0, 1]);
});

test("of records that come back, the copies elsewhere that live are read anew, and asked for at once where that is wanted", async () => {
  const { anna, bert, pool, schema, storage, run } = await linked();
  const elsewhere = PLACE + 1;
  const known = { seen: "0123456789".repeat(9), isNew: true };
  const copies = [
    { ...anna, ...known, externalId: "anna-2" },
    { ...bert, ...known, externalId: "bert-2" },
  ];
  await storage.commit(run, { ...pageOf(), placeId: elsewhere, links: copies }, newId);
  const copy = { placeId: elsewhere, unread: [0], untold: [1] };
  const returned = [
    { recordId: anna.recordId, others: [{ ...copy, isAsked: true }] },
    { recordId: bert.recordId, others: [{ ...copy, isAsked: false }] },
  ];
  expect((await storage.commit(run, { ...pageOf(), returned }, newId)).status).toBe("done");
  const { rows } = await pool.query(`SELECT external_id, seen FROM ${schema}.link WHERE place = $1 ORDER BY 1`, [
    elsewhere,
  ]);
  const { seen } = linkAfterReturn({ ...anna, ...known }, { ...copy, isAsked: true });
  expect(seen).not.toBe(known.seen);
  expect(rows).toEqual(["anna-2", "bert-2"].map((id) => ({ external_id: id, seen })));
  const asked = await pool.query(`SELECT place, external_id, is_listed FROM ${schema}.missing_record`);
  expect(asked.rows).toEqual([{ place: elsewhere, external_id: "anna-2", is_listed: true }]);
});

const linkOf = ({ isNew: _, ...link }: LinkWrite): Omit<LinkWrite, "isNew"> => link;
