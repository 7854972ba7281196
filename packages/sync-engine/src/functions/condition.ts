/** Predicates over records in flight. */
import { values as words } from "@accord/contracts/messages/en/values";
import { fill } from "@accord/contracts/messages/fill";
import { Predicate } from "@accord/contracts/data/predicate";
import type { FieldSchema } from "@accord/contracts/data/schema";
import {
  checkPredicate,
  type CompiledPredicate,
  compilePredicate,
  isBlank,
  type PredicateProblem,
  type RowAccess,
} from "@accord/expressions";
import type { RunEnv } from "./context.ts";
import { CompileError, type InputFault, type NodeContext } from "./define.ts";
import type { FlowRecord } from "./flow.ts";
import { tokenReader } from "./tokens.ts";

export const predicateMessage = (problem: PredicateProblem): string =>
  fill(words.predicate[problem.code], problem.facts);

const isEmpty = (predicate: Predicate): boolean =>
  predicate.type === "group" && predicate.children.every((child) => isEmpty(child));

/** Faults of a predicate held by an input; tokens are checked against the graph elsewhere. */
export function conditionFaults(held: unknown, inputName: string, fields: readonly FieldSchema[]): InputFault[] {
  const parsed = Predicate.safeParse(held);
  if (!parsed.success) return [{ input: inputName, reason: "Build a condition." }];
  if (isEmpty(parsed.data)) return [{ input: inputName, reason: "Add at least one condition." }];
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
  at(env: RunEnv): (record: FlowRecord) => boolean;
}

/** Compiles a predicate over the record's own values and tokens. Throws `CompileError`. */
export function compileCondition(held: unknown, context: NodeContext, inputName: string): PageCondition {
  const predicate = Predicate.parse(held);
  let env: RunEnv = { now: 0, random: () => 0 };
  const access: RowAccess<FlowRecord> = {
    field: (name) => (record) => record.values[name],
    token: (token) => {
      const read = tokenReader(token, context);
      return (record) => read?.(record, env);
    },
    referenceData: (dataset, column) => context.referenceData?.(dataset, column) ?? (() => false),
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
    at: (pageEnv) => {
      env = pageEnv;
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
