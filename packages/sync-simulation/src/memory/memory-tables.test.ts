/** Tables in memory: what goes with a record that is let go, and what stays. */
import { expect, test } from "vitest";
import { MemoryStore } from "./memory-store.ts";
import { MemoryTables } from "./memory-tables.ts";

const PLACE = 1;
const record = (recordId: string) => ({ recordId, version: 3, deleted: false, values: {}, origin: {} });

test("a record that is let go takes its own deliveries along; those of others stay, and its creation without an answer", () => {
  const tables = new MemoryTables();
  for (const id of ["gone", "created", "other"]) {
    tables.records.set(id, record(id));
    tables.want(PLACE, id, false, 0);
  }
  const created = tables.deliveries.get(`${PLACE}|created`);
  if (created) created.unanswered = { intent: "create", written: [""] };
  for (const id of ["gone", "created"]) tables.letGo(record(id));
  expect([...tables.deliveries.keys()]).toEqual([`${PLACE}|created`, `${PLACE}|other`]);
  expect([...tables.records.keys()]).toEqual(["other"]);
  expect([tables.isReleased("gone"), tables.isReleased("other")]).toEqual([true, false]);
  expect(tables.versionOfNew("gone")).toBe(4);
});

test("how often an id was found taken goes with the delivery that is claimed, and nothing of it where it never was", () => {
  const store = new MemoryStore({ places: new Map([["a", PLACE]]), references: [] });
  for (const id of ["free", "taken"]) {
    store.records.set(id, record(id));
    store.want(PLACE, id, false, 0);
  }
  const taken = store.deliveries.get(`${PLACE}|taken`);
  if (taken) taken.takenTimes = 2;
  const { deliveries } = store.claim({ placeId: PLACE, limit: 5, references: [] }, 0);
  expect(deliveries.map(({ recordId, takenTimes }) => [recordId, takenTimes])).toEqual([
    ["free", undefined],
    ["taken", 2],
  ]);
});
