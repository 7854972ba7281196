/** Makes the largest inputs out of valid ones: texts and lists as long as a schema and the body limit allow, deep nesting. */
import type { z } from "zod";
import type { CallParts } from "../fixtures/index.ts";
import { sampleOf } from "./schema-walk.ts";
import { PARTS } from "./inputs.ts";
import type { AnyEndpoint, IdKind } from "@accord/contracts";

type Json = unknown;
type Path = readonly (string | number)[];

/** JSON of one part; the limit of bodies is a little above. */
const MAX_CHARACTERS = 950_000;
/** The address bar is short: params and queries stay below what Node takes as headers. */
const MAX_QUERY_CHARACTERS = 6_000;
const LENGTHS = [MAX_CHARACTERS, 65_000, 10_000, 2_000, 500, 120, 60, 20];
const DEPTH = 60;

export const HOSTILE = ["long texts", "long lists", "deep nesting", "the largest sample"] as const;
export type Hostile = (typeof HOSTILE)[number];

/** The input with everything in it as large as possible; what no schema allows is left as it was. */
export function hostileInput(endpoint: AnyEndpoint, valid: CallParts, kind: Hostile): CallParts {
  const parts: CallParts = {};
  for (const part of PARTS) {
    const schema = endpoint[part];
    if (!schema) continue;
    const budget = part === "body" ? MAX_CHARACTERS : MAX_QUERY_CHARACTERS;
    // A path that is too long never reaches an operation.
    if (part === "params") parts[part] = valid[part];
    else if (part === "body" && endpoint.bodyKind === "text") parts[part] = hostileText(kind);
    else parts[part] = enlarge(schema, valid[part], kind, budget);
  }
  return parts;
}

/** Bodies of plain text hold predicates. */
function hostileText(kind: Hostile): string {
  const literal = (value: string): Json => ({ kind: "literal", value });
  const condition = (operator: string, right: Json[]): Json => ({
    type: "condition",
    left: { kind: "field", field: "name" },
    operator,
    right,
  });
  const group = (length: number, child: () => Json): Json => ({
    type: "group",
    combinator: "or",
    children: Array.from({ length }, child),
  });
  switch (kind) {
    case "long texts":
      return JSON.stringify(condition("contains", [literal("é".repeat(400_000))]));
    case "long lists":
      return JSON.stringify(group(40, () => group(180, () => condition("contains", [literal("x")]))));
    case "deep nesting":
      return `${'{"type":"group","combinator":"and","children":['.repeat(5_000)}`;
    case "the largest sample":
      return JSON.stringify(
        group(25, () =>
          condition(
            "inList",
            Array.from({ length: 1_000 }, () => literal("x")),
          ),
        ),
      );
  }
}

function enlarge(schema: z.ZodType, value: Json, kind: Hostile, budget: number): Json {
  switch (kind) {
    case "long texts":
      return withLongTexts(schema, value, budget);
    case "long lists":
      return withLongLists(schema, value, budget);
    case "deep nesting":
      return deepened(value);
    case "the largest sample":
      return withLongLists(schema, withLongTexts(schema, fullSample(schema, value), budget / 20), budget);
  }
}

/** Each text as long as its place allows, all of them together within the budget. */
function withLongTexts(schema: z.ZodType, value: Json, budget: number): Json {
  const places = pathsOf(value, (item) => typeof item === "string");
  let open = new Map(places.map((path) => [JSON.stringify(path), path]));
  let result = value;
  for (const length of LENGTHS) {
    if (open.size === 0) break;
    const each = Math.min(length, Math.floor(budget / places.length));
    let candidate = result;
    for (const path of open.values()) candidate = replaced(candidate, path, "é".repeat(Math.floor(each / 2)));
    const refused = refusedPaths(schema, candidate);
    const fits = [...open].filter(([key]) => !refused.has(key));
    for (const [, path] of fits) result = replaced(result, path, "é".repeat(Math.floor(each / 2)));
    open = new Map([...open].filter(([key]) => refused.has(key)));
  }
  return result;
}

