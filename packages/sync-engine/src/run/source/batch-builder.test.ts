/** What a looked-at page comes to: records, links, history and tellings, for each way a record may arrive or leave. */
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { decide } from "./batch-builder.ts";
import type { BatchContext, Decision, Found } from "./decision.ts";
import { asExpectation, REMOVED_BY_US, seenFingerprint, writtenFingerprint } from "../state/fingerprint.ts";
import type { ProcessedPage } from "./page/process-page.ts";
import type { AttachPlan, Plan, SourcePlan } from "../plan/plan.ts";
import type { LinkWrite } from "../protocol/storage.ts";
import {
  flowOf,
  processedPage,
  momentOf,
  NOW,
  resolvedWith,
  storedLink,
  storedRecord,
  inboundRecordOf,
  twoSystems,
} from "../protocol/stored.fixtures.ts";
import type { StoredLink, StoredRecord } from "../protocol/stored.ts";
import type { InboundRecord } from "../protocol/inbound-record.ts";

const { plan, source, sink } = twoSystems();
const family = twoSystems({}, { scenario: { hasReferences: true } });
const [A, B] = plan.sinks.map(({ place }) => place.id) as [number, number];
const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "x" };
const EVE = { ...ADA, name: "Eve" };
const AT = momentOf(5);

const seenOf = (values: Values): string => seenFingerprint(source.program, source.place.readFields, values);
const writtenOf = (values: Values): string => writtenFingerprint(sink.place.writeFields, values);
/** What was seen of Ada last, and written. */
const link = (more: Partial<StoredLink> = {}): StoredLink =>
  storedLink({ seen: seenOf(ADA), told: writtenOf(ADA), modifiedAt: momentOf(1), ...more });
const ada = (more: Partial<StoredRecord> = {}): StoredRecord => storedRecord({ values: ADA, ...more });

interface Arrival extends Partial<InboundRecord> {
  /** What its record says now. */
  shows?: Values;
}

/** Ada as she is known, unless said otherwise. */
const coming = ({ shows = ADA, ...more }: Arrival = {}): ProcessedPage["completed"][number] => ({
  inbound: inboundRecordOf({
    record: { id: "A1", values: shows, modifiedAt: AT },
    seen: seenOf(shows),
    link: link(),
    stored: ada(),
    mapped: shows,
    ...more,
  }),
  flow: { ...flowOf({ values: shows }) },
});
const fresh = (more: Arrival = {}): ProcessedPage["completed"][number] => coming({ link: null, stored: null, ...more });

interface Setting {
  plan?: Plan;
  source?: SourcePlan;
  found?: Partial<Found>;
  env?: Partial<BatchContext>;
  position?: Parameters<typeof decide>[4];
}

function decided(page: Partial<ProcessedPage>, setting: Setting = {}): Decision {
  let ids = 0;
  const env = {
    now: momentOf(9),
    newId: () => `new${(ids += 1)}`,
    reapply: false,
    following: { since: null, joinedAfter: null, isReadWhole: true, isOfAll: false, isFirstLoad: false },
    knownUntil: null,
    run: { now: NOW, random: () => 0.5 },
  };
  return decide(
    setting.plan ?? plan,
    setting.source ?? source,
    processedPage(page),
    { candidates: [], ...setting.found },
    setting.position ?? null,
    { ...env, ...setting.env },
  );
}

const arriving = (...completed: ProcessedPage["completed"]): Partial<ProcessedPage> => ({ completed });
/** A rule that finds records by their e-mail, and what a record looks for with it. */
const byEmail: AttachPlan = {
  nodeId: "rule",
  equalities: [{ field: "email", keyIndex: 0 }],
  matches: (intent, values) => values["email"] === intent.keys[0],
};
const matcher = { ...source, attach: [byEmail] };
const BY_EMAIL = [{ nodeId: "rule", keys: [ADA.email], now: 0 }];

/** Who is notified of which record. */
const told = ({ batch }: Decision): string[] =>
  batch.deliveries.map(
    ({ placeId, recordId, onlyIfOutstanding }) => `${placeId} ${recordId}${onlyIfOutstanding ? " if" : ""}`,
  );
const history = ({ batch }: Decision): string[] =>
  batch.ledger.map(({ operation, recordId }) => `${operation} ${recordId}`);
