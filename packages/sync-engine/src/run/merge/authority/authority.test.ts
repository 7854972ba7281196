/** Whose value wins: over time, in any order of sources, and with every refusal explained. */
import type { Value } from "@accord/contracts/data/values";
import { CoreConfiguration } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { type Rng, createRng } from "@accord/sync-simulation/testing";
import { type AuthorityPlan, BY_USER, compileAuthority, placeName } from "./authority.ts";
import { merge } from "../merge.ts";
import type { StoredRecord } from "../../protocol/stored.ts";

const SOURCES = ["crm", "billing", "shop"].map((name) => ({
  nodeId: `from-${name}`,
  place: { connectorId: name, entity: "account" },
}));
const [CRM, BILLING, SHOP] = SOURCES as [(typeof SOURCES)[number], (typeof SOURCES)[number], (typeof SOURCES)[number]];

const authority = (configuration: object): AuthorityPlan =>
  compileAuthority(CoreConfiguration.parse(configuration), SOURCES);

interface Say {
  source: (typeof SOURCES)[number];
  at: string;
  value: Value;
}

const minute = (at: number): string => `2026-01-01T00:${String(at).padStart(2, "0")}:00.000Z`;
const say = (source: Say["source"], at: number, value: Value): Say => ({ source, at: minute(at), value });

/** A record after everybody has said what they have to say, one after the other; and the last answer. */
function after(plan: AuthorityPlan, says: readonly Say[], field = "phone") {
  let stored: StoredRecord | null = null;
  let last: ReturnType<typeof merge> | null = null;
  const known = new Set<string>();
  for (const { source, at, value } of says) {
    last = merge({ authority: plan }, source, stored, { [field]: value }, at, {
      isFirst: !known.has(source.nodeId),
      isRepeat: false,
    });
    known.add(source.nodeId);
    const { values, origin } = last;
    stored = { recordId: "r", version: 1, deleted: false, values, origin };
  }
  return {
    value: last?.values[field] ?? null,
    refused: last?.refused ?? null,
    origin: last?.origin[field],
  };
}

const RANKED = { authority: "RANKED", ranking: SOURCES.map(({ nodeId }) => nodeId) };

test("a lower-ranked source never overwrites a higher-ranked one, in this cycle or a later one", () => {
  const plan = authority(RANKED);
  const result = after(plan, [say(CRM, 1, "crm"), say(BILLING, 2, "billing"), say(SHOP, 30, "shop")]);
  expect(result).toEqual({
    value: "crm",
    refused: { phone: ["shop", "lower_ranked"] },
    origin: { by: "crm/account", at: minute(1) },
  });
  expect(after(plan, [say(SHOP, 30, "shop"), say(CRM, 1, "crm")]).value).toBe("crm");
});

test("an equal value from a more trusted source makes the field that source's", () => {
  const says = [say(SHOP, 1, "same"), say(CRM, 2, "same"), say(BILLING, 3, "billing")];
  expect(after(authority(RANKED), says).value).toBe("same");
});

test.each(["RANKED", "SELECTED", "LATEST"])(
  "under %s a value that is read again makes the field its source's where another one had set it, and is no news of its own",
  (strategy) => {
    const plan = authority({ ...RANKED, authority: strategy, selectedSource: CRM.nodeId });
    const repeatedBy = (by: Say["source"], setBy: Say["source"]) => {
      const origin = { phone: { by: placeName(setBy.place), at: minute(1) } };
      const stored = { recordId: "r", version: 1, deleted: false, values: { phone: "same" }, origin };
      return merge({ authority: plan }, by, stored, { phone: "same" }, minute(9), { isFirst: false, isRepeat: true })
        .origin["phone"];
    };
    expect(repeatedBy(CRM, SHOP)).toEqual({ by: "crm/account", at: minute(9) });
    expect(repeatedBy(CRM, CRM), "it says nothing new").toEqual({ by: "crm/account", at: minute(1) });
    const lessTrusted = { by: "crm/account", at: minute(1) };
    const later = { by: "shop/account", at: minute(9) };
    expect(repeatedBy(SHOP, CRM)).toEqual(strategy === "LATEST" ? later : lessTrusted);
  },
);

