/** Health is the worst of what is wrong, with every count behind it; agreement is only what has nothing against it. */
import { HEALTH_STATES, PipelineHealth } from "@accord/contracts/sync/monitoring/health";
import { SYNC_STATUSES } from "@accord/contracts/sync/pipelines";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type HealthFacts, healthSeverity, pipelineHealth, reasonsAt, UNTROUBLED } from "./health.ts";
import { stateTags } from "./state.ts";

const HOUR = 3_600_000;
const facts = (change: Partial<HealthFacts> = {}): HealthFacts => ({ ...UNTROUBLED, ...change });
const failure = (code: string, nodeId = "sink", since = 0) => ({
  nodeId,
  connectorId: "c",
  system: "Billing",
  since,
  code,
  message: "It is gone.",
});
const heldUp = (isLimited: boolean) => ({ nodeId: "source", connectorId: "c", system: "Billing", since: 0, isLimited });
const stateOf = (change: Partial<HealthFacts>) => pipelineHealth(facts(change))?.state;

describe("one cause alone", () => {
  test.each([
    ["FAILING", "error", { failures: [failure("notFound")], status: "RETRYING" }],
    ["FAILING", "error", { failures: [failure("authentication")], status: "RETRYING" }],
    ["FAILING", "error", { stopped: "Too many records failed.", status: "ERROR" }],
    ["FAILING", "error", { cannotRun: "A connector of this pipeline was deleted.", status: "RETRYING" }],
    ["RETRYING", "warning", { failures: [failure("unreachable")], status: "RETRYING" }],
    ["RETRYING", "warning", { failures: [failure("timeout")], status: "RETRYING" }],
    ["QUARANTINED", "warning", { quarantined: [{ nodeId: "sink", count: 3 }] }],
    ["REFUSED", "warning", { refused: [{ nodeId: "source", count: 2 }] }],
    ["WARNING", "warning", { warnings: [{ nodeId: null, count: 1, message: "Many are missing." }] }],
    ["STALLED", "error", { status: "STALLED" }],
    ["LAGGING", "warning", { overdueMs: HOUR }],
    ["PAUSED", "info", { status: "PAUSED", pausedBy: "Ada" }],
    ["PAUSED", "info", { status: "PAUSING" }],
    ["WAITING", "info", { waiting: [{ nodeId: "sink", count: 1 }] }],
    ["WAITING", "info", { heldUp: [heldUp(true)] }],
    ["WAITING", "info", { heldUp: [heldUp(false)] }],
    ["WAITING", "info", { status: "QUEUED" }],
    ["WAITING", "info", { status: "RESYNCING" }],
    ["IN_AGREEMENT", "ok", {}],
  ] as const)("%s, %s: %o", (state, severity, change) => {
    expect(pipelineHealth(facts(change))).toMatchObject({ state, severity });
  });

  test("a pipeline that is not published has no health", () => {
    expect(pipelineHealth(facts({ status: "UNPUBLISHED", quarantined: [{ nodeId: null, count: 1 }] }))).toBeNull();
  });

  test("a failing system is named, with its words and since when", () => {
    const [reason] = pipelineHealth(facts({ failures: [failure("notFound", "sink", HOUR)] }))?.reasons ?? [];
    expect(reason).toMatchObject({
      message: "systemFailing",
      nodeId: "sink",
      since: "1970-01-01T01:00:00.000Z",
      facts: { system: "Billing", reason: "It is gone." },
    });
  });

  test("a system that is known to fail is not waited for as well", () => {
    const reasons = pipelineHealth(facts({ failures: [failure("timeout")], heldUp: [heldUp(false)] }))?.reasons ?? [];
    expect(reasons.map(({ message }) => message)).toEqual(["systemRetrying"]);
  });

  test("a failing system says when it is asked again, where it will be", () => {
    const failures = [{ ...failure("timeout"), nextTryAt: 2 * HOUR }, failure("timeout", "other")];
    const reasons = pipelineHealth(facts({ failures }))?.reasons ?? [];
    expect(reasons.map(({ nextTryAt }) => nextTryAt)).toEqual(["1970-01-01T02:00:00.000Z", undefined]);
  });

  test("a failing system is named at both of its nodes: where it is read and where it is written", () => {
    const failed = { ...failure("notFound", "source", HOUR), alsoAtNodeId: "sink" };
    const health = pipelineHealth(facts({ failures: [failed] }));
    expect(["source", "sink", "other"].map((nodeId) => reasonsAt(health, nodeId).length)).toEqual([1, 1, 0]);
    expect(health?.reasons).toHaveLength(1);
  });

  test("a cycle is late by what is normal for its pipeline", () => {
    const slow = { usualCycleMs: HOUR };
    expect(stateOf({ overdueMs: 120_000 })).toBe("IN_AGREEMENT");
    expect(stateOf({ overdueMs: 120_001 })).toBe("LAGGING");
    expect(stateOf({ ...slow, overdueMs: 3 * HOUR })).toBe("IN_AGREEMENT");
    expect(stateOf({ ...slow, overdueMs: 3 * HOUR + 1 })).toBe("LAGGING");
    expect(stateOf({ usualCycleMs: null, overdueMs: HOUR }), "nobody knows yet what is normal").toBe("IN_AGREEMENT");
  });

  test("counts of one node are one reason, and lead to the tab that lists them", () => {
    const quarantined = [
      { nodeId: "a", count: 1 },
      { nodeId: "b", count: 2 },
      { nodeId: "b", count: 3 },
    ];
    const health = pipelineHealth(facts({ quarantined }));
    expect(health?.reasons).toMatchObject([
      { nodeId: "b", count: 5, tab: "quarantine" },
      { nodeId: "a", count: 1, tab: "quarantine" },
    ]);
    expect(health?.counts.quarantined).toBe(6);
    expect(reasonsAt(health ?? null, "a").map(({ count }) => count)).toEqual([1]);
  });

  test("a count that ended before all was looked at says so, in its sum too, and where nothing was found by then", () => {
    const refused = [
      { nodeId: "a", count: 4_000, isLowerBound: true as const },
      { nodeId: "a", count: 2 },
      { nodeId: "b", count: 7 },
    ];
    const waiting = [
      { nodeId: "c", count: 0, isLowerBound: true as const },
      { nodeId: "d", count: 0 },
    ];
    expect(pipelineHealth(facts({ refused, waiting }))?.reasons).toMatchObject([
      { message: "refused", nodeId: "a", count: 4_002, isLowerBound: true },
      { message: "refused", nodeId: "b", count: 7 },
      { message: "waiting", nodeId: "c", count: 0, isLowerBound: true, tab: "waiting" },
    ]);
    expect(pipelineHealth(facts({ refused }))?.reasons[1]).not.toHaveProperty("isLowerBound");
  });
});

