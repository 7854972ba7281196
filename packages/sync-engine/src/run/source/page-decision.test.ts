/** A page decided in a cycle: whether a first load is still under way, which decides whose older values are taken. */
import type { Values } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { seenFingerprint } from "../state/fingerprint.ts";
import {
  flowOf,
  inboundRecordOf,
  momentOf,
  NOW,
  processedPage,
  storedRecord,
  twoSystems,
} from "../protocol/fixtures/stored.ts";
import type { AttachPlan } from "../plan/plan.ts";
import type { RunStart } from "../protocol/protocol.ts";
import { newRun } from "../run.ts";
import { decideNow } from "./page-decision.ts";
import { newSourceRun } from "./source-reading.ts";

const { plan, source } = twoSystems();
const [A, B] = plan.sinks.map(({ place }) => place.id) as [number, number];
const FOLLOWED_SINCE = momentOf(-60);
const SHOWN: Values = { email: "ada@example.com", name: "Ada", phone: "old", note: "x" };
const byEmail: AttachPlan = {
  nodeId: "rule",
  equalities: [{ field: "email", keyIndex: 0 }],
  matches: (intent, values) => values["email"] === intent.keys[0],
};
const RESYNC = { resyncId: "1", nodeIds: [source.nodeId], finished: [], since: null, until: null, cursors: {} };

interface Progress {
  unreadPlaces?: number[];
  historyPlaces?: number[];
  resync?: RunStart["resync"];
}

/** The phone after a row from before is read that a record edited since then was matched with. */
function phoneAfter({ unreadPlaces = [], historyPlaces = [], resync = null }: Progress): unknown {
  const edited = storedRecord({
    values: { ...SHOWN, phone: "edited" },
    origin: { phone: { by: "user", at: momentOf(-10) } },
  });
  const matcher = { ...source, attach: [byEmail] };
  const state = newSourceRun(source, { mode: "changes", since: null, until: null, next: null, slots: [] });
  const known = { cursor: null, isComplete: true, since: null, due: true, replay: [] };
  const sources = [{ ...known, nodeId: source.nodeId, followedSince: FOLLOWED_SINCE }];
  const run = newRun(
    { cycleId: "c", epoch: 1, sources, resync, failures: {} },
    { sources: [state], unreadPlaces, historyPlaces, sinkPlaces: [] },
  );
  const inbound = inboundRecordOf({
    record: { id: "A1", values: SHOWN, modifiedAt: momentOf(-3_600) },
    seen: seenFingerprint(source.program, source.place.readFields, SHOWN),
    mapped: SHOWN,
  });
  const flow = { ...flowOf({ values: SHOWN }), attach: [{ nodeId: "rule", keys: [SHOWN["email"] ?? null], now: 0 }] };
  const { decision } = decideNow(
    { plan, run, source: matcher, state, env: { now: NOW, newId: () => "new", random: () => 0.5 }, effects: [] },
    processedPage({ completed: [{ inbound, flow }] }),
    { candidates: [edited] },
    null,
  );
  expect(decision.batch.links).toMatchObject([{ recordId: "r1", isNew: true }]);
  return decision.batch.updates[0]?.values["phone"] ?? "edited";
}

test("a row that is read for the first time takes nothing back that was edited since, while any one place is yet to be read", () => {
  expect(phoneAfter({ unreadPlaces: [B] })).toBe("edited");
  expect(phoneAfter({ unreadPlaces: [A, B] })).toBe("edited");
});

test("nor while any one place has its history to bring in, or a resync is under way", () => {
  expect(phoneAfter({ historyPlaces: [B] })).toBe("edited");
  expect(phoneAfter({ resync: RESYNC })).toBe("edited");
});

test("once everything has been read, what is new there counts as entered now", () => {
  expect(phoneAfter({})).toBe("old");
});