test("the latest change wins by the time its source gives, and of equal times the more trusted source's", () => {
  const plan = authority({ authority: "LATEST", ranking: RANKED.ranking });
  expect(after(plan, [say(CRM, 5, "new"), say(SHOP, 3, "old")])).toMatchObject({
    value: "new",
    refused: { phone: ["old", "older"] },
  });
  expect(after(plan, [say(CRM, 5, "crm"), say(SHOP, 5, "shop")]).value).toBe("crm");
  expect(after(plan, [say(SHOP, 5, "shop"), say(CRM, 5, "crm")]).value).toBe("crm");
  // Confirmed later by the second: what lies between the two is older.
  expect(after(plan, [say(CRM, 1, "x"), say(SHOP, 9, "x"), say(BILLING, 5, "y")]).value).toBe("x");
});

test("a field that was cleared last stays empty where time decides; elsewhere the next value fills it", () => {
  const cleared = (configuration: object, at: number) =>
    after(authority({ ...RANKED, rejectEmptyValues: false, ...configuration }), [
      say(CRM, 1, "old"),
      say(CRM, 5, null),
      say(SHOP, at, "shop"),
    ]);
  expect(cleared({ authority: "LATEST" }, 3)).toEqual({
    value: null,
    refused: { phone: ["shop", "older"] },
    origin: { by: "crm/account", at: minute(5) },
  });
  expect(cleared({ authority: "LATEST" }, 5).value, "of equal times the more trusted source's").toBeNull();
  expect(cleared({ authority: "LATEST" }, 6)).toMatchObject({ value: "shop", refused: null });
  expect(cleared({}, 3)).toMatchObject({ value: "shop", refused: null });
});

test("the selected source alone decides; while the field is blank the first value of anybody is taken", () => {
  const plan = authority({ authority: "SELECTED", selectedSource: "from-billing" });
  expect(after(plan, [say(SHOP, 1, ""), say(CRM, 2, "crm")]).value).toBe("crm");
  expect(after(plan, [say(CRM, 2, "crm"), say(SHOP, 3, "shop")]).refused).toEqual({ phone: ["shop", "not_selected"] });
  expect(after(plan, [say(CRM, 2, "crm"), say(BILLING, 1, "billing"), say(CRM, 9, "again")]).value).toBe("billing");
});

test("sources that nobody ranked come last, in the order of the graph", () => {
  const plan = authority({ authority: "RANKED", ranking: ["from-shop"] });
  expect(after(plan, [say(CRM, 1, "crm"), say(BILLING, 2, "billing")])).toMatchObject({
    value: "crm",
    refused: { phone: ["billing", "lower_ranked"] },
  });
  expect(after(plan, [say(BILLING, 1, "billing"), say(CRM, 2, "crm")]).value).toBe("crm");
  expect(after(plan, [say(CRM, 1, "crm"), say(SHOP, 2, "shop")]).value).toBe("shop");
});

test("what a person entered stays against what a source had said before, not against what it says as of then", () => {
  const plan = authority(RANKED);
  const entered = { recordId: "r", version: 1, deleted: false, values: { phone: "hers" } };
  const said = (at: number) =>
    merge(
      { authority: plan },
      CRM,
      { ...entered, origin: { phone: { by: BY_USER, at: minute(5) } } },
      { phone: "crm" },
      minute(9),
      {
        ...{ isFirst: false, isRepeat: false },
        old: { at: minute(at), has: () => true },
      },
    );
  expect(said(4)).toMatchObject({ values: { phone: "hers" }, refused: { phone: ["crm", "older"] } });
  expect(said(5)).toMatchObject({ values: { phone: "crm" }, refused: null });
});

test("a field may be ruled otherwise than its entity", () => {
  const plan = authority({ ...RANKED, fieldAuthority: { note: { authority: "NONE" } } });
  const says = [say(CRM, 1, "crm"), say(SHOP, 2, "shop")];
  expect(after(plan, says, "note").value).toBe("shop");
  expect(after(plan, says, "phone").value).toBe("crm");
});

