/** What each token means on a record in flight. A token is a name, looked up once when the pipeline is made ready: never code. */
import type { Value } from "@accord/contracts/data/values";
import { readPath, valueAtPath } from "@accord/expressions";
import type { CompileContext } from "../context.ts";
import type { RunEnv } from "../run-env.ts";
import type { FlowRecord } from "../flow.ts";
import { restAfter } from "./token-names.ts";

/** Reads a token's value for one record; undefined where the token has none on this record's path. */
export type TokenReader = (record: FlowRecord, env: RunEnv) => Value | undefined;

const PREVIOUS_VALUES = "previous.values.";
const PREVIOUS_VALUE = "previousValue";
const PREVIOUS = "previous";
const VALUE_FROM = "Value From ";
const ACTION_RESULT = "Action Result From ";
const ACTION_STATUS = "Status of Action ";
const SOURCE = "source.";

const own = (values: { [name: string]: Value } | undefined, name: string): Value | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

const FIXED: Readonly<Record<string, (context: CompileContext) => TokenReader>> = {
  "record.id": () => (record) => record.recordId,
  "record.isDeleted": () => (record) => record.change === "delete",
  "record.change": () => (record) => record.change,
  "record.externalId": () => (record) => record.source?.externalId ?? null,
  "system.now": () => (_record, env) => new Date(env.now).toISOString(),
  "system.instance.name": (context) => () => context.instanceName,
  "pipeline.name": (context) => () => context.pipelineName,
};
export const FIXED_TOKENS: readonly string[] = [PREVIOUS_VALUE, PREVIOUS, ...Object.keys(FIXED)];

/** null when the token names nothing this pipeline has. */
export function tokenReader(token: string, context: CompileContext): TokenReader | null {
  const fixed = Object.hasOwn(FIXED, token) ? FIXED[token] : undefined;
  if (fixed) return fixed(context);
  const kinds = [previousFieldReader, resultReader, sourceReader, variableReader, snapshotReader, previousReader];
  for (const kind of kinds) {
    const read = kind(token, context);
    if (read) return read;
  }
  return null;
}

/** The reader with a path into its value applied; null when the rest is no path. */
function into(read: TokenReader, rest: string): TokenReader | null {
  if (rest === "") return read;
  const path = readPath(rest.startsWith(".") ? rest.slice(1) : rest);
  if (!path) return null;
  return (record, env) => {
    const value = read(record, env);
    return value === undefined ? undefined : (valueAtPath(value, path) ?? undefined);
  };
}

function previousFieldReader(token: string, context: CompileContext): TokenReader | null {
  if (!token.startsWith(PREVIOUS_VALUES)) return null;
  const name = token.slice(PREVIOUS_VALUES.length);
  if (context.coreFields.has(name)) return (record) => own(record.values, name) ?? null;
  const field = longest(context.coreFields.keys(), name);
  return field === null ? null : into((record) => own(record.values, field) ?? null, name.slice(field.length));
}

/** The longest of the names that the token begins with: a label may hold dots. */
function longest(names: Iterable<string>, token: string): string | null {
  let found: string | null = null;
  for (const name of names) if (restAfter(token, name) !== null && name.length > (found?.length ?? 0)) found = name;
  return found;
}

function resultReader(token: string, context: CompileContext): TokenReader | null {
  const prefix = [VALUE_FROM, ACTION_RESULT, ACTION_STATUS].find((one) => token.startsWith(one));
  if (prefix === undefined) return null;
  const named = token.slice(prefix.length);
  const label = longest(context.labels.keys(), named);
  const slot = label === null ? undefined : context.slots.get(context.labels.get(label) ?? "");
  if (label === null || slot === undefined) return null;
  const rest = named.slice(label.length);
  if (prefix === ACTION_STATUS) return rest === "" ? (record) => record.outcomes[slot] : null;
  return into((record) => record.results[slot], rest);
}

function sourceReader(token: string, context: CompileContext): TokenReader | null {
  const field = sourceFieldOf(token, context);
  if (field === null) return null;
  return (record) => (record.source === null ? undefined : (own(record.source.values, field) ?? null));
}

function variableReader(token: string, context: CompileContext): TokenReader | null {
  const name = longest(context.variables, token);
  return name === null ? null : into((record) => own(record.variables, name) ?? null, token.slice(name.length));
}

/** The whole record as it left a named node, or one of its fields. */
function snapshotReader(token: string, context: CompileContext): TokenReader | null {
  const label = longest(context.labels.keys(), token);
  const nodeId = label === null ? undefined : context.labels.get(label);
  if (label === null || nodeId === undefined) return null;
  const slot = context.slots.get(nodeId);
  const read: TokenReader = context.sourceNodes.has(nodeId)
    ? (record) => record.source?.values
    : (record) => (slot === undefined ? undefined : record.snapshots[slot]);
  return into(read, token.slice(label.length));
}

function previousReader(token: string): TokenReader | null {
  if (token.startsWith(PREVIOUS_VALUES)) return null;
  const name = restAfter(token, PREVIOUS_VALUE) === null ? PREVIOUS : PREVIOUS_VALUE;
  const rest = restAfter(token, name);
  return rest === null ? null : into((record) => record.results[record.previous], rest);
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
