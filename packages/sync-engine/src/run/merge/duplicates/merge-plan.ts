/** The merge rules of a core node, compiled: what is compared, who survives, and which value a merged record gets. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { FieldPolicy, MergeRules, WinnerRule } from "@accord/contracts/sync/matching";
import { compileCondition } from "../../../functions/kinds/condition.ts";
import type { RunEnv } from "../../../functions/run-env.ts";
import type { NodeContext } from "../../../functions/define.ts";
import type { FlowRecord } from "../../../functions/flow.ts";
import { compileMatch, type CompiledMatch } from "../../../functions/record/attach-record.ts";

/** The merge policy of a pipeline's row. */
export interface MergePolicy {
  /** Fields whose value is the winner's, even where it is blank. */
  retainFields: readonly string[];
  /** Fields whose values belong together and come from one record. */
  dependentPicklists: readonly { controlling: string; dependent: string }[];
}

export interface MergePlan {
  match: CompiledMatch;
  reportOnly: boolean;
  maxDuplicates: number;
  /** Whether incoming records are not compared. */
  skips: ((record: FlowRecord, env: RunEnv) => boolean) | null;
  winner: readonly WinnerRule[];
  /** Code that decides in place of the rules; null: they decide. */
  winnerCode: string | null;
  valuesCode: string | null;
  shapes: ReadonlyMap<string, FieldSchema>;
  timeZone: string;
  fields: readonly string[];
  /** What a field without an entry does is `authority` where a source may own it, else `fillBlank`. */
  policies: ReadonlyMap<string, FieldPolicy>;
  listFields: ReadonlySet<string>;
  retained: ReadonlySet<string>;
  /** Controlling field by dependent one. */
  controllers: ReadonlyMap<string, string>;
}

/** Null when nothing could ever be found: no rule, or none that names a field to look records up by. */
export function compileMerge(
  rules: MergeRules,
  policy: MergePolicy,
  coreFields: ReadonlyMap<string, FieldSchema>,
  context: NodeContext,
): MergePlan | null {
  if (!rules.match) return null;
  const match = compileMatch(rules.match, context);
  if (match.equalities.length === 0) return null;
  const skip =
    rules.skipWhen && !isEmptyGroup(rules.skipWhen) ? compileCondition(rules.skipWhen, context, "skipWhen") : null;
  return {
    match,
    reportOnly: rules.reportOnly,
    maxDuplicates: rules.maxDuplicates,
    skips: skip && ((record, env) => skip.at(env)(record)),
    winner: rules.winner,
    winnerCode: rules.winnerBy === "code" ? (rules.winnerCode ?? "") : null,
    valuesCode: rules.valuesBy === "code" ? (rules.valuesCode ?? "") : null,
    shapes: coreFields,
    timeZone: context.timeZone,
    fields: [...coreFields.keys()],
    policies: new Map(rules.fields.map(({ field, policy: how }) => [field, how])),
    listFields: new Set(
      [...coreFields.values()].filter((field) => field.isMultiValueField).map((field) => field.apiName),
    ),
    retained: retainedFields(policy),
    controllers: new Map(policy.dependentPicklists.map(({ controlling, dependent }) => [dependent, controlling])),
  };
}

/** Whoever keeps a dependent value keeps the one it depends on. */
function retainedFields({ retainFields, dependentPicklists }: MergePolicy): Set<string> {
  const retained = new Set(retainFields);
  for (let links = dependentPicklists.length; links > 0; links -= 1) {
    for (const { controlling, dependent } of dependentPicklists) if (retained.has(dependent)) retained.add(controlling);
  }
  return retained;
}

const isEmptyGroup = (predicate: NonNullable<MergeRules["skipWhen"]>): boolean =>
  predicate.type === "group" && predicate.children.length === 0;
