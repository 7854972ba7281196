/** What a looked-at page comes to: records, links, history and tellings, for each way a record may arrive or leave. */
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import type { BatchContext, Found } from "./decision.ts";
import { asExpectation } from "../state/fingerprint.ts";
import type { ProcessedPage } from "./page/process-page.ts";
import type { AttachPlan, Plan } from "../plan/plan.ts";
import { momentOf, resolvedWith, storedLink, twoSystems } from "../protocol/fixtures/stored.ts";
import {
  plan,
  source,
  A,
  B,
  ADA,
  EVE,
  AT,
  seenOf,
  writtenOf,
  link,
  ada,
  coming,
  fresh,
  decided,
  arriving,
  notified,
  history,
  counts,
} from "./fixtures/batch-builder.ts";

const family = twoSystems({}, { scenario: { hasReferences: true } });

/** A rule that finds records by their e-mail, and what a record looks for with it. */
const byEmail: AttachPlan = {
  nodeId: "rule",
  equalities: [{ field: "email", keyIndex: 0 }],
  matches: (intent, values) => values["email"] === intent.keys[0],
};

const matcher = { ...source, attach: [byEmail] };

const BY_EMAIL = [{ nodeId: "rule", keys: [ADA.email], now: 0 }];

describe("a new record", () => {
  test("is created and linked, and everybody else is notified", () => {
    const decision = decided(arriving(fresh()), { position: { nodeId: "n", cursor: { at: 1 }, of: "changes" } });
    expect(decision.batch).toMatchObject({
      placeId: A,
      position: { nodeId: "n", cursor: { at: 1 } },
      creates: [{ recordId: "new1", values: ADA }],
      updates: [],
      links: [{ externalId: "A1", recordId: "new1", seen: seenOf(ADA), isNew: true, dead: false, modifiedAt: AT }],
      ledger: [{ recordId: "new1", operation: "create", externalId: "A1", changes: {}, created: ADA, refused: null }],
      pending: [],
    });
    expect([notified(decision), counts(decision)]).toEqual([
      [`${A} new1 if`, `${B} new1`],
      [1, 0, 0, 0],
    ]);
    expect([decision.batch.fulfilled, decision.batch.mergeBatch, decision.warnings]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  test("says which of its values could not be read, and which references are open", () => {
    const decision = decided(
      arriving(
        fresh({
          refusedFields: [{ field: "phone", value: "?" }],
          pending: [{ connectorId: "A", entity: "contact", field: "boss", externalId: "9" }],
        }),
      ),
      { plan: family.plan, source: family.source },
    );
    expect(decision.batch.ledger).toMatchObject([{ refused: { phone: ["?", "not_convertible"] } }]);
    expect(decision.batch.pending).toMatchObject([{ recordId: "new1", field: "boss", externalId: "9", at: AT }]);
    expect(decision.warnings).toMatchObject([{ field: "phone", record: "A1", nodeId: family.source.nodeId }]);
    expect(counts(decision)).toEqual([1, 0, 0, 1]);
  });

  test("of unknown age refers to others since its source is followed, not since it was read", () => {
    const following = { since: momentOf(-60), joinedAfter: null, isReadWhole: true, isOfAll: true, isFirstLoad: true };
    const pending = [{ connectorId: "A", entity: "contact", field: "boss", externalId: "9" }];
    const untimed = fresh({ record: { id: "A1", values: ADA }, pending });
    const { batch } = decided(arriving(untimed), { plan: family.plan, source: family.source, env: { following } });
    expect(batch.pending).toMatchObject([{ field: "boss", at: momentOf(-60) }]);
  });

  test("belongs to the record that its rule finds, unless that stands for another one of the page", () => {
    const found = { candidates: [ada(), ada({ recordId: "r2" })] };
    const meet = (arrival: ProcessedPage["completed"][number], id: string): ProcessedPage["completed"][number] => ({
      inbound: { ...arrival.inbound, record: { ...arrival.inbound.record, id } },
      flow: { ...arrival.flow, attach: BY_EMAIL },
    });
    const one = decided(arriving(meet(fresh(), "A7")), { source: matcher, found: { candidates: [ada()] } });
    expect(one.batch.links).toMatchObject([{ externalId: "A7", recordId: "r1", isNew: true }]);
    expect([history(one), counts(one), one.warnings]).toEqual([["attach r1"], [0, 0, 0, 0], []]);
    const several = decided(arriving(meet(fresh({ shows: EVE }), "A7"), meet(fresh(), "A8"), meet(fresh(), "A9")), {
      source: matcher,
      found,
    });
    expect(several.batch.links.map(({ externalId, recordId }) => `${externalId} ${recordId}`)).toEqual([
      "A7 r1",
      "A8 r2",
      "A9 new1",
    ]);
    expect(several.warnings).toMatchObject([{ nodeId: "rule", code: "several_matches", record: "A7" }]);
    const known = decided(arriving(meet(fresh(), "A7"), coming()), { source: matcher, found });
    expect(known.batch.links[0], "whatever order they come in").toMatchObject({ externalId: "A7", recordId: "r2" });
    const former = meet(coming({ stored: null, formerId: "r9" }), "A1");
    former.inbound.link = storedLink({ recordId: "r9" });
    const moved = decided(arriving(former), { source: matcher, found });
    expect(history(moved), "also where its own record was deleted here only").toEqual(["attach r1"]);
    expect(moved.batch.links).toMatchObject([{ externalId: "A1", recordId: "r1", isNew: false, isMoved: true }]);
  });

  test("is sent to destinations that take whole records; one that is back only once what its copy there says was read", () => {
    const whole = { ...plan, sinks: plan.sinks.map((one) => ({ ...one, onlyChangedFields: false })) };
    expect(notified(decided(arriving(fresh()), { plan: whole }))).toEqual([`${A} new1 if`, `${B} new1`]);
    const { note: _, ...less } = ADA;
    const back = (shows: Values) => {
      const arrival = coming({ shows, stored: null, formerId: "r9" });
      arrival.inbound.link = link({ recordId: "r9" });
      return arriving(arrival);
    };
    expect(notified(decided(back(less), { plan: whole })), "its note would be blanked").not.toContain(`${B} r9`);
    expect(notified(decided(back(ADA), { plan: whole })), "nothing is left to be read there").toContain(`${B} r9`);
    expect(notified(decided(back(less))), "told changed fields alone, it loses nothing").toContain(`${B} r9`);
  });

  test("that is attached is compared with what we tried to write there", () => {
    const arrival = fresh({ shows: EVE });
    const page = {
      completed: [{ ...arrival, flow: { ...arrival.flow, attach: BY_EMAIL } }],
      resolved: resolvedWith({
        records: new Map([["r1", ada()]]),
        unanswered: new Map([["r1", { intent: "create" as const, written: [writtenOf(EVE)] }]]),
      }),
    };
    const decision = decided(page, { source: matcher });
    expect(decision.batch.updates, "it shows our own write, which is no news").toEqual([]);
    expect(arrival.inbound.written).toEqual([writtenOf(EVE)]);
  });
});

describe("a refused value", () => {
  const ruled = twoSystems();
  test("is counted and noted; both are said where two systems edited at once", () => {
    const older = { ...ruled.plan, authority: { ...ruled.plan.authority } };
    const known = link({ lastWritten: writtenOf({ ...ADA, name: "Old" }) });
    const both = decided(arriving(coming({ shows: EVE, link: known })), { plan: older });
    expect(both.warnings).toMatchObject([{ code: "edited_at_once", field: "name", record: "A1" }]);
    const back = decided(
      arriving(coming({ shows: EVE, isBack: true, link: { ...known, dead: true }, stored: ada({ deleted: true }) })),
      { plan: older },
    );
    expect(back.warnings, "what was deleted was nobody's edit").toEqual([]);
  });
});

describe("a page", () => {
  test("brings along what was quarantined, settled, acted on, and confirmed", () => {
    const quarantine = [
      { direction: "source", externalId: "A5", recordId: null, nodeId: "n", code: "c", message: "", payload: null },
    ] as ProcessedPage["quarantine"];
    const act = { externalId: "A1" } as ProcessedPage["deferredActions"][number];
    const confirmed = [
      { link: link({ seen: asExpectation(seenOf(EVE)) }), seen: seenOf(EVE) },
      { link: link({ externalId: "A2" }), seen: seenOf(EVE), isNew: true },
    ];
    const { batch } = decided({
      quarantine,
      settled: ["A6"],
      deferredActions: [act],
      executedActions: [{ externalId: "A1", key: "key" }],
      confirmed,
    });
    expect(batch).toMatchObject({ quarantine, settled: ["A6"], actions: [act], endedOccurrences: ["key"] });
    expect(batch.links).toMatchObject([
      { seen: seenOf(EVE), isNew: false, isConfirmed: true, externalId: "A1" },
      { seen: seenOf(EVE), isNew: true, externalId: "A2" },
    ]);
    expect(batch.links[1], "nothing was known of it that could be confirmed").not.toHaveProperty("isConfirmed");
  });
});

describe("duplicates", () => {
  const merge = {
    match: { ...byEmail, keysOf: () => [ADA.email] },
    skips: null,
    winner: [],
    winnerCode: null,
    valuesCode: null,
    shapes: new Map(),
    timeZone: "UTC",
    reportOnly: true,
    maxDuplicates: 5,
    fields: new Map(),
  } as unknown as Plan["merge"];
  const mergeBatch = { ...plan, merge };
  const twin = ada({ recordId: "r0" });
  const compare = (
    arrival: ProcessedPage["completed"][number],
    env: Partial<BatchContext> = {},
    candidates: Found["candidates"] = [],
  ): number =>
    decided(arriving(arrival), {
      plan: mergeBatch,
      source: matcher,
      env,
      found: { candidates, duplicates: { records: [twin, ada()], places: new Map(), separated: [] } },
    }).batch.mergeBatch?.reports.length ?? 0;

  test("are looked for where a record is new, changed, restored, attached or read again", () => {
    expect(compare(fresh())).toBe(1);
    expect(compare(coming({ shows: EVE }))).toBe(1);
    expect(compare(coming({ isBack: true, stored: ada({ deleted: true }) }))).toBe(1);
    expect(compare(coming())).toBe(0);
    expect(compare(coming(), { reapply: true })).toBe(1);
    const attached = { ...fresh(), flow: { ...fresh().flow, attach: BY_EMAIL } };
    expect(compare(attached, {}, [ada()])).toBe(1);
    expect(decided(arriving(fresh())).batch.mergeBatch).toBeUndefined();
  });
});