const counts = ({ created, updated, deleted, refused }: Decision): number[] => [created, updated, deleted, refused];

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
    expect([told(decision), counts(decision)]).toEqual([
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
    expect(told(decided(arriving(fresh()), { plan: whole }))).toEqual([`${A} new1 if`, `${B} new1`]);
    const { note: _, ...less } = ADA;
    const back = (shows: Values) => {
      const arrival = coming({ shows, stored: null, formerId: "r9" });
      arrival.inbound.link = link({ recordId: "r9" });
      return arriving(arrival);
    };
    expect(told(decided(back(less), { plan: whole })), "its note would be blanked").not.toContain(`${B} r9`);
    expect(told(decided(back(ADA), { plan: whole })), "nothing is left to be read there").toContain(`${B} r9`);
    expect(told(decided(back(less))), "told changed fields alone, it loses nothing").toContain(`${B} r9`);
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

describe("a known record", () => {
  test("that changed is updated in what changed, and its other places are told", () => {
    const decision = decided(arriving(coming({ shows: EVE })));
    expect(decision.batch).toMatchObject({
      creates: [],
      updates: [{ recordId: "r1", expectedVersion: 3, values: EVE, deleted: false }],
      links: [{ recordId: "r1", seen: seenOf(EVE), isNew: false }],
      ledger: [{ operation: "update", externalId: "A1", changes: { name: ["Ada", "Eve"] }, refused: null }],
      fulfilled: [{ recordId: "r1", version: 4 }],
    });
    expect([told(decision), counts(decision)]).toEqual([
      [`${A} r1 if`, `${B} r1`],
      [0, 1, 0, 0],
    ]);
  });

  test("that is as it was changes nothing; what its place was to be told is settled", () => {
    const decision = decided(arriving(coming()));
    expect([decision.batch.updates, history(decision), told(decision), counts(decision)]).toEqual([
      [],
      [],
      [],
      [0, 0, 0, 0],
    ]);
    expect(decision.batch.fulfilled).toEqual([{ recordId: "r1", version: 3 }]);
  });

  test("that holds something else than it should is told the core's values", () => {
    const decision = decided(arriving(coming({ stored: ada({ values: EVE }) })));
    expect([told(decision), decision.batch.fulfilled, history(decision)]).toEqual([[`${A} r1`], undefined, []]);
    const alias = decided(arriving(coming({ isAlias: true, shows: EVE })));
    expect([told(alias)[0], alias.batch.fulfilled], "a second record of it proves nothing").toEqual([
      `${A} r1`,
      undefined,
    ]);
  });

  test("settles nothing where its place can't be compared, or is no destination", () => {
    const without = { ...plan, sinks: plan.sinks.filter(({ place }) => place.id !== A) };
    expect(decided(arriving(coming()), { plan: without }).batch.fulfilled).toBeUndefined();
    const computed = plan.sinks.map((one) => ({
      ...one,
      mappings: one.mappings.map((mapping) => ({ ...mapping, isComputed: true })),
    }));
    expect(decided(arriving(coming()), { plan: { ...plan, sinks: computed } }).batch.fulfilled).toBeUndefined();
    const unread = { ...plan, sinks: plan.sinks.map((one) => ({ ...one, reads: null })) };
    expect(told(decided(arriving(coming({ shows: EVE })), { plan: unread }))[0], "it may hold anything").toBe(
      `${A} r1`,
    );
  });

  test("tells only destinations that it concerns, and actions only of news", () => {
    const deaf = {
      ...plan,
      sinks: plan.sinks.map((one) => (one.place.id === B ? { ...one, reads: new Set(["phone"]) } : one)),
    };
    expect(told(decided(arriving(coming({ shows: EVE })), { plan: deaf }))).toEqual([`${A} r1 if`]);
    expect(told(decided(arriving(fresh({ shows: EVE })), { plan: deaf })), "a new record concerns all").toEqual([
      `${A} new1 if`,
      `${B} new1`,
    ]);
    const acting = {
      ...plan,
      sinks: plan.sinks.map((one) => (one.place.id === B ? { ...one, isActionsOnly: true } : one)),
    };
    expect(told(decided(arriving(coming({ shows: EVE })), { plan: acting }))).toContain(`${B} r1`);
    const again = decided(arriving(coming({ shows: EVE })), { plan: acting, env: { reapply: true } });
    expect(told(again)).not.toContain(`${B} r1`);
  });

  test("that is deleted here and was deleted by nobody there is kept deleted, and its edits are refused", () => {
    const stored = ada({ deleted: true });
    const may = (isAllowed: boolean): Plan => ({
      ...plan,
      sinks: plan.sinks.map((one) => ({ ...one, delete: isAllowed })),
    });
    const decision = decided(arriving(coming({ shows: EVE, stored })), { plan: may(false) });
    expect([history(decision), counts(decision), decision.batch.updates]).toEqual([["refuse r1"], [0, 0, 0, 1], []]);
    expect(decision.batch.ledger).toMatchObject([{ changes: {}, refused: { name: ["Eve", "deleted"] } }]);
    expect(decision.warnings).toMatchObject([{ code: "edited_while_deleted", field: "name" }]);
    expect(told(decision), "we may not delete there").toEqual([]);
    expect(told(decided(arriving(coming({ shows: EVE, stored })), { plan: may(true) }))).toEqual([`${A} r1`]);
    expect(history(decided(arriving(coming({ stored }))))).toEqual([]);
  });

  test("that is back, or of a place that we only read, is restored", () => {
    const stored = ada({ deleted: true, origin: { name: { by: "A.contact", at: "1" } } });
    const back = decided(arriving(coming({ shows: EVE, stored, isBack: true, link: link({ dead: true }) })));
    expect(back.batch.updates).toMatchObject([{ recordId: "r1", values: EVE, deleted: false }]);
    expect([history(back), counts(back), told(back)]).toEqual([
      ["restore r1"],
      [0, 1, 0, 0],
      [`${A} r1 if`, `${B} r1`],
    ]);
    const readOnly = { ...plan, sinks: plan.sinks.filter(({ place }) => place.id !== A) };
    const same = decided(arriving(coming({ stored })), { plan: readOnly });
    expect([history(same), counts(same), told(same)]).toEqual([["restore r1"], [0, 1, 0, 0], [`${B} r1`]]);
    expect(same.batch.updates).toMatchObject([{ values: ADA, deleted: false }]);
  });

  test("takes what it left out as said by its source when it is read again as a whole", () => {
    const readOnly = { ...source, isAlsoSink: false };
    const one = { ...plan, sinks: plan.sinks.filter(({ place }) => place.id !== A) };
    const arrival = (): ProcessedPage["completed"][number] => coming({ stored: ada({ values: EVE }) });
    expect(history(decided(arriving(arrival()), { plan: one, source: readOnly }))).toEqual([]);
    const again = decided(arriving(arrival()), { plan: one, source: readOnly, env: { reapply: true } });
    expect(again.batch.ledger).toMatchObject([{ operation: "update", changes: { name: ["Eve", "Ada"] } }]);
  });

  test("is joined with what an earlier record of the page made of it, where it was merged", () => {
    const alias = coming({ shows: { ...ADA, phone: "2" }, isAlias: true });
    alias.inbound.record = { ...alias.inbound.record, id: "A2" };
    const page = {
      ...arriving(coming({ shows: EVE }), alias),
      resolved: resolvedWith({ merged: new Map([["r0", "r1"]]) }),
    };
    const { batch } = decided(page);
    expect(batch.updates).toEqual([
      { recordId: "r1", expectedVersion: 3, values: { ...EVE, phone: "2" }, origin: {}, deleted: false },
    ]);
    expect(batch.ledger.map(({ changes }) => Object.keys(changes))).toEqual([["name"], ["phone"]]);
  });
});

describe("a refused value", () => {
  const ruled = twoSystems();
  test("is counted and noted; both are said where two systems edited at once", () => {
    const older = { ...ruled.plan, authority: { ...ruled.plan.authority } };
    const known = link({ told: writtenOf({ ...ADA, name: "Old" }) });
    const both = decided(arriving(coming({ shows: EVE, link: known })), { plan: older });
    expect(both.warnings).toMatchObject([{ code: "edited_at_once", field: "name", record: "A1" }]);
    const back = decided(
      arriving(coming({ shows: EVE, isBack: true, link: { ...known, dead: true }, stored: ada({ deleted: true }) })),
      { plan: older },
    );
    expect(back.warnings, "what was deleted was nobody's edit").toEqual([]);
  });
});

describe("a record that is gone", () => {
  const gone = (
    more: Partial<StoredLink> = {},
    stored: StoredRecord | null = ada(),
    page: Partial<ProcessedPage> = {},
  ) =>
    decided(
      {
        gone: [{ record: { id: "A1", values: {}, deleted: true, modifiedAt: AT }, link: link(more) }],
        resolved: resolvedWith({ records: new Map(stored ? [[stored.recordId, stored]] : []) }),
        ...page,
      },
      { plan: { ...plan, sinks: plan.sinks.map((one) => ({ ...one, delete: true })) } },
    );
  const links = ({ batch }: Decision): Partial<LinkWrite>[] => batch.links;

  test("takes its record along: the others are notified, its link is dead, and its history says so", () => {
    const decision = gone();
    expect(decision.batch.updates).toEqual([
      { recordId: "r1", expectedVersion: 3, values: ADA, origin: {}, deleted: true },
    ]);
    // Whatever waits for the external record itself is over.
    expect([history(decision), counts(decision), told(decision)]).toEqual([
      ["delete r1"],
      [0, 0, 1, 0],
      [`${B} r1`, `${A} r1 if`],
    ]);
    expect(links(decision)).toMatchObject([{ dead: true, isNew: false, told: REMOVED_BY_US, modifiedAt: AT }]);
    expect(decision.batch.ledger).toMatchObject([{ externalId: "A1", changes: {}, refused: null }]);
  });

  test("by our own deletion, or with its record, is known as such", () => {
    const unanswered = (intent: "delete" | "update") => ({
      resolved: resolvedWith({
        records: new Map([["r1", ada()]]),
        otherPlaces: new Map([["r1", [99]]]),
        unanswered: new Map([["r1", { intent, written: [] }]]),
      }),
    });
    expect(links(gone({}, null, unanswered("delete")))).toMatchObject([{ told: REMOVED_BY_US, dead: true }]);
    expect(links(gone({}, null, unanswered("update")))).toMatchObject([{ told: writtenOf(ADA), dead: true }]);
    expect(links(gone({}, ada({ deleted: true })))).toMatchObject([{ told: REMOVED_BY_US }]);
    expect(links(gone({}, null))).toMatchObject([{ told: writtenOf(ADA) }]);
    expect(links(gone({ dead: true }, null, unanswered("delete"))), "gone before we deleted it").toEqual([]);
  });

  test("and known as gone is written no more, unless it was asked for", () => {
    expect(links(gone({ dead: true }, null))).toEqual([]);
    const asked = processedPage().seen;
    expect(links(gone({ dead: true }, null, { seen: { ...asked, isReplay: true } }))).toHaveLength(1);
    const untimed = decided({ gone: [{ record: { id: "A1", values: {}, deleted: true }, link: link() }] });
    expect(links(untimed), "its time is what is known").toMatchObject([{ modifiedAt: momentOf(1) }]);
    expect([history(untimed), told(untimed)], "nothing is known of its record").toEqual([[], []]);
  });

  test("and still held elsewhere only loses its tie", () => {
    const held = gone({}, ada(), {
      resolved: resolvedWith({ records: new Map([["r1", ada()]]), otherPlaces: new Map([["r1", [99]]]) }),
    });
    expect([history(held), held.batch.updates, counts(held)]).toEqual([["unlink r1"], [], [0, 0, 0, 0]]);
    expect(links(held)).toMatchObject([{ dead: true, told: writtenOf(ADA) }]);
  });

  test("is sent nothing more itself, but where it is created anew; a system that is only read never is", () => {
    const sentAfter = (sinks: Plan["sinks"]) =>
      told(
        decided(
          {
            gone: [{ record: { id: "A1", values: {}, deleted: true, modifiedAt: AT }, link: link() }],
            resolved: resolvedWith({
              records: new Map([["r1", ada()]]),
              otherPlaces: new Map([["r1", [99]]]),
            }),
          },
          { plan: { ...plan, sinks } },
        ),
      );
    const own = plan.sinks.map((one) => ({ ...one, recreate: one.place.id === A }));
    expect(sentAfter(own), "created anew, once").toEqual([`${A} r1`]);
    expect(sentAfter(plan.sinks.filter(({ place }) => place.id !== A))).toEqual([]);
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
