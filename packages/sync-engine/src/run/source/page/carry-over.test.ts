/** What a page brings into its batch as it is. */
import { expect, test } from "vitest";
import { processedPage, storedLink } from "../../protocol/fixtures/stored.ts";
import { emptyBatch } from "../../protocol/storage.ts";
import { parseEntries } from "../../state/normalization/awaited-normalizations.ts";
import { carryOver } from "../carry-over.ts";

const entry = {
  direction: "source",
  externalId: "A1",
  recordId: null,
  nodeId: null,
  code: "c",
  message: "m",
  payload: null,
} as const;
const call = (key: string) => ({ key, externalId: key, recordId: null }) as never;

function carried(page: Parameters<typeof processedPage>[0], knownUntil: string | null = null) {
  const batch = emptyBatch(1, null);
  carryOver(processedPage(page), batch, knownUntil);
  return batch;
}

test("what was quarantined says until when changes were known there, where that is known", () => {
  expect(carried({ quarantine: [entry] }).quarantine).toEqual([entry]);
  expect(carried({ quarantine: [entry] }, "2026").quarantine).toEqual([{ ...entry, knownUntil: "2026" }]);
});

test("what is settled, what is to be done, and what was done on the way", () => {
  const page = { settled: ["A1"], deferredActions: [call("later")], executedActions: [call("done")] };
  expect(carried(page)).toMatchObject({ settled: ["A1"], actions: [{ key: "later" }], endedOccurrences: ["done"] });
});

test("a record that shows what was written: nothing of it is awaited, and its tie is new where it was found", () => {
  const link = storedLink({ respelled: "0:a:b:2:1:s:b 1:c:d:1:0" });
  const [known, found] = carried({
    confirmed: [
      { link, seen: "now" },
      { link, seen: "now", isNew: true },
    ],
  }).links;
  expect(known).toMatchObject({ seen: "now", isNew: false, isConfirmed: true });
  expect([...parseEntries(known?.respelled ?? null).keys()]).toEqual([1]);
  expect(found).toMatchObject({ seen: "now", isNew: true });
  expect(found).not.toHaveProperty("isConfirmed");
});
