/** A page's first look: which of its records are news, which are gone, stale or our own, and what its path made of them. */
import type { SourceRecord } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import type { ActionCall } from "../../../actions/call.ts";
import type { FlowRecord } from "../../../functions/flow.ts";
import type { SourcePlan } from "../../plan/plan.ts";
import {
  flowOf,
  processedPage,
  momentOf,
  resolvedWith,
  storedLink,
  storedRecord,
  inboundRecordOf,
} from "../../protocol/fixtures/stored.ts";
import type { Resolved } from "../../protocol/storage.ts";
import { withHeldBefore } from "../../state/fields/missing-fields.ts";
import { asExpectation, seenFingerprint, writtenFingerprint } from "../../state/fingerprint.ts";
import { fingerprintPage } from "./fingerprint-page.ts";
import { ADA, ada, ENV, links, out, pageOf, printOf, source } from "./page.fixtures.ts";
import { finishPage, startPage, type PageExecution } from "./process-page.ts";

const idsOf = ({ inboundRecords }: PageExecution): string[] => inboundRecords.map(({ record }) => record.id);

describe("a record sets out", () => {
  test("unless storage knows it as it is, or it is older than what is known", () => {
    expect(idsOf(out(ada(), {}))).toEqual(["A1"]);
    expect(out(ada(), { absorbed: new Set([0]) })).toMatchObject({ inboundRecords: [], page: { absorbed: 1 } });
    const old = ada({ modifiedAt: momentOf(1) });
    const known = links({ modifiedAt: momentOf(2) });
    expect(out(old, known)).toMatchObject({ inboundRecords: [], page: { absorbed: 1, gone: [] } });
    expect(idsOf(out(old, known, { isCurrent: true })), "it stands so now").toEqual(["A1"]);
    expect(idsOf(out(old, links({ modifiedAt: momentOf(1) })))).toEqual(["A1"]);
  });

  test("unless it is as it was but for a field that its system leaves out: each time it is read, that is said", () => {
    const { phone: _, ...untold } = ADA;
    const unheld = { id: "A1", values: untold };
    const seen = withHeldBefore(
      source.place,
      seenFingerprint(source.program, source.place.readFields, untold),
      storedLink({ seen: printOf() }),
    );
    const { page, inboundRecords } = out(unheld, links({ seen }));
    expect(inboundRecords).toEqual([]);
    expect(page).toMatchObject({ absorbed: 1, warnings: [{ code: "field_missing", field: "phone", record: "A1" }] });
  });

  test("a deletion concerns a known record, where the source's deletions count", () => {
    const gone = ada({ deleted: true, modifiedAt: momentOf(3) });
    expect(out(gone, links({ modifiedAt: momentOf(2) })).page).toMatchObject({
      gone: [{ record: { id: "A1" }, link: { recordId: "r1" } }],
      absorbed: 0,
    });
    expect(out(gone, {}).page).toMatchObject({ gone: [], absorbed: 1 });
    const deaf = { ...source, acceptDeletes: false };
    const pageExecution = startPage(deaf, fingerprintPage(deaf, pageOf(gone)), resolvedWith(links()), ENV);
    expect(pageExecution.page).toMatchObject({ gone: [], absorbed: 1 });
    expect(idsOf(pageExecution)).toEqual([]);
  });

  test("the last shape of a deleted record that shows up late is no news; what was changed since is", () => {
    const dead = { dead: true, seen: printOf() };
    expect(idsOf(out(ada(), links(dead)))).toEqual([]);
    expect(idsOf(out(ada(), links({ dead: true })))).toEqual([]);
    expect(idsOf(out(ada({ values: { ...ADA, name: "Eve" } }), links(dead)))).toEqual(["A1"]);
    const at = (seconds: number) =>
      out(ada({ modifiedAt: momentOf(seconds) }), links({ ...dead, modifiedAt: momentOf(2) }));
    expect([1, 2, 3].map((seconds) => idsOf(at(seconds)).length)).toEqual([0, 0, 1]);
    const again = out(ada({ deleted: true }), links({ ...dead, modifiedAt: momentOf(2) }));
    expect(again.page.gone, "a deletion of what is deleted is looked at").toHaveLength(1);
  });
});

