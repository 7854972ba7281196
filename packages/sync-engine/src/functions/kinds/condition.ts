/** Predicates over records in flight. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { values as words } from "@accord/contracts/messages/en/values";
import { fill } from "@accord/contracts/messages/fill";
import { Predicate } from "@accord/contracts/data/predicate";
import type { FieldSchema } from "@accord/contracts/data/schema";
import {
  checkPredicate,
  type CompiledPredicate,
  compilePredicate,
  foldText,
  isBlank,
  type PredicateProblem,
  type RowAccess,
  textOf,
} from "@accord/expressions";
import type { RunEnv } from "../run-env.ts";
import { CompileError, type InputIssue, type NodeContext } from "../define.ts";
import type { FlowRecord } from "../flow.ts";
import type { DataRequest } from "../data-requests.ts";
import { tokenReader } from "../tokens/tokens.ts";

export const predicateMessage = (problem: PredicateProblem): string =>
  fill(words.predicate[problem.code], problem.facts);

const isEmpty = (predicate: Predicate): boolean =>
  predicate.type === "group" && predicate.children.every((child) => isEmpty(child));

/** Faults of a predicate held by an input; tokens are checked against the graph elsewhere. */
export function conditionIssues(held: unknown, inputName: string, fields: readonly FieldSchema[]): InputIssue[] {
  const parsed = Predicate.safeParse(held);
  if (!parsed.success) return [{ input: inputName, reason: nodeSettings.buildCondition }];
  if (isEmpty(parsed.data)) return [{ input: inputName, reason: nodeSettings.addCondition }];
  const byName = new Map(fields.map((field) => [field.apiName, field]));
  return checkPredicate(parsed.data, {
    field: (name) => byName.get(name),
    hasToken: () => true,
    hasReferenceData: () => true,
    pipeline: true,
    timeZone: "UTC",
  }).map((problem) => ({ input: inputName, reason: predicateMessage(problem) }));
}

/** The moment and chance that token readers need are the page's; set before a page runs. */
export interface PageCondition {
  /** `known` is what reference data holds, by `referenceKey`. */
  at(env: RunEnv, known?: ReadonlySet<string>): (record: FlowRecord) => boolean;
  /** What must be looked up in reference data before the condition can be judged for a record. */
  dataRequests(record: FlowRecord, env: RunEnv): ReferenceQuestion[];
  /** Whether it has any such question. */
  looksUp: boolean;
}

export type ReferenceQuestion = Extract<DataRequest, { kind: "referenceData" }>;

/** Names a text of a column. */
export const referenceKey = (dataset: string, column: string, text: string): string =>
  JSON.stringify([dataset, column, text]);

/** Every left side that is looked for in reference data. */
function referencesOf(
  predicate: Predicate,
  context: NodeContext,
): ((record: FlowRecord, env: RunEnv) => ReferenceQuestion[])[] {
  if (predicate.type === "group") return predicate.children.flatMap((child) => referencesOf(child, context));
  if (predicate.operator !== "inReferenceData" && predicate.operator !== "notInReferenceData") return [];
  const [dataset = "", column = ""] = predicate.right.map((one) => (one.kind === "literal" ? textOf(one.value) : ""));
  const { left } = predicate;
  const token = left.kind === "token" ? tokenReader(left.token, context) : null;
  return [
    (record, env) => {
      const value = left.kind === "field" ? record.values[left.field] : token?.(record, env);
      if (isBlank(value)) return [];
      return [
        { kind: "referenceData", dataset, column, value: foldText(textOf(value)), caseSensitive: false, limit: 1 },
      ];
    },
  ];
}

/** Compiles a predicate over the record's own values and tokens. Throws `CompileError`. */
export function compileCondition(held: unknown, context: NodeContext, inputName: string): PageCondition {
  const predicate = Predicate.parse(held);
  const references = context.referenceData ? [] : referencesOf(predicate, context);
  let env: RunEnv = { now: 0, random: () => 0 };
  let found: ReadonlySet<string> | undefined;
  const access: RowAccess<FlowRecord> = {
    field: (name) => (record) => record.values[name],
    token: (token) => {
      const read = tokenReader(token, context);
      return (record) => read?.(record, env);
    },
    referenceData: (dataset, column) =>
      context.referenceData?.(dataset, column) ?? ((text) => found?.has(referenceKey(dataset, column, text)) === true),
    before: (record) => record.before,
    change: (record) => record.change,
  };
  const scope = {
    field: (name: string) => context.coreFields.get(name),
    hasToken: (token: string) => tokenReader(token, context) !== null,
    hasReferenceData: (dataset: string, column: string) =>
      context.referenceData === undefined || context.referenceData(dataset, column) !== undefined,
    pipeline: true,
    timeZone: context.timeZone,
  };
  const problems = checkPredicate(predicate, scope);
  if (problems.length > 0)
    throw new CompileError(
      context.nodeId,
      problems.map((problem) => ({ input: inputName, reason: predicateMessage(problem) })),
    );
  const compiled: CompiledPredicate<FlowRecord> = compilePredicate(predicate, scope, access);
  return {
    looksUp: references.length > 0,
    dataRequests: (record, pageEnv) => references.flatMap((read) => read(record, pageEnv)),
    at: (pageEnv, known) => {
      env = pageEnv;
      found = known;
      return compiled.at(pageEnv.now);
    },
  };
}

/** Whether any left side of a predicate is blank on a record. */
export function hasBlankLeft(held: unknown, context: NodeContext): (record: FlowRecord, env: RunEnv) => boolean {
  const reads: ((record: FlowRecord, env: RunEnv) => boolean)[] = [];
  const visit = (node: Predicate): void => {
    if (node.type === "group") return node.children.forEach(visit);
    const { left } = node;
    if (left.kind === "field") reads.push((record) => isBlank(record.values[left.field]));
    if (left.kind === "token") {
      const read = tokenReader(left.token, context);
      reads.push((record, env) => isBlank(read?.(record, env)));
    }
  };
  visit(Predicate.parse(held));
  return (record, env) => reads.some((read) => read(record, env));
}
