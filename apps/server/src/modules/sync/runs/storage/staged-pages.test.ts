/** Which pages may go in while the one before them is still being committed. */
import { type CommitBatch, emptyBatch } from "@accord/sync-engine/run";
import { expect, test } from "vitest";
import { mayGoInEarly } from "./staged-pages.store.ts";

const link = { seen: null, told: null, refused: null, respelled: null, modifiedAt: null, dead: false };
const created = (recordId: string): Pick<CommitBatch, "creates" | "links"> => ({
  creates: [{ recordId, values: {}, origin: {} }],
  links: [{ ...link, externalId: recordId, recordId, isNew: true }],
});
const pageOf = (more: Partial<CommitBatch> = {}): CommitBatch => ({
  ...emptyBatch(1, null),
  ...created("r1"),
  ...more,
});

test("a page that only adds records nobody knows yet may go in early", () => {
  expect(mayGoInEarly(pageOf())).toBe(true);
});

test("a page that adds none, changes known ones or merges some waits for its turn", () => {
  const update = { recordId: "r2", expectedVersion: 1, values: {}, origin: {}, deleted: false };
  const mergeBatch = { merges: [], reports: [], notifySinkIds: [], deleteAt: [] };
  expect(mayGoInEarly(pageOf({ creates: [], links: [] }))).toBe(false);
  expect(mayGoInEarly(pageOf({ updates: [update] }))).toBe(false);
  expect(mayGoInEarly(pageOf({ mergeBatch }))).toBe(false);
});

test("a page that links known external records, or new ones to other records than its own, waits as well", () => {
  const [own] = created("r1").links;
  const links = (...more: Partial<CommitBatch["links"][number]>[]) =>
    more.map((one) => ({ ...link, externalId: "r1", recordId: "r1", isNew: true, ...own, ...one }));
  expect(mayGoInEarly(pageOf({ links: links({ isNew: false }) }))).toBe(false);
  expect(mayGoInEarly(pageOf({ links: links({ recordId: "r2" }) }))).toBe(false);
  expect(mayGoInEarly(pageOf({ links: links({}, { externalId: "r9", recordId: "r9" }) }))).toBe(false);
});
