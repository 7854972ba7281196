/** Whose value counts, as a table: `merge.golden.md` is what the merge answers for every authority and situation. */
import type { Value } from "@accord/contracts/data/values";
import { AUTHORITIES, type Authority } from "@accord/contracts/sync/matching";
import { expect, test } from "vitest";
import type { RefusalReason } from "../protocol/stored.ts";
import { storedRecord } from "../protocol/fixtures/stored.ts";
import { BY_USER, type ClaimContext, compileAuthority } from "./authority/authority.ts";
import { merge } from "./merge.ts";

const SOURCES = [
  { nodeId: "crm", place: { connectorId: "crm", entity: "contact" } },
  { nodeId: "billing", place: { connectorId: "billing", entity: "customer" } },
] as const;
const [CRM, BILLING] = SOURCES;
const [EARLIER, STANDING, LATER] = ["2026-01-01T08:00:00Z", "2026-01-01T09:00:00Z", "2026-01-01T10:00:00Z"] as const;

interface Situation {
  says: string;
  /** Who set what the core holds. */
  setBy?: string;
  stands?: Value;
  source: (typeof SOURCES)[number];
  value?: Value;
  at?: string;
  context?: Partial<ClaimContext>;
}

const OF_CRM = "crm/contact";
const OF_BILLING = "billing/customer";

const SITUATIONS: readonly Situation[] = [
  { says: "CRM changes its own value", setBy: OF_CRM, source: CRM },
  { says: "CRM changes what Billing set, later", setBy: OF_BILLING, source: CRM },
  { says: "CRM's change is older than what Billing set", setBy: OF_BILLING, source: CRM, at: EARLIER },
  { says: "Billing changes what CRM set, later", setBy: OF_CRM, source: BILLING },
  { says: "Billing's change is older than what CRM set", setBy: OF_CRM, source: BILLING, at: EARLIER },
  { says: "Billing changes what a person set in Accord, later", setBy: BY_USER, source: BILLING },
  { says: "CRM changes what a person set in Accord, later", setBy: BY_USER, source: CRM },
  { says: "CRM clears the field", setBy: OF_CRM, source: CRM, value: null },
  { says: "CRM sends an empty text", setBy: OF_CRM, source: CRM, value: "" },
  { says: "Billing fills a field that is blank", setBy: OF_CRM, stands: null, source: BILLING },
  {
    says: "Billing fills, with an older change, a field that CRM cleared",
    ...{ setBy: OF_CRM, stands: null, source: BILLING, at: EARLIER },
  },
  { says: "A new row of CRM leaves the field blank", source: CRM, value: null, context: { isFirst: true } },
];

const RULES: Readonly<Record<Authority, object>> = {
  NONE: {},
  LATEST: {},
  RANKED: { ranking: ["crm", "billing"] },
  SELECTED: { selectedSource: "crm" },
};

const WORDS: Readonly<Partial<Record<RefusalReason, string>>> = {
  empty_rejected: "kept out: blank",
  older: "kept out: older",
  lower_ranked: "kept out: lower ranked",
  not_selected: "kept out: not selected",
};

function answer(authority: Authority, situation: Situation, more: object = {}): string {
  const { setBy, stands = "before", source, value = "new", at = LATER, context = {} } = situation;
  const rules = { authority, fieldAuthority: {}, ...RULES[authority], ...more };
  const stored = storedRecord({
    values: { phone: stands },
    origin: setBy && authority !== "NONE" ? { phone: { by: setBy, at: STANDING } } : {},
  });
  const plan = { authority: compileAuthority(rules, SOURCES) };
  const given: ClaimContext = { isFirst: false, isRepeat: false, ...context };
  const { values, refused } = merge(plan, source, stored, { phone: value }, at, given);
  const reason = refused?.["phone"]?.[1];
  expect(values["phone"], situation.says).toBe(reason ? stands : value);
  return reason ? (WORDS[reason] ?? reason) : "taken";
}

const tableOf = (titles: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${titles.join(" | ")} |`,
  `|${"---|".repeat(titles.length)}`,
  ...rows.map((cells) => `| ${cells.join(" | ")} |`),
];

test("whose value counts: each authority in each situation", async () => {
  const blanks = SITUATIONS.filter(({ value }) => value === null || value === "");
  const page = [
    "# Whose value counts",
    "",
    "What becomes of a value that CRM or Billing sends for a field of a core record. With `RANKED`, CRM stands before Billing;",
    "with `SELECTED`, CRM is the selected source. Blanks are rejected, as they are unless somebody changes it.",
    "",
    ...tableOf(
      ["Situation", ...AUTHORITIES.map((authority) => `\`${authority}\``)],
      SITUATIONS.map((situation) => [situation.says, ...AUTHORITIES.map((authority) => answer(authority, situation))]),
    ),
    "",
    "Where blanks count (`rejectEmptyValues` off):",
    "",
    ...tableOf(
      ["Situation", ...AUTHORITIES.map((authority) => `\`${authority}\``)],
      blanks.map((situation) => [
        situation.says,
        ...AUTHORITIES.map((authority) => answer(authority, situation, { rejectEmptyValues: false })),
      ]),
    ),
    "",
  ];
  await expect(page.join("\n")).toMatchFileSnapshot("merge.golden.md");
});