test("a copy that is older than the quarantined one is passed over: what waits is not replaced by what was", () => {
  const quarantined = new Map([["A1", { knownUntil: null, modifiedAt: momentOf(2) }]]);
  const taken = (seconds: number, options: Parameters<typeof out>[2] = {}) =>
    idsOf(out(ada({ modifiedAt: momentOf(seconds) }), { quarantined }, options)).length;
  expect([taken(1), taken(2), taken(3)]).toEqual([0, 1, 1]);
  const { page } = out(ada({ modifiedAt: momentOf(1), deleted: true }), { ...links({}), quarantined });
  expect(page.gone).toEqual([]);
});

test("an unchanged copy of a deleted record that nothing is written to is known from now on, and counts as known", () => {
  const readOnly = { ...source, isAlsoSink: false };
  const known = {
    ...links({ seen: asExpectation(printOf()) }),
    records: new Map([["r1", storedRecord({ deleted: true })]]),
  };
  const { page, inboundRecords } = startPage(
    readOnly,
    fingerprintPage(readOnly, pageOf(ada())),
    resolvedWith(known),
    ENV,
  );
  expect(inboundRecords).toEqual([]);
  expect(page).toMatchObject({ absorbed: 1, confirmed: [{ seen: printOf(), link: { recordId: "r1" } }] });
});

describe("what was written there shows as it was written", () => {
  const expected = { seen: asExpectation(printOf()), modifiedAt: momentOf(1) };

  test("and is known from now on: no news", () => {
    const { page, inboundRecords } = out(ada(), links(expected));
    expect(inboundRecords).toEqual([]);
    expect(page).toMatchObject({ absorbed: 1, confirmed: [{ seen: printOf(), link: { modifiedAt: momentOf(1) } }] });
    const [later] = out(ada({ modifiedAt: momentOf(2) }), links(expected)).page.confirmed;
    expect(later?.link.modifiedAt).toBe(momentOf(2));
  });

  test("but sets out in a resync, when it shows something else, was quarantined, or is no record's that lives", () => {
    const sets = (pageExecution: PageExecution) =>
      pageExecution.page.confirmed.length === 0 && idsOf(pageExecution).length === 1;
    expect(sets(out(ada(), links(expected), { env: { isResync: true } }))).toBe(true);
    expect(sets(out(ada({ values: { ...ADA, name: "Eve" } }), links(expected)))).toBe(true);
    expect(
      sets(out(ada(), { ...links(expected), quarantined: new Map([["A1", { knownUntil: null, modifiedAt: null }]]) })),
    ).toBe(true);
    const deleted = new Map([["r1", storedRecord({ deleted: true })]]);
    expect(sets(out(ada(), { ...links(expected), records: deleted }))).toBe(true);
    const dead = links({ ...expected, dead: true, modifiedAt: null, seen: asExpectation(printOf()) });
    expect(sets(out(ada({ modifiedAt: momentOf(5) }), dead))).toBe(true);
  });

  test("and is no news either where its record was merged away meanwhile, into one that lives", () => {
    const merged = (isWinnerDeleted: boolean): Partial<Resolved> => ({
      ...links(expected),
      records: new Map([
        ["r1", storedRecord({ deleted: true })],
        ["r9", storedRecord({ recordId: "r9", deleted: isWinnerDeleted })],
      ]),
      merged: new Map([["r1", "r9"]]),
    });
    const { page, inboundRecords } = out(ada(), merged(false));
    expect(inboundRecords, "nothing on its path is done once more").toEqual([]);
    expect(page).toMatchObject({ absorbed: 1, confirmed: [{ seen: printOf(), link: { recordId: "r1" } }] });
    expect(idsOf(out(ada(), merged(true)))).toEqual(["A1"]);
  });
});