test("an empty value never overwrites unless rejecting is switched off, for texts apart from other blanks", () => {
  const filled = say(CRM, 1, "crm");
  const cleared = (value: Value, configuration: object): unknown =>
    after(authority(configuration), [filled, say(CRM, 2, value)]).value;
  expect(cleared(null, {})).toBe("crm");
  expect(cleared("", {})).toBe("crm");
  expect(cleared([], {})).toBe("crm");
  expect(cleared(null, { rejectEmptyValues: false })).toBeNull();
  expect(cleared("", { rejectEmptyValues: false, rejectEmptyStrings: true })).toBe("crm");
  expect(cleared(null, { rejectEmptyValues: false, rejectEmptyStrings: true })).toBeNull();
  expect(cleared("", { rejectEmptyValues: true, rejectEmptyStrings: false })).toBe("");
  expect(after(authority({}), [filled, say(CRM, 2, null)]).refused).toEqual({ phone: [null, "empty_rejected"] });
});

test("what a source does not know at first clears nothing, even where blanks may overwrite", () => {
  const plan = authority({ ...RANKED, rejectEmptyValues: false });
  expect(after(plan, [say(SHOP, 1, "shop"), say(CRM, 2, "")]).value).toBe("shop");
  expect(after(plan, [say(CRM, 1, "crm"), say(CRM, 2, "")]).value).toBe("");
});

test("where no authority decides, whoever speaks last wins, with a blank too where blanks may overwrite", () => {
  const says = [say(CRM, 1, "crm"), say(SHOP, 2, null)];
  expect(after(authority({ rejectEmptyValues: false }), says).value).toBeNull();
  expect(after(authority({}), says).value).toBe("crm");
});

test("fields without authority keep no origin, so that records that need none stay small", () => {
  expect(after(authority({}), [say(CRM, 1, "crm"), say(SHOP, 2, "shop")]).origin).toBeUndefined();
});

/** Each source says things in its own order; whose turn it is, is chance. */
function interleaved(rng: Rng, histories: readonly (readonly Say[])[]): Say[] {
  const queues = histories.map((history) => [...history]);
  const says: Say[] = [];
  while (queues.some((queue) => queue.length > 0))
    says.push(rng.pick(queues.filter(({ length }) => length > 0)).shift()!);
  return says;
}

test.each(["RANKED", "LATEST"])("under %s the order of sources does not change the outcome", (strategy) => {
  const plan = authority({ ...RANKED, authority: strategy });
  for (let seed = 1; seed <= 400; seed += 1) {
    const rng = createRng(seed);
    const histories = SOURCES.map((source) => {
      let at = 0;
      return Array.from({ length: rng.between(1, 5) }, () =>
        say(source, (at += rng.between(1, 4)), rng.bool(0.2) ? null : `v${rng.between(0, 6)}`),
      );
    });
    const outcomes = new Set(
      Array.from({ length: 6 }, () => JSON.stringify(after(plan, interleaved(rng, histories)).value)),
    );
    expect({ seed, outcomes: [...outcomes] }).toEqual({ seed, outcomes: [expect.any(String)] });
  }
});

test("what somebody entered here stands against an older value of the most trusted source, which counts for as much", () => {
  const ranked = authority({ authority: "RANKED", ranking: ["from-crm", "from-billing"] });
  const refusedOf = (source: Say["source"], at: number, by: string) => {
    const stored = { recordId: "r", version: 1, deleted: false, values: { phone: "1" } };
    const origin = { phone: { by, at: minute(5) } };
    const old = { at: minute(at), has: () => true };
    const claimContext = { isFirst: false, isRepeat: false, old };
    return merge({ authority: ranked }, source, { ...stored, origin }, { phone: "2" }, minute(9), claimContext).refused;
  };
  expect(refusedOf(CRM, 3, "user")).toEqual({ phone: ["2", "older"] });
  expect(refusedOf(CRM, 7, "user")).toBeNull();
  expect(refusedOf(BILLING, 3, "user")).toEqual({ phone: ["2", "lower_ranked"] });
  expect(refusedOf(CRM, 3, "billing/account")).toBeNull();
});
