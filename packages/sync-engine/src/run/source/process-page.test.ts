/** A page's first look: which of its records are news, which are gone, stale or our own, and what its path made of them. */
import type { SourceRecord } from "@accord/connector-sdk";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { describe, expect, test } from "vitest";
import type { ActionCall } from "../../actions/call.ts";
import type { FlowRecord } from "../../functions/flow.ts";
import { asExpectation, replaceFields, seenFingerprint, writtenFingerprint } from "../state/fingerprint.ts";
import {
  finishPage,
  changedFields,
  resolveRequest,
  fingerprintPage,
  startPage,
  type PageExecution,
} from "./process-page.ts";
import { ConversionError, type SourcePlan } from "../plan/plan.ts";
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
import type { Resolved } from "../protocol/storage.ts";
import type { StoredLink } from "../protocol/stored.ts";

const { source } = twoSystems();
const family = twoSystems({}, { scenario: { hasReferences: true } }).source;
const ENV = { now: NOW, random: () => 0.5 };
const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "x" };
const ada = (more: Partial<SourceRecord> = {}): SourceRecord => ({ id: "A1", values: ADA, ...more });
const pageOf = (...records: SourceRecord[]) => ({ records, cursor: "next", drained: true });
const printOf = (values = ADA, at: SourcePlan = source): string =>
  seenFingerprint(at.program, at.place.readFields, values);
const out = (record: SourceRecord, resolved: Partial<Resolved>, { isCurrent = false, env = {} } = {}): PageExecution =>
  startPage(source, fingerprintPage(source, { ...pageOf(record), isCurrent }), resolvedWith(resolved), {
    ...ENV,
    ...env,
  });
const links = (link: Partial<StoredLink> = {}): Partial<Resolved> => ({
  links: new Map([["A1", storedLink(link)]]),
  records: new Map([["r1", storedRecord()]]),
});
const idsOf = ({ inboundRecords }: PageExecution): string[] => inboundRecords.map(({ record }) => record.id);

describe("of several versions of a record in one page", () => {
  const versions = (first?: string, second?: string, isCurrent = false): string => {
    const made = [first, second].map((modifiedAt, index) =>
      ada({ values: { name: `${index}` }, ...(modifiedAt === undefined ? {} : { modifiedAt }) }),
    );
    const { records } = fingerprintPage(source, { ...pageOf(...made), isCurrent });
    expect(records).toHaveLength(1);
    return String(records[0]?.values["name"]);
  };

  test("the one that was changed last counts, the later one where that is not told or the same", () => {
    expect(versions(momentOf(2), momentOf(1))).toBe("0");
    expect(versions(momentOf(1), momentOf(2))).toBe("1");
    expect(versions(momentOf(1), momentOf(1))).toBe("1");
    expect(versions(momentOf(1))).toBe("1");
    expect(versions(undefined, momentOf(1))).toBe("1");
  });

  test("the later one always counts where the source tells how records stand now", () => {
    expect(versions(momentOf(2), momentOf(1), true)).toBe("1");
  });
});

describe("a page as it is seen", () => {
  test("has a fingerprint for each record that lives, by the program that reads it", () => {
    const seen = fingerprintPage(source, pageOf(ada(), { id: "A2", values: {}, deleted: true }));
    expect(seen.seen).toEqual([printOf(), ""]);
    expect(seen.seen[0]?.slice(0, 8)).toBe(source.program.slice(0, 8));
    expect(seen).toMatchObject({ isReplay: false, isCurrent: false, bad: [], warnings: [] });
    expect(fingerprintPage(source, pageOf(ada()), { isReplay: true }).isReplay).toBe(true);
    expect([seen.askedAt, fingerprintPage(source, pageOf(ada()), { askedAt: 7 }).askedAt], "0: nobody knows").toEqual([
      0, 7,
    ]);
  });

  test("says of a record whose characters can't be stored that they were replaced", () => {
    const { warnings, records } = fingerprintPage(source, pageOf(ada({ values: { ...ADA, name: "A\u0000da" } })));
    expect(records[0]?.values["name"]).toBe("A\ufffdda");
    expect(warnings).toEqual([
      {
        nodeId: source.nodeId,
        code: "characters_replaced",
        message: "Characters of name that can't be stored were replaced by “\ufffd”.",
        record: "A1",
      },
    ]);
  });
});

