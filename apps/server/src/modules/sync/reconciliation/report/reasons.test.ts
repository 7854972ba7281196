/** Which cause a reconciliation names for a difference, where there are several. */
import { EntitySchema } from "@accord/contracts/data/schema";
import { expect, test } from "vitest";
import type { Evidence } from "../comparison/evidence.store.ts";
import { reasonOf, type ReasonContext } from "./reasons.ts";
import type { RawDifference } from "../comparison/subjects.ts";

const NOTHING: Evidence = {
  deliveries: new Map(),
  quarantinedRecords: new Set(),
  quarantinedOutside: new Set(),
  conflicts: new Set(),
  pendingReferences: new Set(),
  missing: new Set(),
  heldBack: new Set(),
  touchedRecords: new Set(),
  touchedOutside: new Set(),
};

const alive: RawDifference = {
  ...{ kind: "not_deleted", externalId: "x", recordId: "r", field: null, connectorField: null },
  ...{ outsideValue: null, coreValue: null, reason: null, isUnread: false, isAtSink: true, signature: null },
};

const context = (evidence: Partial<Evidence>): ReasonContext => ({
  evidence: { ...NOTHING, ...evidence },
  lastChanges: new Map(),
  progress: {
    ...{ isPaused: false, hasCycled: true, read: new Set(), scanned: new Set() },
    ...{ isChangesOnly: false, publishedAt: "2026-01-01T00:00:00.000Z" },
  },
  system: {
    ...{
      placeId: 1,
      connectorId: "b",
      connectorName: "B",
      schema: EntitySchema.parse({ apiName: "c", displayName: "C", fields: [] }),
    },
    ...{ source: null, sink: null, fields: [], pageSize: 10, readDelayMs: 0, canGetById: true },
    ...{ reportsDeletions: true, isScannedForDeletions: false, problem: null },
  },
});

test("a deletion that is under way, or was refused, is named before a filter that holds the copy back", () => {
  const heldBack = new Set(["x"]);
  const reason = (evidence: Partial<Evidence>) => reasonOf(alive, { modifiedAt: null }, context(evidence));
  const delivery = (isParked: boolean) => new Map([["r", { isParked, isInDoubt: false }]]);
  expect(reason({ heldBack, deliveries: delivery(false) })).toBe("waiting_to_send");
  expect(reason({ heldBack, deliveries: delivery(true) })).toBe("quarantined");
  expect(reason({ heldBack, quarantinedRecords: new Set(["r"]) })).toBe("quarantined");
  expect(reason({ heldBack })).toBe("held_back");
  expect(reason({ heldBack: new Set(["y"]) })).toBe("unexplained");
});
