/** What storage is asked for a page's rules: keys of new records, of what will be compared, and never a blank. */
import type { Value, Values } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { matchRequest } from "./match-request.ts";
import type { AttachPlan, Plan, SourcePlan } from "../../plan/plan.ts";
import {
  flowOf,
  processedPage,
  NOW,
  storedLink,
  storedRecord,
  inboundRecordOf,
  twoSystems,
} from "../../protocol/fixtures/stored.ts";
import type { InboundRecord } from "../../protocol/inbound-record.ts";

const { plan, source } = twoSystems();
const ENV = { now: NOW, random: () => 0.5 };
const rule = (nodeId: string, ...equalities: AttachPlan["equalities"]): AttachPlan => ({
  nodeId,
  equalities,
  matches: () => true,
});
const matcher = {
  ...source,
  attach: [
    rule("one", { field: "email", keyIndex: 0 }, { field: "phone", keyIndex: 1 }),
    rule("two", { field: "name", keyIndex: 0 }),
  ],
};
const arrival = (keys: Record<string, Value[]>, more: Partial<InboundRecord> = {}, values: Values = {}) => ({
  inbound: inboundRecordOf(more),
  flow: {
    ...flowOf({ values }),
    attach: Object.entries(keys).map(([nodeId, all]) => ({ nodeId, keys: all, now: 0 })),
  },
});
type Arrival = ReturnType<typeof arrival>;
const asked = (completed: Arrival[], at: Plan = plan, from: SourcePlan = matcher) =>
  matchRequest(at, from, processedPage({ completed }), ENV);

test("new records are looked for by the rules that they met, each key once", () => {
  expect(asked([arrival({ one: ["a@x", "1"] }), arrival({ one: ["a@x", "2"], two: ["Ada"] })])).toEqual({
    placeId: source.place.id,
    fields: [
      { field: "email", keys: ["a@x"] },
      { field: "phone", keys: ["1", "2"] },
      { field: "name", keys: ["Ada"] },
    ],
    takers: 2,
    withHolders: true,
  });
});

test("whose rows stand for the same is only of use where they can be asked for, and deletions count", () => {
  const request = (more: Partial<SourcePlan>) => asked([arrival({ one: ["a@x"] })], plan, { ...matcher, ...more });
  expect(request({})).toHaveProperty("withHolders", true);
  expect(request({ canGetById: false })).not.toHaveProperty("withHolders");
  expect(request({ acceptDeletes: false })).not.toHaveProperty("withHolders");
});

test("nothing is asked for known records, for blanks, for rules that are gone, and without rules", () => {
  const keys = { one: ["a@x", "1"] };
  expect(asked([arrival(keys, { stored: storedRecord(), link: storedLink() })])).toBeNull();
  expect(asked([arrival({ one: ["", null] })])).toBeNull();
  expect(asked([arrival({ three: ["a@x"] })])).toBeNull();
  expect(asked([arrival(keys)], plan, source)).toBeNull();
  expect(asked([])).toBeNull();
});

test("duplicates are looked for by what a record brings and by what is stored, unless it is skipped", () => {
  const merge = {
    match: {
      ...rule("core", { field: "email", keyIndex: 0 }),
      keysOf: ({ values }: { values: Values }) => [values["email"] ?? null],
    },
    skips: ({ values }: { values: Values }) => values["name"] === "skipped",
  } as unknown as Plan["merge"];
  const mergeBatch = { ...plan, merge };
  const stored = storedRecord({ values: { email: "old@x" } });
  const known = arrival({}, { stored }, { email: "new@x" });
  expect(asked([known, arrival({}, {}, { email: "b@x" })], mergeBatch)).toEqual({
    placeId: source.place.id,
    fields: [],
    duplicates: [{ field: "email", keys: ["new@x", "old@x", "b@x"] }],
  });
  expect(asked([arrival({ two: ["Ada"] }, {}, { email: "b@x" })], mergeBatch)).toMatchObject({
    fields: [{ field: "name" }],
    duplicates: [{ keys: ["b@x"] }],
  });
  expect(
    asked([arrival({}, {}, { email: "b@x", name: "skipped" }), arrival({}, {}, { email: null })], mergeBatch),
  ).toBeNull();
});