/** Each list as long as its place allows, by repeating what is in it. */
function withLongLists(schema: z.ZodType, value: Json, budget: number): Json {
  let result = value;
  for (const path of pathsOf(value, (item) => Array.isArray(item) || isRecord(item))) {
    const item = valueAt(result, path);
    const room = budget - JSON.stringify(result ?? null).length;
    for (const length of [100_000, 1_000, 200, 50, 10]) {
      const longer = Array.isArray(item) ? repeated(item, length, room) : withKeys(item, length, room);
      if (longer === undefined) continue;
      const candidate = replaced(result, path, longer);
      if (!schema.safeParse(candidate).success) continue;
      result = candidate;
      break;
    }
  }
  return result;
}

function repeated(item: readonly Json[], length: number, room: number): Json[] | undefined {
  const seeds = item.length > 0 ? item : ["x", 1, {}];
  const size = Math.max(4, JSON.stringify(seeds).length / seeds.length);
  const count = Math.min(length, Math.floor(room / size));
  return count > item.length ? Array.from({ length: count }, (_, index) => seeds[index % seeds.length]) : undefined;
}

function withKeys(item: Json, length: number, room: number): Json {
  if (!isRecord(item)) return undefined;
  const values = Object.values(item);
  const count = Math.min(length, Math.floor(room / (20 + (JSON.stringify(values[0] ?? "x")?.length ?? 0))));
  return {
    ...item,
    ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, values[0] ?? "x"])),
  };
}

/** Objects, lists and texts replaced by ones nested as deeply as a body may be. */
function deepened(value: Json): Json {
  const nest = (depth: number): Json =>
    depth === 0 ? "x" : depth % 2 === 0 ? [nest(depth - 1)] : { children: nest(depth - 1), type: "group" };
  if (!isRecord(value)) return nest(DEPTH);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, typeof item === "object" && item !== null ? nest(DEPTH) : item]),
  );
}

/** The valid value with all that may be left out beside it. */
function fullSample(schema: z.ZodType, value: Json): Json {
  const idOf = (_kind: IdKind): string => "0".repeat(24);
  const { shape } = schema._zod.def as { shape?: Record<string, z.ZodType> };
  if (!shape || !isRecord(value)) return value;
  let result: Json = value;
  for (const [key, inner] of Object.entries(shape)) {
    if (key in value) continue;
    try {
      const candidate = { ...(result as object), [key]: sampleOf(required(inner), { idOf }) };
      if (schema.safeParse(candidate).success) result = candidate;
    } catch {
      // Nothing fits there: it stays away.
    }
  }
  return result;
}

function required(schema: z.ZodType): z.ZodType {
  const { type, innerType } = schema._zod.def as { type: string; innerType?: z.ZodType };
  const isWrapper = type === "optional" || type === "nullable" || type === "default";
  return isWrapper && innerType ? required(innerType) : schema;
}

const isRecord = (value: Json): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("bytes" in value);

function pathsOf(value: Json, wanted: (value: Json) => boolean, path: Path = []): Path[] {
  const inner = Array.isArray(value)
    ? value.flatMap((item, index) => pathsOf(item, wanted, [...path, index]))
    : isRecord(value)
      ? Object.entries(value).flatMap(([key, item]) => pathsOf(item, wanted, [...path, key]))
      : [];
  return wanted(value) ? [path, ...inner] : inner;
}

const valueAt = (value: Json, [step, ...rest]: Path): Json =>
  step === undefined ? value : valueAt((value as Record<string | number, Json>)[step], rest);

function replaced(value: Json, [step, ...rest]: Path, by: Json): Json {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.with(Number(step), replaced(value[Number(step)], rest, by));
  return { ...(value as object), [step]: replaced((value as Record<string, Json>)[String(step)], rest, by) };
}

/** Places that a schema refuses, and everything above them. */
function refusedPaths(schema: z.ZodType, value: Json): Set<string> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return new Set();
  return new Set(parsed.error.issues.map(({ path }) => JSON.stringify(path)));
}
