/** What the address of a log asks for, and what its entries say. */
import { id } from "@accord/contracts";
import type { PipelineLogEntry } from "@accord/contracts/sync/monitoring/pipeline-logs";
import { sync } from "@accord/contracts/messages/en/sync";
import i18next from "i18next";
import { beforeAll, expect, test } from "vitest";
import { entryDetail, entryText, filterOf, isNarrowed } from "./logs.model.ts";

const NOW = Date.parse("2026-03-10T12:00:00.000Z");
const entry: PipelineLogEntry = {
  id: "1",
  timestamp: "2026-03-10T12:00:00.000Z",
  severity: "info",
  kind: "problem",
  nodeId: "n",
  targetId: null,
  cycleId: id("run").parse("0".repeat(24)),
  recordId: null,
  externalId: null,
  code: "too_long",
  message: "The name is too long",
  detail: "row 7",
  count: 3,
  cycle: null,
  node: null,
};

const words = i18next.createInstance();
beforeAll(() => words.init({ lng: "en", resources: { en: { sync } }, defaultNS: "sync" }));

test("[SYN-011] a period narrows the log as times do: the later begin counts", () => {
  expect(filterOf({}, NOW)).toEqual({});
  expect(filterOf({ within: "1h" }, NOW)).toEqual({ from: "2026-03-10T11:00:00.000Z" });
  const from = "2026-03-10T11:30:00.000Z";
  expect(filterOf({ within: "1h", from, severity: "error", kind: "cycle", node: "n", text: "x" }, NOW)).toEqual({
    from,
    severities: ["error"],
    kinds: ["cycle"],
    nodeId: "n",
    text: "x",
  });
  expect([isNarrowed({ cycle: entry.cycleId ?? undefined, cursor: "c" }), isNarrowed({ to: from })]).toEqual([
    false,
    true,
  ]);
});

test("[SYN-011] each kind of entry says what happened, and how many records it was", () => {
  const t = words.getFixedT("en", "sync") as unknown as Parameters<typeof entryText>[1];
  expect([entryText(entry, t), entryDetail(entry, t)]).toEqual([
    "The name is too long",
    "row 7 · 3 records · too_long",
  ]);
  const node = {
    ...entry,
    message: "",
    code: null,
    detail: null,
    count: null,
    node: { reached: 1, ended: 0, quarantined: 2 },
  };
  expect([entryText(node, t), entryDetail(node, t)]).toEqual(["1 record reached this node, 2 quarantined", ""]);
  const cycle = {
    ...node,
    node: null,
    cycle: {
      kind: "resync" as const,
      startedAt: "2026-03-10T11:59:58.500Z",
      outcome: "finished" as const,
      versionNumber: 2,
      ...{ read: 1200, written: 4, created: 3, updated: 2, deleted: 1 },
    },
  };
  expect([entryText(cycle, t), entryDetail(cycle, t)]).toEqual([
    "Resync done in 1.5 s",
    "1,200 read, 3 created, 2 updated, 1 deleted, 4 written",
  ]);
});