describe("a new record that is just what we tried to create there", () => {
  const written = writtenFingerprint(source.place.writeFields, ADA);
  const tried = (more: object = {}, ...records: SourceRecord[]) => {
    const unanswered = new Map([["r1", { intent: "create" as const, written: [written], ...more }]]);
    const resolved = resolvedWith({ unanswered, records: new Map([["r1", storedRecord()]]) });
    const page = fingerprintPage(source, pageOf(...(records.length > 0 ? records : [ada()])));
    return startPage(source, page, resolved, ENV).inboundRecords.map(({ stored }) => stored?.recordId ?? null);
  };

  test("is ours", () => {
    expect(tried()).toEqual(["r1"]);
    expect(tried({ written: ["", written] })).toEqual(["r1"]);
  });

  test("but not when something else was tried, its record is tied by now, or another one took it", () => {
    expect(tried({ intent: "update" })).toEqual([null]);
    expect(tried({ intent: "delete" })).toEqual([null]);
    expect(tried({ isTied: true })).toEqual([null]);
    expect(tried({}, ada(), ada({ id: "A2" }))).toEqual(["r1", null]);
    expect(tried({}, ada({ values: { ...ADA, name: "Eve" } }))).toEqual([null]);
  });

  test("by what is known of it alone; nothing known is like nothing", () => {
    expect(tried({ written: [writtenFingerprint(source.place.writeFields, { name: "Ada" })] })).toEqual(["r1"]);
    expect(tried({ written: [writtenFingerprint(source.place.writeFields, {})] })).toEqual([null]);
    expect(tried({ written: [] })).toEqual([null]);
  });

  test("whatever way the system writes it, once it is in the core's normal form", () => {
    const trimming: SourcePlan = {
      ...source,
      mappings: source.mappings.map((mapping) => ({
        ...mapping,
        convert: (value) => (typeof value === "string" ? value.trim() : value),
      })),
    };
    const unanswered = new Map([["r1", { intent: "create" as const, written: [written] }]]);
    const resolved = resolvedWith({ unanswered, records: new Map([["r1", storedRecord()]]) });
    const page = fingerprintPage(trimming, pageOf(ada({ values: { ...ADA, name: " Ada " } })));
    expect(startPage(trimming, page, resolved, ENV).inboundRecords[0]).toMatchObject({
      stored: { recordId: "r1" },
      written: [written],
      link: null,
    });
  });

  test("a record that is known keeps its own tie", () => {
    const resolved = {
      ...links({ recordId: "r2" }),
      unanswered: new Map([["r1", { intent: "create" as const, written: [written] }]]),
    };
    const records = new Map([["r2", storedRecord({ recordId: "r2" })]]);
    const [known] = out(ada({ values: { ...ADA, name: "Eve" } }), { ...resolved, records }).inboundRecords;
    expect(known).toMatchObject({ link: { recordId: "r2" }, stored: { recordId: "r2" }, written: [] });
  });
});

