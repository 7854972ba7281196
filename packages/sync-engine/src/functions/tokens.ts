/** What each token means on a record in flight. */
import type { Value } from "@accord/contracts/data/values";
import type { CompileContext, RunEnv } from "./context.ts";
import type { FlowRecord } from "./flow.ts";

/** Reads a token's value for one record. */
export type TokenReader = (record: FlowRecord, env: RunEnv) => Value | undefined;

const PREVIOUS_VALUES = "previous.values.";
const VALUE_FROM = "Value From ";
const SOURCE = "source.";

const own = (values: { [name: string]: Value } | undefined, name: string): Value | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

const FIXED: Readonly<Record<string, (context: CompileContext) => TokenReader>> = {
  previousValue: () => (record) => record.results[record.previous],
  previous: () => (record) => record.results[record.previous],
  "record.id": () => (record) => record.recordId,
  "record.isDeleted": () => (record) => record.change === "delete",
  "record.change": () => (record) => record.change,
  "record.externalId": () => (record) => record.source?.externalId,
  "system.now": () => (_record, env) => new Date(env.now).toISOString(),
  "system.instance.name": (context) => () => context.instanceName,
  "pipeline.name": (context) => () => context.pipelineName,
};
export const FIXED_TOKENS: readonly string[] = Object.keys(FIXED);

/** null when the token names nothing this pipeline has. */
export function tokenReader(token: string, context: CompileContext): TokenReader | null {
  const fixed = Object.hasOwn(FIXED, token) ? FIXED[token] : undefined;
  if (fixed) return fixed(context);
  if (token.startsWith(PREVIOUS_VALUES)) {
    const field = token.slice(PREVIOUS_VALUES.length);
    return context.coreFields.has(field) ? (record) => own(record.values, field) : null;
  }
  if (token.startsWith(VALUE_FROM)) {
    const slot = context.slots.get(context.labels.get(token.slice(VALUE_FROM.length)) ?? "");
    return slot === undefined ? null : (record) => record.results[slot];
  }
  const sourceField = sourceFieldOf(token, context);
  if (sourceField !== null) return (record) => own(record.source?.values, sourceField);
  return context.variables.has(token) ? (record) => own(record.variables, token) : null;
}

/** The connector field a token names (`source.field` or `connector.entity.field`), or null. */
export function sourceFieldOf(token: string, context: Pick<CompileContext, "sources">): string | null {
  for (const source of context.sources) {
    const prefix = token.startsWith(SOURCE) ? SOURCE : `${source.connector}.${source.entity}.`;
    if (!token.startsWith(prefix)) continue;
    const field = token.slice(prefix.length);
    if (source.fields.has(field)) return field;
  }
  return null;
}
