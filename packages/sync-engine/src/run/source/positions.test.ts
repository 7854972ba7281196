/** How far a source has been read is written down now and then, even where nothing else is: people watch it, crashes cost less. */
import type { ReadPage } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import { FakeSystem, PLAIN_TRAITS, planFor } from "@accord/sync-simulation/testing";
import { advance, beginRun } from "../advance.ts";
import type { Effect, Input } from "../protocol/protocol.ts";
import type { Position } from "../protocol/storage.ts";
import { resolvedWith } from "../protocol/fixtures/stored.ts";

const traits = { ...PLAIN_TRAITS, reportsModifiedAt: false, idempotentWrites: true };
const PAGES = 12;
const SOURCE = "source-A";

/** Resyncs twelve pages of nothing new, each read in `pageMs`; answers the positions written while it lasted and at its end. */
function resync(pageMs: number, recordsAPage: number): { saved: Position[]; atEnd: (Position | null)[] } {
  const plan = planFor([new FakeSystem("A", traits)], "NONE");
  const run = beginRun(plan, {
    cycleId: "1",
    epoch: 1,
    sources: [],
    resync: { resyncId: "r", nodeIds: [SOURCE], since: null, until: null, cursors: {}, finished: [] },
    failures: {},
  });
  let now = 0;
  const saved: Position[] = [];
  const toDo: Effect[] = [];
  const give = (input: Input): void => {
    toDo.push(...advance(plan, run, input, { now, newId: () => "id", random: () => 0 }).effects);
  };
  give({ kind: "start" });
  for (let effect = toDo.shift(); effect; effect = toDo.shift()) {
    if (effect.kind === "finish") return { saved, atEnd: effect.summary.positions };
    if (effect.kind === "read") {
      now += pageMs;
      give({
        kind: "pageRead",
        nodeId: SOURCE,
        requestId: effect.requestId,
        page: pageOf(Number(effect.cursor), recordsAPage),
      });
    } else if (effect.kind === "resolve") {
      const resolved = resolvedWith({ absorbed: new Set(effect.request.records.keys()) });
      give({ kind: "resolved", nodeId: SOURCE, requestId: effect.requestId, resolved });
    } else if (effect.kind === "commit") {
      if (effect.batch.position) saved.push(effect.batch.position);
      give({ kind: "committed", nodeId: SOURCE, answer: { status: "done", signal: "none" } });
    } else if (effect.kind === "claim") {
      give({
        kind: "claimed",
        placeId: effect.placeId,
        claimed: { deliveries: [], references: new Map(), nextAt: null },
      });
    }
  }
  throw new Error("the run never finished");
}

const pageOf = (page: number, count: number): ReadPage => ({
  records: Array.from({ length: count }, (_, index) => ({
    id: `${page}-${index}`,
    values: { email: "a@example.com" },
  })),
  cursor: page + 1,
  drained: page + 1 === PAGES,
});

describe("[SYN-096] a resync that finds nothing to write", () => {
  test.for([10, 0])("says every few seconds how far it is, with %i records on a page", (recordsAPage) => {
    const { saved } = resync(1_000, recordsAPage);
    expect(new Set(saved.map(({ of }) => of))).toEqual(new Set(["resync"]));
    const pages = [0, ...saved.map(({ cursor }) => Number(cursor)), PAGES];
    // A page takes a second, and some are read while one is written down.
    const apart = pages.slice(1).map((page, index) => page - (pages[index] ?? 0));
    expect(Math.max(...apart)).toBeLessThanOrEqual(5);
    for (const { cursor, read = 0 } of saved) expect(read).toBeGreaterThanOrEqual(Number(cursor) * recordsAPage);
  });

  test("writes nothing while it is quick, and its last position with its end", () => {
    const { saved, atEnd } = resync(10, 10);
    expect(saved).toEqual([]);
    expect(atEnd).toMatchObject([{ of: "resync", cursor: PAGES, nodeId: SOURCE }]);
  });
});
