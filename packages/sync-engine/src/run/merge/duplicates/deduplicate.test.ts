/** Records that are the same thing twice: who is compared, who survives, which values remain. */
import { FieldSchema as Field, type FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import { CoreConfiguration } from "@accord/contracts/sync/graph";
import { MergeRules } from "@accord/contracts/sync/matching";
import { expect, test } from "vitest";
import { compileContext } from "../../../functions/context.ts";
import type { DataRequest, DataResult } from "../../../functions/data-requests.ts";
import { newFlowRecord } from "../../../functions/flow.ts";
import { compileAuthority } from "../authority/authority.ts";
import { type DuplicateFindings, findDuplicates } from "./deduplicate.ts";
import { MergeCode } from "./merge-code.ts";
import { mergeDuplicatesInPage } from "./merge-page.ts";
import { compileMerge, type MergePolicy } from "./merge-plan.ts";
import type { FoundDuplicates } from "../../protocol/merge-writes.ts";
import { emptyBatch } from "../../protocol/storage.ts";
import { twoSystems } from "../../protocol/fixtures/stored.ts";
import type { Origin, StoredRecord } from "../../protocol/stored.ts";

const coreFields: ReadonlyMap<string, FieldSchema> = new Map(
  ["name", "email", "phone", "country", "state", "tags"].map((apiName) => [
    apiName,
    Field.parse({ apiName, displayName: apiName, isMultiValueField: apiName === "tags" }),
  ]),
);
const context = {
  ...compileContext(
    { formatVersion: 1, nodes: [], edges: [], groups: [], notes: [] },
    { coreFields, sources: [], timeZone: "UTC", pipelineName: "", instanceName: "" },
  ),
  nodeId: "core",
  slot: 0,
};
const equal = (field: string): object => ({
  type: "condition",
  left: { kind: "field", field },
  operator: "equals",
  right: [{ kind: "field", field }],
});
const SOURCES = [
  { nodeId: "from-crm", place: { connectorId: "crm", entity: "contact" } },
  { nodeId: "from-shop", place: { connectorId: "shop", entity: "contact" } },
];
const places = new Map([
  [1, { id: 1, connectorId: "crm", entity: "contact", readFields: [], writeFields: [], shared: [] }],
  [2, { id: 2, connectorId: "shop", entity: "contact", readFields: [], writeFields: [], shared: [] }],
]);

const record = (recordId: string, values: Values, origin: Origin = {}): StoredRecord => ({
  recordId,
  version: 3,
  deleted: false,
  values: { tags: [], ...values },
  origin,
});

interface Scenario {
  rules?: object;
  policy?: Partial<MergePolicy>;
  core?: object;
  incoming: StoredRecord[];
  stored?: StoredRecord[];
  places?: FoundDuplicates["places"];
  separated?: FoundDuplicates["separated"];
}

function find(scenario: Scenario, code?: MergeCode): DuplicateFindings {
  const rules = MergeRules.parse({ reportOnly: false, match: equal("email"), ...scenario.rules });
  const policy = { retainFields: [], dependentPicklists: [], ...scenario.policy };
  const merge = compileMerge(rules, policy, coreFields, context);
  if (!merge) throw new Error("no rule");
  const authority = compileAuthority(CoreConfiguration.parse(scenario.core ?? {}), SOURCES);
  let ids = 0;
  const { incoming, stored = [], separated = [] } = scenario;
  return findDuplicates(
    { authority, places },
    merge,
    {
      incoming: incoming.map((one) => ({ record: one, flow: newFlowRecord({ values: one.values }) })),
      after: new Map(incoming.map((one) => [one.recordId, one])),
      tied: new Set(),
      placeId: 1,
    },
    { records: stored, places: scenario.places ?? new Map(), separated },
    { now: 0, random: () => 0, newId: () => `m${(ids += 1)}`, ...(code && { code }) },
  );
}

const outcome = ({ merges }: DuplicateFindings): unknown =>
  merges.map(({ winner, losers }) => [winner.recordId, losers.map(({ recordId }) => recordId)]);
const merged = (scenario: Scenario): Values => find(scenario).merges[0]!.values;

test("records of one page and stored ones become one, whoever matched whom", () => {
  const scenario = {
    incoming: [
      record("r2", { email: "A@x.org" }),
      record("r3", { email: "a@x.org" }),
      record("r4", { email: "b@x.org" }),
    ],
    stored: [record("r1", { email: "a@X.org" }), record("r5", { email: "c@x.org" })],
  };
  expect(outcome(find(scenario))).toEqual([["r1", ["r2", "r3"]]]);
});

test("a blank never makes two records one, however many are blank", () => {
  for (const blank of ["", null] as Value[]) {
    const incoming = [record("r1", { email: blank }), record("r2", { email: blank })];
    expect(find({ incoming, stored: [record("r0", { email: blank })] })).toEqual({
      merges: [],
      reports: [],
      notCompared: [],
      unanswered: [],
    });
  }
});

test("report-only changes nothing and names who would have survived", () => {
  const incoming = [record("r1", { email: "a" }), record("r2", { email: "a" })];
  expect(find({ rules: { reportOnly: true }, incoming })).toEqual({
    merges: [],
    reports: [{ mergeId: "m1", winnerId: "r1", loserIds: ["r2"], why: "reportOnly" }],
    notCompared: [],
    unanswered: [],
  });
});

test("more duplicates than allowed are reported and left alone", () => {
  const incoming = ["r1", "r2", "r3", "r4"].map((id) => record(id, { email: "a" }));
  const { merges, reports } = find({ rules: { maxDuplicates: 2 }, incoming });
  expect(merges).toEqual([]);
  expect(reports).toMatchObject([{ why: "tooMany", loserIds: ["r2", "r3", "r4"] }]);
  expect(find({ rules: { maxDuplicates: 3 }, incoming }).merges).toHaveLength(1);
});

test("values are put together in lists alone: a field of one value takes the first, whatever its policy says", () => {
  const fields = ["tags", "phone"].map((field) => ({ field, policy: "concatenate" }));
  const incoming = [
    record("r1", { email: "a", tags: ["x", "y"], phone: "1" }),
    record("r2", { email: "a", tags: ["y", "z"], phone: "2" }),
  ];
  expect(merged({ rules: { fields }, incoming })).toMatchObject({ tags: ["x", "y", "z"], phone: "1" });
});

test("records for which skip-when holds are not compared", () => {
  const skipWhen = {
    type: "condition",
    left: { kind: "field", field: "name" },
    operator: "equals",
    right: [{ kind: "literal", value: "Test" }],
  };
  const stored = [record("r1", { email: "a" })];
  expect(find({ rules: { skipWhen }, incoming: [record("r2", { email: "a", name: "Test" })], stored }).merges).toEqual(
    [],
  );
  expect(
    find({ rules: { skipWhen }, incoming: [record("r2", { email: "a", name: "Real" })], stored }).merges,
  ).toHaveLength(1);
});

test("what a person has parted stays apart", () => {
  const incoming = [record("r1", { email: "a" }), record("r2", { email: "a" })];
  expect(find({ incoming, separated: [["r2", "r1"]] }).merges).toEqual([]);
});

test("the first winner rule that tells them apart decides, at last the oldest", () => {
  const incoming = [
    record("r1", { email: "a" }),
    record("r2", { email: "a", name: "A", phone: "1" }),
    record("r3", { email: "a", name: "B", phone: "2" }),
  ];
  const winner = (rules: object[], where?: FoundDuplicates["places"]): string =>
    find({ rules: { winner: rules }, incoming, places: where ?? new Map() }).merges[0]!.winner.recordId;
  expect(winner([])).toBe("r1");
  expect(winner([{ rule: "newest" }])).toBe("r3");
  expect(winner([{ rule: "mostComplete" }])).toBe("r2");
  expect(winner([{ rule: "mostComplete" }, { rule: "newest" }])).toBe("r3");
  const inShop = new Map([["r3", [2]]]);
  expect(winner([{ rule: "hasExternalId", connectorId: "shop" }], inShop)).toBe("r3");
  expect(winner([{ rule: "hasExternalId", connectorId: "erp" }, { rule: "oldest" }], inShop)).toBe("r1");
});

test("by default a loser fills what the winner leaves blank, and nothing else", () => {
  const incoming = [
    record("r1", { email: "a", name: "Winner" }),
    record("r2", { email: "a", name: "Loser", phone: "2" }),
  ];
  const [merge] = find({ rules: { winner: [{ rule: "oldest" }] }, incoming }).merges;
  expect(merge).toMatchObject({ values: { name: "Winner", phone: "2" }, changes: { phone: [null, "2"] } });
});

test("fields follow their policies: winner's, latest, lists joined; retained fields stay as they are", () => {
  const at = (day: number): { by: string; at: string } => ({ by: "crm/contact", at: `2026-01-0${day}T00:00:00.000Z` });
  const incoming = [
    record("r1", { email: "a", name: "Old", tags: ["x", "y"] }, { name: at(1) }),
    record("r2", { email: "a", name: "New", phone: "2", country: "DE", tags: ["y", "z"] }, { name: at(2) }),
  ];
  const rules = {
    winner: [{ rule: "oldest" }],
    fields: [
      { field: "name", policy: "latest" },
      { field: "phone", policy: "winner" },
      { field: "tags", policy: "concatenate" },
    ],
  };
  const [merge] = find({ rules, policy: { retainFields: ["country"] }, incoming }).merges;
  expect(merge!.values).toMatchObject({ name: "New", tags: ["x", "y", "z"] });
  expect(merge!.values["phone"] ?? null).toBeNull();
  expect(merge!.values["country"] ?? null).toBeNull();
  expect(merge!.origin["name"]).toEqual(at(2));
});

test("dependent picklists come from one record, so that no pair is made that nobody had", () => {
  const policy = { dependentPicklists: [{ controlling: "country", dependent: "state" }] };
  const rules = { winner: [{ rule: "oldest" }] };
  const pair = (winner: Values, loser: Values): unknown => {
    const incoming = [record("r1", { email: "a", ...winner }), record("r2", { email: "a", ...loser })];
    const { country, state } = merged({ rules, policy, incoming });
    return [country ?? null, state ?? null];
  };
  expect(pair({ country: null, state: "Texas" }, { country: "DE", state: "Berlin" })).toEqual(["DE", "Berlin"]);
  expect(pair({ country: "US", state: null }, { country: "DE", state: "Berlin" })).toEqual(["US", null]);
  expect(pair({ country: "DE", state: null }, { country: "DE", state: "Berlin" })).toEqual(["DE", "Berlin"]);
});

test("where sources are ranked, a merge lets no lower-ranked value replace a higher-ranked one", () => {
  const set = (by: string): { by: string; at: string } => ({ by, at: "2026-01-01T00:00:00.000Z" });
  const incoming = [
    record("r1", { email: "a", name: "From the shop" }, { name: set("shop/contact") }),
    record("r2", { email: "a", name: "From the CRM" }, { name: set("crm/contact") }),
  ];
  const core = { authority: "RANKED", ranking: ["from-crm", "from-shop"] };
  const [merge] = find({ rules: { winner: [{ rule: "oldest" }] }, core, incoming }).merges;
  expect(merge).toMatchObject({ values: { name: "From the CRM" }, origin: { name: set("crm/contact") } });
});

test("a page on which nobody is found twice has nothing to merge, and one on which somebody is has", () => {
  const { plan } = twoSystems();
  const rules = MergeRules.parse({ reportOnly: false, match: equal("email") });
  const merge = compileMerge(rules, { retainFields: [], dependentPicklists: [] }, coreFields, context);
  const values = { email: "a@x.org", tags: [] };
  const batch = { ...emptyBatch(1, null), creates: [{ recordId: "r2", values, origin: {} }] };
  const completed = [{ recordId: "r2", flow: newFlowRecord({ values }) }];
  const mergeWith = (...records: StoredRecord[]) =>
    merge &&
    mergeDuplicatesInPage(plan, merge, batch, completed, {
      found: { records, places: new Map(), separated: [] },
      env: { now: 0, random: () => 0, newId: () => "m" },
    }).mergeBatch;
  expect(mergeWith(record("r1", { email: "b@x.org" }))).toBeNull();
  expect(mergeWith(record("r1", { email: "a@x.org" }))?.merges).toHaveLength(1);
});

test("rules by which nobody could ever be found are none", () => {
  const compiled = (rules: object) =>
    compileMerge(MergeRules.parse(rules), { retainFields: [], dependentPicklists: [] }, coreFields, context);
  expect(compiled({})).toBeNull();
  const filled = { ...equal("email"), operator: "isNotBlank", right: [] };
  expect(compiled({ match: filled }), "no field to look records up by").toBeNull();
  expect(compiled({ match: equal("email") })).not.toBeNull();
});

test("an empty condition skips nobody", () => {
  const scenario = { incoming: [record("r2", { email: "a@x.org" })], stored: [record("r1", { email: "a@x.org" })] };
  const nothing = { type: "group", combinator: "and", children: [] };
  expect(outcome(find({ ...scenario, rules: { skipWhen: nothing } }))).toEqual([["r1", ["r2"]]]);
  const isA = { ...equal("email"), right: [{ kind: "literal", value: "a@x.org" }] };
  expect(outcome(find({ ...scenario, rules: { skipWhen: isA } }))).toEqual([]);
});

test("a record that is deleted is nobody's duplicate", () => {
  const gone = { ...record("r1", { email: "a@x.org" }), deleted: true };
  expect(outcome(find({ incoming: [record("r2", { email: "a@x.org" })], stored: [gone] }))).toEqual([]);
});

const BOTH = {
  incoming: [record("r2", { email: "a@x.org", name: "Ada", phone: "2" })],
  stored: [record("r1", { email: "a@x.org", name: "A. L.", phone: "1" })],
};
const BY_CODE = { winnerBy: "code", winnerCode: "choose", valuesBy: "code", valuesCode: "values" };

/** What comes of it, and what code is asked one after the other. */
function byCode(rules: object, answers: readonly DataResult[], scenario: Partial<Scenario> = {}) {
  const asked: DataRequest[] = [];
  let code = new MergeCode();
  for (const answer of [...answers, null]) {
    const found = find({ ...BOTH, ...scenario, rules }, code);
    if (code.questions.length === 0 || answer === null) return { found, asked };
    asked.push(...code.questions);
    code = new MergeCode(code.with([answer]));
  }
  throw new Error("unreachable");
}

test("code chooses who stays and gives values: it is asked for the values once the winner is known", () => {
  const answers: DataResult[] = [
    { ok: true, found: [{ winner: "r2" }] },
    { ok: true, found: [{ name: "Ada Lovelace", phone: "1" }] },
  ];
  const { found, asked } = byCode(BY_CODE, answers);
  const incoming = { tags: [], email: "a@x.org", name: "Ada", phone: "2", accordId: "r2" };
  const other = { tags: [], email: "a@x.org", name: "A. L.", phone: "1", accordId: "r1" };
  expect(asked).toMatchObject([
    { kind: "code", entry: "chooseWinner", script: "choose", args: [incoming, [other]] },
    { kind: "code", entry: "mergeValues", script: "values", args: [incoming, [other], "r2"] },
  ]);
  expect(outcome(found)).toEqual([["r2", ["r1"]]]);
  expect(found.merges[0]).toMatchObject({
    values: { name: "Ada Lovelace", phone: "1", email: "a@x.org" },
    changes: { name: ["Ada", "Ada Lovelace"], phone: ["2", "1"] },
  });
});

test("fields that the merge policy keeps are the winner's, whatever code gives for them", () => {
  const given: DataResult = { ok: true, found: [{ name: "Ada Lovelace", phone: "9" }] };
  const { found } = byCode({ valuesBy: "code", valuesCode: "values" }, [given], {
    policy: { retainFields: ["phone"] },
  });
  expect(found.merges[0]?.values).toMatchObject({ name: "Ada Lovelace", phone: "1" });
});

test.each<[string, object, DataResult, RegExp]>([
  ["fails", BY_CODE, { ok: false, code: "code_failed", message: "Line 1: “no”" }, /Line 1: “no”/],
  ["names nobody of them", BY_CODE, { ok: true, found: [{ winner: "r7" }] }, /the id of none of them/],
  [
    "gives a field that there is not",
    { ...BY_CODE, winnerBy: "conditions" },
    { ok: true, found: [{ nope: 1 }] },
    /no field “nope”/,
  ],
])("where code %s, the records are left as they are, with a warning", (_, rules, answer, message) => {
  const { found } = byCode(rules, [answer]);
  expect([found.merges, found.reports]).toEqual([[], []]);
  expect(found.unanswered).toMatchObject([
    { code: "merge_code_failed", nodeId: "core", record: "r2", message: expect.stringMatching(message) },
  ]);
});
