/** The names that filters and formulas of one dataset may use, and where its problems go. */
import { checkPredicate, fieldsOf } from "@accord/expressions";
import type { Predicate } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import type { DatasetProblem } from "./problems.ts";
import { type Condition, type Expr, isAggregate } from "./query.ts";
import type { ResolvedSource, SourceField } from "./sources.ts";

/** A field by the name it is used under. */
export type Lookup = (name: string) => SourceField | "ambiguous" | undefined;

export class Scope {
  readonly #sources: ReadonlyMap<string, ResolvedSource>;
  readonly variables: ReadonlyMap<string, Value>;
  readonly problems: DatasetProblem[];
  readonly #timeZone: string;

  constructor(
    sources: ReadonlyMap<string, ResolvedSource>,
    variables: ReadonlyMap<string, Value>,
    timeZone: string,
    problems: DatasetProblem[],
  ) {
    this.#sources = sources;
    this.variables = variables;
    this.#timeZone = timeZone;
    this.problems = problems;
  }

  /** `alias.field`, or `field` when only one source has it. */
  readonly field: Lookup = (name) => {
    const dot = name.indexOf(".");
    const qualified = dot > 0 ? this.#sources.get(name.slice(0, dot))?.fields.get(name.slice(dot + 1)) : undefined;
    if (qualified) return qualified;
    const found = [...this.#sources.values()].flatMap((source) => source.fields.get(name) ?? []);
    return found.length > 1 ? "ambiguous" : found[0];
  };

  conditions(path: "filter" | "having", given: Predicate | undefined, lookup: Lookup): Condition[] {
    if (!given || (given.type === "group" && given.children.length === 0)) return [];
    const predicate = listsAsLists(given, this.variables);
    const fields = new Map<string, Expr>();
    for (const name of fieldsOf(predicate)) {
      const field = lookup(name);
      if (field === "ambiguous") this.problems.push({ path, code: "field_ambiguous", facts: { name } });
      else if (!field) this.problems.push({ path, code: "field_unknown", facts: { name } });
      else if (path === "filter" && isAggregate(field.expr))
        this.problems.push({ path, code: "aggregate_in_filter", facts: { name } });
      else fields.set(name, field.expr);
    }
    const code = path === "filter" ? "filter_invalid" : "having_invalid";
    const known = (name: string): SourceField | undefined => {
      const field = lookup(name);
      return field === "ambiguous" ? undefined : field;
    };
    const found = checkPredicate(predicate, {
      field: (name) => {
        const field = known(name);
        return field && { dataType: field.dataType, isMultiValueField: field.multi };
      },
      hasVariable: (apiName) => this.variables.has(apiName),
      timeZone: this.#timeZone,
    });
    for (const problem of found) {
      if (problem.code === "unknown_field") continue;
      const at = [path, ...problem.path.map((step) => `children.${step}`)].join(".");
      if (problem.code === "unknown_variable")
        this.problems.push({ path: at, code: "variable_unknown", facts: { name: problem.facts["variable"] ?? "" } });
      else this.problems.push({ path: at, code, facts: { ...problem.facts, reason: problem.code } });
    }
    // One AND at the top is several conditions: each can then be pushed to where its fields are.
    const parts = predicate.type === "group" && predicate.combinator === "and" ? predicate.children : [predicate];
    return parts.map((part) => ({
      predicate: part,
      fields: new Map([...fields].filter(([name]) => fieldsOf(part).includes(name))),
      variables: this.variables,
    }));
  }
}

/** A multi-value variable on the right of an equals means any of its values. */
function listsAsLists(predicate: Predicate, variables: ReadonlyMap<string, Value>): Predicate {
  if (predicate.type === "group")
    return { ...predicate, children: predicate.children.map((child) => listsAsLists(child, variables)) };
  const [only] = predicate.right;
  if (only?.kind !== "variable" || !Array.isArray(variables.get(only.apiName))) return predicate;
  if (predicate.operator === "equals") return { ...predicate, operator: "inList" };
  return predicate.operator === "notEquals" ? { ...predicate, operator: "notInList" } : predicate;
}