/** Every combination of causes. */
const CAUSES = {
  FAILING: { failures: [failure("notFound")] },
  RETRYING: { failures: [failure("unreachable", "other")] },
  QUARANTINED: { quarantined: [{ nodeId: "sink", count: 3 }] },
  REFUSED: { refused: [{ nodeId: "source", count: 2 }] },
  WARNING: { warnings: [{ nodeId: null, count: 4, message: "w" }] },
  WAITING: { waiting: [{ nodeId: "sink", count: 7 }] },
} satisfies Record<string, Partial<HealthFacts>>;
const NAMES = Object.keys(CAUSES) as (keyof typeof CAUSES)[];
const COMBINATIONS = Array.from({ length: 2 ** NAMES.length }, (_, bits) =>
  NAMES.filter((_name, index) => (bits >> index) % 2 === 1),
);
const combined = (names: readonly (keyof typeof CAUSES)[], change: Partial<HealthFacts> = {}): HealthFacts =>
  names.reduce((so, name) => {
    const cause: Partial<HealthFacts> = CAUSES[name];
    return { ...so, ...cause, failures: [...so.failures, ...(cause.failures ?? [])] };
  }, facts(change));

describe("several causes together", () => {
  test("the worst one is the state, whatever stands beside it", () => {
    for (const names of COMBINATIONS) {
      const worst = HEALTH_STATES.find((state) => names.some((name) => name === state)) ?? "IN_AGREEMENT";
      expect(pipelineHealth(combined(names))?.state, names.join()).toBe(worst);
    }
  });

  test("no cause hides another: each has its reason and its count", () => {
    for (const names of COMBINATIONS) {
      const health = pipelineHealth(combined(names));
      expect(
        health?.reasons.map(({ state }) => state),
        names.join(),
      ).toEqual(names);
      const has = (name: keyof typeof CAUSES, count: number) => (names.includes(name) ? count : 0);
      expect(health?.counts).toEqual({
        failing: has("FAILING", 1) + has("RETRYING", 1),
        quarantined: has("QUARANTINED", 3),
        refused: has("REFUSED", 2),
        warnings: has("WARNING", 1),
        waiting: has("WAITING", 7),
      });
    }
  });

  test("pausing, stalling or a late cycle takes nothing away from what stands", () => {
    for (const change of [{ status: "PAUSED" }, { status: "STALLED" }, { overdueMs: HOUR }] as const)
      for (const names of COMBINATIONS) {
        const states = pipelineHealth(combined(names, change))?.reasons.map(({ state }) => state);
        expect(states).toEqual(expect.arrayContaining(names));
        expect(states).toHaveLength(names.length + 1);
        expect(states).toEqual(states?.toSorted((a, b) => HEALTH_STATES.indexOf(a) - HEALTH_STATES.indexOf(b)));
      }
  });

  test("only a pipeline without any cause is in agreement", () => {
    const count = fc.array(fc.record({ nodeId: fc.constantFrom("a", "b", null), count: fc.nat(3) }), { maxLength: 2 });
    const any = fc.record({
      status: fc.constantFrom(...SYNC_STATUSES),
      failures: fc.array(fc.constantFrom(failure("timeout"), failure("permission")), { maxLength: 2 }),
      stopped: fc.option(fc.constant("stopped")),
      cannotRun: fc.option(fc.constant("gone")),
      pausedBy: fc.option(fc.constant("Ada")),
      quarantined: count,
      refused: count,
      warnings: fc.array(fc.constant({ nodeId: null, count: 1, message: "w" }), { maxLength: 1 }),
      waiting: count,
      heldUp: fc.array(fc.boolean().map(heldUp), { maxLength: 1 }),
      overdueMs: fc.nat(HOUR),
      usualCycleMs: fc.option(fc.nat(HOUR)),
    });
    fc.assert(
      fc.property(any, (given) => {
        const health = pipelineHealth(given);
        if (health === null) return given.status === "UNPUBLISHED";
        PipelineHealth.parse(health);
        const { failing, quarantined, refused, warnings, waiting } = health.counts;
        const agrees = health.state === "IN_AGREEMENT";
        if (agrees !== (health.reasons.length === 0) || agrees !== (health.severity === "ok")) return false;
        const standing = failing + quarantined + refused + warnings + waiting;
        return !agrees || (standing + given.heldUp.length === 0 && given.stopped === null && given.cannotRun === null);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("tags of the State column", () => {
  const tags = (change: Partial<HealthFacts>) => {
    const all = facts(change);
    return stateTags({ syncStatus: all.status, health: pipelineHealth(all), resyncDetails: null });
  };
  test("[SYN-093] what a person has to fix is an error, what stands beside a working pipeline a warning", () => {
    expect(tags({})).toEqual(["Running"]);
    expect(tags({ status: "RETRYING", failures: [failure("notFound")] })).toEqual(["Error"]);
    expect(tags({ status: "RETRYING", failures: [failure("timeout")] })).toEqual(["Running", "Warning"]);
    expect(tags({ quarantined: [{ nodeId: null, count: 1 }] })).toEqual(["Running", "Warning"]);
    expect(tags({ status: "PAUSED", refused: [{ nodeId: null, count: 1 }] })).toEqual(["Paused", "Warning"]);
    expect(tags({ status: "PAUSED", failures: [failure("notFound")] })).toEqual(["Paused", "Warning"]);
    expect(tags({ waiting: [{ nodeId: null, count: 1 }] })).toEqual(["Running"]);
    expect(HEALTH_STATES.map(healthSeverity).filter((severity) => severity === "ok")).toHaveLength(1);
  });
});
