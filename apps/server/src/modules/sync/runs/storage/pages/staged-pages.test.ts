/** Which pages may go in while the one before them is still being committed. */
import type { CommitBatch, LinkWrite } from "@accord/sync-engine/run";
import { expect, test } from "vitest";
import { pageOf } from "../../../../../../test-kit/replay/store-world.ts";
import { mayGoInEarly } from "./staged-pages.store.ts";

const changed = (more: Partial<CommitBatch>): boolean => mayGoInEarly({ ...pageOf("anna"), ...more });

test("a page that only adds records nobody knows yet may go in early", () => {
  expect(mayGoInEarly(pageOf("anna", "bert"))).toBe(true);
});

test("a page that adds none, changes known ones or merges some waits for its turn", () => {
  const update = { recordId: "r2", expectedVersion: 1, values: {}, origin: {}, deleted: false };
  const mergeBatch = { merges: [], reports: [], notifySinkIds: [], deleteAt: [] };
  expect(mayGoInEarly(pageOf())).toBe(false);
  expect(changed({ updates: [update] })).toBe(false);
  expect(changed({ mergeBatch })).toBe(false);
});

test("a page that links known external records, or new ones to other records than its own, waits as well", () => {
  const page = pageOf("anna");
  const linking = (...more: Partial<LinkWrite>[]): boolean =>
    mayGoInEarly({ ...page, links: more.flatMap((one) => page.links.map((link) => ({ ...link, ...one }))) });
  expect(linking({})).toBe(true);
  expect(linking({ isNew: false })).toBe(false);
  expect(linking({ recordId: "other" })).toBe(false);
  expect(linking({}, { externalId: "bert", recordId: "other" })).toBe(false);
});
