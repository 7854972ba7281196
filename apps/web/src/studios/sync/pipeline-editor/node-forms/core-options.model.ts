/** Duplicates, as the core node's form shows them: flat values over the rules that the engine compiles. */
import { Predicate } from "@accord/contracts/data/predicate";
import { CoreConfiguration, type NodeConfiguration } from "@accord/contracts/sync/graph";
import { FIELD_POLICIES, MergeRules, type WinnerRule } from "@accord/contracts/sync/matching";

export type DuplicatesForm = Record<string, unknown>;

/** Stands before the id of a connector in the choice of a winner. */
const KNOWN_IN = "hasExternalId:";
export const knownIn = (connectorId: string): string => `${KNOWN_IN}${connectorId}`;

export function duplicatesForm(configuration: NodeConfiguration): DuplicatesForm {
  const { deduplicate, merge } = CoreConfiguration.safeParse(configuration).data ?? CoreConfiguration.parse({});
  return {
    deduplicate,
    match: merge.match ?? null,
    reportOnly: merge.reportOnly,
    maxDuplicates: merge.maxDuplicates,
    skipWhen: merge.skipWhen ?? null,
    winner: merge.winner.map((rule) => ({
      rule: rule.rule === "hasExternalId" ? knownIn(rule.connectorId) : rule.rule,
    })),
    fields: merge.fields,
    winnerBy: merge.winnerBy ?? "conditions",
    winnerCode: merge.winnerCode ?? "",
    valuesBy: merge.valuesBy ?? "conditions",
    valuesCode: merge.valuesCode ?? "",
  };
}

/** The configuration with what the form says; rows that are not finished yet are left out. */
export function withDuplicatesForm(configuration: NodeConfiguration, form: DuplicatesForm): NodeConfiguration {
  const rules = MergeRules.safeParse({
    reportOnly: form["reportOnly"] === true,
    maxDuplicates: form["maxDuplicates"],
    match: predicateOf(form["match"]),
    skipWhen: predicateOf(form["skipWhen"]),
    winner: rowsOf(form["winner"]).flatMap(({ rule }) => winnerRule(rule)),
    fields: rowsOf(form["fields"]).flatMap(({ field, policy }) => {
      const known = FIELD_POLICIES.find((one) => one === policy);
      return typeof field === "string" && field !== "" && known ? [{ field, policy: known }] : [];
    }),
    ...codeIn(form, "winner"),
    ...codeIn(form, "values"),
  });
  const merge = rules.success ? rules.data : configuration["merge"];
  return { ...configuration, deduplicate: form["deduplicate"] === true, merge };
}

/** What can't be saved, by input. */
export function duplicatesProblems(
  form: DuplicatesForm,
  words: { range: string; match: string },
): Record<string, string> {
  if (form["deduplicate"] !== true) return {};
  const most = form["maxDuplicates"];
  const isNumber = typeof most === "number" && Number.isInteger(most) && most >= 1 && most <= 100;
  return {
    ...(isNumber ? {} : { maxDuplicates: words.range }),
    ...(predicateOf(form["match"]) ? {} : { match: words.match }),
  };
}

/** What is written stays, whichever of the two decides. */
function codeIn(form: DuplicatesForm, of: "winner" | "values"): Partial<MergeRules> {
  const code = form[`${of}Code`];
  return {
    ...(form[`${of}By`] === "code" ? { [`${of}By`]: "code" } : {}),
    ...(typeof code === "string" && code !== "" ? { [`${of}Code`]: code } : {}),
  };
}

const predicateOf = (value: unknown): Predicate | null => Predicate.safeParse(value).data ?? null;

const rowsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((row) => typeof row === "object" && row !== null) : [];

function winnerRule(rule: unknown): WinnerRule[] {
  switch (rule) {
    case "mostComplete":
    case "oldest":
    case "newest":
      return [{ rule }];
    default:
      return typeof rule === "string" && rule.startsWith(KNOWN_IN)
        ? [{ rule: "hasExternalId", connectorId: rule.slice(KNOWN_IN.length) }]
        : [];
  }
}