test("storage is asked for the records of a page and for those they name, each once", () => {
  const records = [
    ada({ values: { ...ADA, boss: "7" } }),
    ada({ id: "A2", values: { ...ADA, boss: "7" } }),
    ada({ id: "A3", values: { ...ADA, boss: 8 } }),
    ada({ id: "A4", values: { ...ADA, boss: "" } }),
    ada({ id: "A5", values: { ...ADA, boss: null } }),
    ada({ id: "A6" }),
    ada({ id: "A7", values: { ...ADA, boss: "9" }, deleted: true }),
  ];
  const request = resolveRequest(family, fingerprintPage(family, pageOf(...records)), true);
  expect(request).toMatchObject({ placeId: family.place.id, absorb: true });
  expect(request.records.map(({ externalId, deleted }) => [externalId, deleted])).toEqual([
    ["A1", false],
    ["A2", false],
    ["A3", false],
    ["A4", false],
    ["A5", false],
    ["A6", false],
    ["A7", true],
  ]);
  expect(request.references).toEqual([{ connectorId: "A", entity: "contact", externalIds: ["7", "8"] }]);
  expect(resolveRequest(family, fingerprintPage(family, pageOf(ada())), false)).toMatchObject({
    absorb: false,
    references: [],
  });
  expect(resolveRequest(source, fingerprintPage(source, pageOf(ada())), false).references).toEqual([]);
});

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

  test("a deletion tells of a known record, where the source's deletions count", () => {
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
    expect(inboundRecords, "nothing on its road is done once more").toEqual([]);
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

describe("a record's values on their way", () => {
  const departed = (record: SourceRecord, resolved: Partial<Resolved> = {}, at = family) =>
    startPage(at, fingerprintPage(at, pageOf(record)), resolvedWith(resolved), ENV).inboundRecords[0];

  test("name records of the core where those are known; the others stay open", () => {
    const named = ada({ values: { ...ADA, boss: "7" } });
    const references = new Map([["A/contact", new Map([["7", "r7"]])]]);
    expect(departed(named, { references })).toMatchObject({ mapped: { boss: "r7" }, pending: [], renamed: [] });
    expect(departed(named, { references, renamed: new Set(["7"]) })).toMatchObject({ renamed: ["boss"] });
    expect(departed(named, { renamed: new Set(["8"]) })).toMatchObject({
      mapped: { boss: null },
      pending: [{ field: "boss", externalId: "7", connectorId: "A", entity: "contact" }],
      renamed: [],
    });
    for (const boss of ["", null])
      expect(departed(ada({ values: { ...ADA, boss } }))).toMatchObject({ mapped: { boss: null }, pending: [] });
  });

  test("leave out what can't be read or converted, and say so; what only nodes need is left out in silence", () => {
    const bad = ada({
      badFields: [
        { field: "name", message: "not text", excerpt: "\u0001" },
        { field: "phone", message: "?" },
      ],
    });
    const inbound = departed(bad, {}, source);
    expect(inbound?.refusedFields).toEqual([
      { field: "name", value: "\u0001" },
      { field: "phone", value: "?" },
    ]);
    expect(Object.keys(inbound?.mapped ?? {})).toEqual(["email", "note"]);
    const failing = (isProvisional: boolean): SourcePlan => ({
      ...source,
      mappings: source.mappings.map((mapping) => ({
        ...mapping,
        isProvisional,
        convert: () => new ConversionError("no"),
      })),
    });
    expect(departed(ada(), {}, failing(false))?.refusedFields).toHaveLength(source.mappings.length);
    expect(departed(ada(), {}, failing(true))).toMatchObject({ refusedFields: [], mapped: {} });
    expect(departed(bad, {}, failing(true))?.refusedFields).toEqual([]);
    const named = source.mappings.map((mapping) => ({ ...mapping, coreField: `${mapping.coreField}Here` }));
    expect(departed(bad, {}, { ...source, mappings: named })?.refusedFields).toEqual([
      { field: "nameHere", value: "\u0001", connectorField: "name" },
      { field: "phoneHere", value: "?", connectorField: "phone" },
    ]);
  });

  test("belong to the record that stands for theirs, as a second one of it where theirs was merged away", () => {
    const both = new Map([
      ["r1", storedRecord()],
      ["r9", storedRecord({ recordId: "r9" })],
    ]);
    const resolved = { ...links(), records: both };
    expect(out(ada(), { ...resolved, merged: new Map([["r1", "r9"]]) }).inboundRecords[0]).toMatchObject({
      stored: { recordId: "r9" },
      isAlias: true,
    });
    expect(out(ada(), { ...resolved, merged: new Map() }).inboundRecords[0]).toMatchObject({
      stored: { recordId: "r1" },
      isAlias: false,
    });
  });

  test("go with what the core holds of them, and with what came", () => {
    const { execution } = out(ada(), links());
    const [flow] = execution.state === "completed" ? execution.completed : [];
    expect(flow).toMatchObject({
      change: "update",
      recordId: "r1",
      before: { name: "Ada" },
      source: { externalId: "A1", values: ADA },
      occurrenceKey: printOf(),
      rowIndex: 0,
    });
    const fresh = out(ada(), {}).execution;
    expect(fresh.state === "completed" && fresh.completed[0]).toMatchObject({
      change: "insert",
      recordId: null,
      before: null,
    });
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

  test("tells what records went on without, their own ways' and their page's", () => {
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

describe("what the source changed itself since its record was last seen or written", () => {
  const known = printOf();
  const shown = (values: object) => printOf({ ...ADA, ...values });
  const changed = (
    more: Parameters<typeof inboundRecordOf>[0],
    reapply = false,
    at: SourcePlan = source,
    completed = {},
  ) => {
    const inbound = inboundRecordOf({ mapped: { ...ADA }, seen: known, ...more });
    const isChanged = changedFields(at, inbound, { ...inbound.mapped, ...completed }, reapply);
    return ["email", "name", "phone", "note", "made"].filter(isChanged);
  };
  const ALL = ["email", "name", "phone", "note", "made"];
  const only: SourcePlan = { ...source, isAlsoSink: false };

  test("is what it shows otherwise; everything of what is new or was never seen", () => {
    expect(changed({ link: storedLink({ seen: known }) })).toEqual([]);
    expect(changed({ link: storedLink({ seen: known }), seen: shown({ name: "Eve" }) })).toContain("name");
    expect(changed({ link: storedLink({ seen: known }), seen: shown({ name: "Eve" }) })).not.toContain("phone");
    expect(changed({ link: null })).toEqual(ALL);
    expect(changed({ link: storedLink({ seen: null }) })).toEqual(ALL);
  });

  test("is everything when all is read again, but where we write too; on another path what nodes compute", () => {
    const other = replaceFields(known, source.place.readFields.length, new Map());
    const link = storedLink({ seen: `Xotherpr${other.slice(8)}` });
    expect(changed({ link }, false, only)).toEqual(["made"]);
    expect(changed({ link }, false, source)).toEqual(["made"]);
    expect(changed({ link: storedLink({ seen: known }) }, true, only)).toEqual(ALL);
    expect(changed({ link: storedLink({ seen: known }) }, true, source)).toEqual([]);
  });

  test("is nothing of a second external record of one thing that was never seen", () => {
    expect(changed({ link: storedLink(), isAlias: true })).toEqual([]);
    expect(changed({ link: storedLink({ seen: known }), isAlias: true, seen: shown({ name: "Eve" }) })).toContain(
      "name",
    );
    expect(changed({ link: storedLink({ seen: known }), isAlias: true }, true, only)).toEqual([]);
  });

  test("is not what we may have written there ourselves, nor a spelling of it", () => {
    const written = [writtenFingerprint(source.place.writeFields, { ...ADA, name: "Eve" })];
    const link = storedLink({ seen: known });
    expect(changed({ link, seen: shown({ name: "Eve" }), written })).toEqual([]);
    expect(changed({ link, seen: shown({ name: "Bob" }), written })).toContain("name");
    expect(changed({ link: null, seen: shown({ name: "Eve" }), written }), "new, but ours").toEqual([]);
    const spelling = {
      fields: new Set([source.place.readFields.indexOf("name")]),
      respelled: null,
      doubtful: new Set<number>(),
      refused: {},
      warnings: [],
    };
    expect(changed({ link, seen: shown({ name: "ADA" }), spelling })).toEqual([]);
  });

  test("is not a blank that our creation left; where the record was known before, it was cleared", () => {
    const written = [writtenFingerprint(source.place.writeFields, { name: "Ada" })];
    const blank = { record: { id: "A1", values: {} }, seen: shown({ phone: null }), written };
    expect(changed({ ...blank, link: null })).not.toContain("phone");
    expect(changed({ ...blank, link: storedLink({ seen: null }) })).toContain("phone");
  });

  test("makes a value that nodes computed new when anything was read anew", () => {
    const link = storedLink({ seen: known });
    const seen = shown({ phone: "2" });
    const computed = { name: "computed", made: 1 };
    expect(changed({ link, seen, mapped: { ...ADA, phone: "2" } }, false, source, computed)).toEqual([
      "name",
      "phone",
      "made",
    ]);
    expect(changed({ link }, false, source, computed)).toEqual([]);
  });

  test("is known by its hash", () => {
    expect(known.slice(8, 16)).toBe(hashValue(ADA[source.place.readFields[0] as keyof typeof ADA]));
  });
});
