/** Changes of records that one page makes: of several external records of one, all count, and it is written once. */
import { describe, expect, test } from "vitest";
import { emptyBatch } from "../protocol/storage.ts";
import { storedRecord } from "../protocol/fixtures/stored.ts";
import { PageUpdates } from "./page-updates.ts";

const merged = new Map([["loser", "r1"]]);
const ada = storedRecord({ recordId: "r1", version: 3, values: { name: "Ada" } });
const said = (name: string) => ({ values: { name }, origin: { name: { by: "crm/contact", at: name } } });

function page() {
  const batch = emptyBatch(1, null);
  return { batch, updates: new PageUpdates(batch) };
}

describe("a record that a page changes", () => {
  test("twice is written once, as it was changed last, from the version that was read", () => {
    const { batch, updates } = page();
    updates.write(ada, said("Eve"));
    updates.write({ ...ada, version: 9 }, said("Bob"));
    updates.write(storedRecord({ recordId: "r2", version: 1 }), said("Cem"));
    expect(batch.updates).toEqual([
      { recordId: "r1", expectedVersion: 3, deleted: false, ...said("Bob") },
      { recordId: "r2", expectedVersion: 1, deleted: false, ...said("Cem") },
    ]);
  });

  test("is known by that to those that were merged into it, and only where some were", () => {
    const { updates } = page();
    expect(updates.latest(ada, { merged })).toBe(ada);
    updates.write(ada, said("Eve"));
    expect(updates.latest(ada, { merged })).toMatchObject({ recordId: "r1", version: 3, ...said("Eve") });
    expect(updates.latest(ada, {})).toBe(ada);
    expect(updates.latest(null, { merged })).toBeNull();
  });

  test("is told by the version that it will have: what was to be told is over", () => {
    const { batch, updates } = page();
    updates.fulfil(ada);
    expect(batch.fulfilled).toEqual([{ recordId: "r1", version: 3 }]);
    updates.write(ada, said("Eve"));
    updates.fulfil(ada);
    expect(batch.fulfilled?.at(-1)).toEqual({ recordId: "r1", version: 4 });
  });
});

test("a record that is back is created, and goes on changing on its page as that", () => {
  const { batch, updates } = page();
  const created = { recordId: "r7", ...said("Ada") };
  batch.creates.push(created);
  expect([updates.back("r7"), updates.back(null)]).toEqual([null, null]);
  updates.bringBack(created, { recordId: "r7", others: [] });
  expect(batch.returned).toEqual([{ recordId: "r7", others: [] }]);
  expect(updates.back("r7")).toEqual({ recordId: "r7", version: 1, deleted: false, ...said("Ada") });
  expect(updates.back("r8")).toBeNull();
  updates.write(storedRecord({ recordId: "r7", version: 1 }), said("Eve"));
  expect([batch.creates, batch.updates]).toEqual([[{ recordId: "r7", ...said("Eve") }], []]);
});
