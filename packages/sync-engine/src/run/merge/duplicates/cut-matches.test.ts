/** Rules whose values very many records share: what is still judged, what is left to people, and what they read about it. */
import { FieldSchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import { MergeRules } from "@accord/contracts/sync/matching";
import { describe, expect, test } from "vitest";
import { compileContext } from "../../../functions/context.ts";
import { newFlowRecord } from "../../../functions/flow.ts";
import { compileMatch } from "../../../functions/record/attach-record.ts";
import type { Found } from "../../source/decision.ts";
import { emptyBatch } from "../../protocol/storage.ts";
import {
  flowOf,
  inboundRecordOf,
  processedPage,
  storedLink,
  storedRecord,
  twoSystems,
} from "../../protocol/fixtures/stored.ts";
import { CutLookups } from "./lookups.ts";
import { mergeDuplicatesInPage } from "./merge-page.ts";
import { compileMerge } from "./merge-plan.ts";
import { matchRequest } from "./match-request.ts";
import { matchPage, withoutUndecided } from "./page-matching.ts";

const { plan, source } = twoSystems();
const ENV = { now: 0, random: () => 0.5 };
const coreFields = new Map(
  Object.entries({ email: "string", name: "string", phone: "string", note: "password", age: "integer" }).map(
    ([apiName, dataType]) => [apiName, FieldSchema.parse({ apiName, displayName: apiName, dataType })],
  ),
);
const context = {
  ...compileContext(
    { formatVersion: 1, nodes: [], edges: [], groups: [], notes: [] },
    { coreFields, sources: [], timeZone: "UTC", pipelineName: "", instanceName: "" },
  ),
  nodeId: "rule",
  slot: 0,
};
const compare = (field: string, operator = "equals"): object => ({
  type: "condition",
  left: { kind: "field", field },
  operator,
  right: [{ kind: "field", field }],
});
const group = (combinator: "and" | "or", ...children: object[]): object => ({ type: "group", combinator, children });
const parsed = (match: object) => MergeRules.parse({ match }).match!;
const ruleOf = (match: object, nodeId = "rule") => compileMatch(parsed(match), { ...context, nodeId });
const byEmail = ruleOf(compare("email"));
const byEmailAndStartOfName = ruleOf(group("and", compare("email"), compare("name", "startsWith")));

type Rule = typeof byEmail;
const arrival = (id: string, values: Values, ...rules: Rule[]) => ({
  inbound: inboundRecordOf({ record: { id, values } }),
  flow: {
    ...flowOf({ values }),
    attach: rules.map((rule) => ({ nodeId: rule.nodeId, keys: rule.keysOf(flowOf({ values }), ENV), now: 0 })),
  },
});
const stored = (recordId: string, values: Values) => storedRecord({ recordId, values });
/** What came of one new record that shares `n/a` with more than were found; those of other keys all were. */
function outcome(
  rules: Rule[],
  candidates: [id: string, values: Values][],
  cut: [field: string, lastId: string | null][],
  values: Values = { email: "n/a", name: "Ada", phone: "1" },
) {
  const matcher = { ...source, attach: rules };
  const page = processedPage({ completed: [arrival("A1", values, ...rules)] });
  const request = matchRequest(plan, matcher, page, ENV);
  const keys = request?.fields ?? [];
  const found: Found = {
    candidates: candidates.map(([id, held]) => stored(id, held)),
    cut: new CutLookups(
      keys,
      cut.map(([field, lastId]) => ({ entry: keys.findIndex((one) => one.field === field), key: 0, lastId })),
    ),
  };
  const rest = withoutUndecided(matcher, page, found);
  const { records, warnings } = matchPage(matcher, null, rest, found);
  return {
    attached: [...records.values()].map(({ recordId }) => recordId),
    warnings: warnings.map(({ code }) => code),
    quarantined: rest.quarantine.map(({ code, nodeId }) => [code, nodeId]),
  };
}

describe("a new record whose value more records share than are loaded", () => {
  const shared = { email: "N/A" };

  test("is attached to the oldest that its rule holds for, as ever", () => {
    expect(
      outcome(
        [byEmail],
        [
          ["r1", shared],
          ["r2", shared],
        ],
        [["email", "r2"]],
      ),
    ).toEqual({
      attached: ["r1"],
      warnings: ["several_matches"],
      quarantined: [],
    });
  });

  test("is attached where one of those that are loaded matches, and says that younger ones were not judged", () => {
    const candidates: [string, Values][] = [
      ["r1", { ...shared, name: "Ada Lovelace" }],
      ["r2", { ...shared, name: "Bob" }],
    ];
    expect(outcome([byEmailAndStartOfName], candidates, [["email", "r2"]])).toEqual({
      attached: ["r1"],
      warnings: ["matches_not_compared"],
      quarantined: [],
    });
    expect(outcome([byEmailAndStartOfName], candidates, [])).toMatchObject({ attached: ["r1"], warnings: [] });
  });

  test("is quarantined where none of them matches: one that is not loaded may, and it would be there twice", () => {
    const candidates: [string, Values][] = [["r1", { ...shared, name: "Bob" }]];
    const undecided = { attached: [], warnings: [], quarantined: [["too_many_candidates", "rule"]] };
    expect(outcome([byEmailAndStartOfName], candidates, [["email", "r1"]])).toEqual(undecided);
    expect(outcome([byEmailAndStartOfName], [], [["email", null]]), "nothing of it fits a page").toEqual(undecided);
    expect(outcome([byEmailAndStartOfName], candidates, [])).toMatchObject({ attached: [], quarantined: [] });
  });

  test("is quarantined where an older match may be among those that are not loaded", () => {
    const either = ruleOf(group("or", compare("email"), compare("phone")));
    const byPhone: [string, Values][] = [
      ["r1", { email: "n/a", name: "Bob" }],
      ["r5", { phone: "1" }],
    ];
    expect(outcome([either], byPhone.slice(1), [["email", "r3"]])).toMatchObject({
      attached: [],
      quarantined: [["too_many_candidates", "rule"]],
    });
    expect(outcome([either], byPhone, [["email", "r3"]])).toMatchObject({ attached: ["r1"], quarantined: [] });
  });

  test("waits for its first rule: a later one does not take its turn", () => {
    const later = ruleOf(compare("phone"), "later");
    const candidates: [string, Values][] = [["r1", { phone: "1" }]];
    expect(outcome([byEmailAndStartOfName, later], candidates, [["email", null]])).toMatchObject({
      attached: [],
      quarantined: [["too_many_candidates", "rule"]],
    });
    expect(outcome([byEmailAndStartOfName, later], candidates, [])).toMatchObject({ attached: ["r1"] });
  });
});

test("what is quarantined takes its actions and its earlier entry along, and leaves the rest of its page alone", () => {
  const matcher = { ...source, attach: [byEmailAndStartOfName] };
  const action = (externalId: string) => ({ externalId, key: `key ${externalId}` });
  const page = processedPage({
    completed: [
      arrival("A1", { email: "n/a", name: "Ada" }, byEmailAndStartOfName),
      arrival("A2", { email: "own@x", name: "Eve" }, byEmailAndStartOfName),
    ],
    settled: ["A1", "A2"],
    deferredActions: [action("A1"), action("A2")] as never,
    executedActions: [action("A1"), action("A2")],
  });
  const fields = [{ field: "email", keys: ["n/a", "own@x"] }];
  const cut = new CutLookups(fields, [{ entry: 0, key: 0, lastId: null }]);
  const rest = withoutUndecided(matcher, page, { candidates: [], cut });
  expect(rest.completed.map(({ inbound }) => inbound.record.id)).toEqual(["A2"]);
  expect(rest.quarantine).toMatchObject([
    { externalId: "A1", message: expect.stringContaining("More than 500 records") },
  ]);
  expect(rest.settled).toEqual(["A2"]);
  expect([rest.deferredActions, rest.executedActions]).toEqual([[action("A2")], [action("A2")]]);
  expect(withoutUndecided(matcher, page, { candidates: [], cut: new CutLookups(fields, []) })).toBe(page);
});

describe("by a rule of several equalities", () => {
  const fieldsOf = (match: object, ...all: Values[]) => {
    const rule = ruleOf(match);
    const completed = all.map((values, index) => arrival(`A${index}`, values, rule));
    return matchRequest(plan, { ...source, attach: [rule] }, processedPage({ completed }), ENV)?.fields;
  };

  test("only records are loaded that hold all of its texts", () => {
    const both = group("and", compare("email"), compare("name"));
    expect(
      fieldsOf(both, { email: "n/a", name: "Ada" }, { email: "n/a", name: "Bob" }, { email: "n/a", name: "Ada" }),
    ).toEqual([{ field: "email", keys: ["n/a", "n/a"], also: [{ field: "name", keys: ["Ada", "Bob"] }] }]);
    expect(fieldsOf(both, { email: "n/a", name: "" }), "a blank matches nobody").toBeUndefined();
    const nested = group("and", group("or", compare("email"), compare("phone")), both);
    expect(fieldsOf(nested, { email: "n/a", name: "Ada", phone: "1" })).toEqual([
      {
        field: "email",
        keys: ["n/a"],
        also: [
          { field: "email", keys: ["n/a"] },
          { field: "name", keys: ["Ada"] },
        ],
      },
      {
        field: "phone",
        keys: ["1"],
        also: [
          { field: "email", keys: ["n/a"] },
          { field: "name", keys: ["Ada"] },
        ],
      },
    ]);
  });

  test("what storage compares otherwise than conditions do narrows nothing: numbers, secrets, texts that it can't hold", () => {
    const values = { email: "n/a", name: "a\0", age: 7, note: "s" };
    for (const field of ["age", "note", "name"])
      expect(fieldsOf(group("and", compare("email"), compare(field)), values)).toEqual([
        { field: "email", keys: ["n/a"] },
      ]);
  });

  test("one that shares both with few is judged, though very many share the first", () => {
    const both = ruleOf(group("and", compare("email"), compare("name")));
    const keys = [{ field: "email", keys: ["n/a"], also: [{ field: "name", keys: ["Ada"] }] }];
    const endOf = (asked: typeof keys, ...values: string[]) =>
      new CutLookups(asked, [{ entry: 0, key: 0, lastId: "r1" }]).endOf(both, values);
    expect(endOf(keys, "N/A", "ADA")).toEqual({ lastId: "r1" });
    expect(endOf(keys, "n/a", "Bob")).toBeNull();
  });
});

describe("duplicates of a value that more records share than are loaded", () => {
  const rules = MergeRules.parse({
    reportOnly: false,
    match: group("and", compare("email"), compare("name", "startsWith")),
  });
  const merge = compileMerge(rules, { retainFields: [], dependentPicklists: [] }, coreFields, context)!;
  const values = { email: "n/a", name: "Ada" };
  const found = (...names: string[]) => ({
    records: names.map((name, index) => stored(`r${index}`, { email: "n/a", name })),
    places: new Map(),
    separated: [],
  });
  const mergeWith = (isCut: boolean, ...names: string[]) =>
    mergeDuplicatesInPage(
      plan,
      merge,
      { ...emptyBatch(1, null), creates: [{ recordId: "r9", values, origin: {} }] },
      [{ recordId: "r9", flow: newFlowRecord({ values }) }],
      {
        found: found(...names),
        cut: new CutLookups([{ field: "email", keys: ["n/a"] }], isCut ? [{ entry: 0, key: 0, lastId: "r0" }] : []),
        env: { ...ENV, newId: () => "m" },
      },
    );

  test("are listed and not merged, since nobody knows how many there are", () => {
    const { mergeBatch, warnings } = mergeWith(true, "Ada Lovelace");
    expect(mergeBatch).toMatchObject({ merges: [], reports: [{ winnerId: "r0", loserIds: ["r9"], why: "tooMany" }] });
    expect(warnings.map(({ code, record }) => [code, record])).toEqual([
      ["too_many_duplicates", "r0"],
      ["duplicates_not_compared", "r9"],
    ]);
    expect(mergeWith(false, "Ada Lovelace")).toMatchObject({ mergeBatch: { merges: [{}], reports: [] }, warnings: [] });
  });

  test("are said not to have been compared where none of those that are loaded is one", () => {
    const { mergeBatch, warnings } = mergeWith(true, "Bob");
    expect(mergeBatch).toBeNull();
    expect(warnings).toMatchObject([{ nodeId: "rule", code: "duplicates_not_compared", record: "r9" }]);
    expect(warnings[0]?.message).toContain("More than 500 records");
    expect(mergeWith(false, "Bob")).toEqual({ mergeBatch: null, warnings: [] });
  });

  test("are looked for by all that may become of a known record: each value may be kept or replaced", () => {
    const both = MergeRules.parse({ match: group("and", compare("email"), compare("name")) });
    const narrowed = compileMerge(both, { retainFields: [], dependentPicklists: [] }, coreFields, context)!;
    const known = {
      inbound: inboundRecordOf({ stored: stored("r1", { email: "old", name: "Bob" }), link: storedLink() }),
      flow: flowOf({ values: { email: "new", name: "Ada" } }),
    };
    const request = matchRequest(
      { ...plan, merge: narrowed },
      { ...source, attach: [] },
      processedPage({ completed: [known] }),
      ENV,
    );
    expect(request?.duplicates).toEqual([
      {
        field: "email",
        keys: ["new", "old", "new", "old"],
        also: [{ field: "name", keys: ["Ada", "Ada", "Bob", "Bob"] }],
      },
    ]);
  });
});