describe("a page at the end of its path", () => {
  const failure = { nodeId: "n", code: "bad", message: "Bad" };
  const actionOf = (externalId: string, key: string) => ({ externalId, key }) as ActionCall;
  function completed(
    flows: readonly FlowRecord[],
    {
      ids = ["A1", "A2"],
      deferredActions = [],
      executedActions = [],
      page = processedPage(),
    }: {
      ids?: string[];
      deferredActions?: ActionCall[];
      executedActions?: ActionCall[];
      page?: ReturnType<typeof processedPage>;
    } = {},
  ) {
    const inboundRecords = ids.map((id) => inboundRecordOf({ record: { id, values: { id } } }));
    return finishPage({
      page,
      inboundRecords,
      execution: { state: "completed", completed: [...flows], deferredActions, executedActions },
    });
  }

  test("has one record for each that set out: of its copies the later one's values win", () => {
    const rule = { nodeId: "attach", keys: [], now: 0 };
    const noted = { nodeId: "n", code: "c", message: "before they parted" };
    const own = { ...noted, message: "on its own" };
    const { completed: records, filtered } = completed([
      { ...flowOf({ rowIndex: 1, values: { name: "a", phone: "1" } }), attach: [rule], warnings: [noted] },
      flowOf({ rowIndex: 0, values: { name: "x" } }),
      { ...flowOf({ rowIndex: 1, values: { name: "b" } }), attach: [rule], warnings: [noted, own] },
    ]);
    expect(records.map(({ inbound, flow }) => [inbound.record.id, flow.values])).toEqual([
      ["A2", { name: "b", phone: "1" }],
      ["A1", { name: "x" }],
    ]);
    expect(records[0]?.flow).toMatchObject({ attach: [rule, rule], warnings: [noted, own] });
    expect(filtered).toBe(0);
  });

  test("counts what was filtered out, and quarantines what failed on any of its ways", () => {
    const page = completed([
      flowOf({ rowIndex: 0 }),
      { ...flowOf({ rowIndex: 1 }), failure },
      flowOf({ rowIndex: 1, values: { name: "fine" } }),
    ]);
    expect(page).toMatchObject({ filtered: 0, completed: [{ inbound: { record: { id: "A1" } } }] });
    expect(page.quarantine).toEqual([
      {
        direction: "source",
        externalId: "A2",
        recordId: null,
        ...failure,
        payload: { id: "A2" },
      },
    ]);
    expect(completed([flowOf({ rowIndex: 1 })]).filtered).toBe(1);
    expect(completed([])).toMatchObject({ filtered: 2, completed: [] });
  });

  test("leaves the actions of a record that failed for when it gets through", () => {
    const both = [actionOf("A1", "k1"), actionOf("A2", "k2")];
    const page = completed([flowOf({ rowIndex: 0 }), { ...flowOf({ rowIndex: 1 }), failure }], {
      deferredActions: both,
      executedActions: both,
    });
    expect(page.deferredActions.map(({ key }) => key)).toEqual(["k1"]);
    expect(page.executedActions.map(({ key }) => key)).toEqual(["k1"]);
  });

  test("says what records went on without, their own ways' and their page's", () => {
    const warning = { nodeId: "n", code: "c", message: "m" };
    const before = { ...warning, code: "before", record: "0" };
    const seen = { ...warning, code: "seen", record: "1" };
    const page = processedPage({ warnings: [before] });
    page.seen = { ...page.seen, warnings: [seen] };
    const { warnings } = completed(
      [
        { ...flowOf({ rowIndex: 0, source: { externalId: "A1", values: {} } }), warnings: [warning] },
        flowOf({ rowIndex: 1 }),
      ],
      { page },
    );
    expect(warnings).toEqual([before, seen, { ...warning, record: "A1" }]);
  });

  describe("settles what was quarantined of a record", () => {
    const settledOf = (
      record: Partial<SourceRecord>,
      {
        known = null,
        isReplay = false,
        isCurrent = false,
        quarantineEntries = ["A1"],
        quarantinedAt = null,
        isFailed = false,
      }: {
        known?: string | null;
        isReplay?: boolean;
        isCurrent?: boolean;
        quarantineEntries?: string[];
        quarantinedAt?: string | null;
        isFailed?: boolean;
      } = {},
    ) => {
      const page = processedPage({
        resolved: resolvedWith({
          ...links({ modifiedAt: known }),
          quarantined: new Map(quarantineEntries.map((id) => [id, { knownUntil: null, modifiedAt: quarantinedAt }])),
        }),
      });
      page.seen = { ...page.seen, records: [ada(record)], isReplay, isCurrent };
      const flow = flowOf({ rowIndex: 0 });
      return completed([isFailed ? { ...flow, failure } : flow], { ids: ["A1"], page }).settled;
    };

    test("that got through; not of another one, nor of one that fails again", () => {
      expect(settledOf({})).toEqual(["A1"]);
      expect(settledOf({}, { quarantineEntries: ["A2"] })).toEqual([]);
      expect(settledOf({}, { isFailed: true })).toEqual([]);
    });

    test("by news, or by a replay of what is known; old news settles nothing", () => {
      const at = (seconds: number, isReplay = false, isCurrent = false) =>
        settledOf({ modifiedAt: momentOf(seconds) }, { known: momentOf(2), isReplay, isCurrent }).length;
      expect([at(1), at(2), at(3)]).toEqual([0, 0, 1]);
      expect([at(1, true), at(2, true), at(3, true)]).toEqual([0, 1, 1]);
      expect(at(1, false, true), "it stands so now").toBe(1);
      expect(settledOf({ modifiedAt: momentOf(1) })).toEqual(["A1"]);
    });

    test("by a copy that is no older than the quarantined one, or by one that stands so now", () => {
      const at = (seconds: number, isCurrent = false) =>
        settledOf({ modifiedAt: momentOf(seconds) }, { quarantinedAt: momentOf(2), isCurrent }).length;
      expect([at(1), at(2), at(3)]).toEqual([0, 1, 1]);
      expect(at(1, true)).toBe(1);
      expect(settledOf({}, { quarantinedAt: momentOf(2) }), "nobody says when it was changed").toEqual(["A1"]);
    });
  });
});

test("what can't be read at all is quarantined under its id or its place, with what can be said of it", () => {
  const quarantineEntries = (bad: { place: string; id?: string; excerpt?: string }) => {
    const page = fingerprintPage(source, { ...pageOf(), bad: [{ message: "broken", ...bad }] });
    return startPage(source, page, resolvedWith(), ENV).page.quarantine[0];
  };
  expect(quarantineEntries({ place: "line 14" })).toEqual({
    direction: "source",
    externalId: "line 14",
    recordId: null,
    nodeId: source.nodeId,
    code: "unreadable",
    message: "broken",
    payload: null,
  });
  expect(quarantineEntries({ place: "id 55", id: "55", excerpt: "{" })).toMatchObject({
    externalId: "55",
    message: "broken",
    payload: { excerpt: "{" },
  });
  expect(quarantineEntries({ place: "line 14", id: "55" })).toMatchObject({
    externalId: "55",
    message: "line 14: broken",
  });
});
