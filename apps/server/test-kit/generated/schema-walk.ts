/** Reads zod schemas as data: which ids an input holds, and a smallest value that fits. */
import { idKindOf, type IdKind } from "@accord/contracts";
import type { z } from "zod";

/** One step into an input: a key, any element of a list, a key or value of a record. */
export type Step =
  | { key: string }
  | { element: true }
  | { recordKey: true }
  | { recordValue: true }
  | { option: number };

export interface IdField {
  kind: IdKind;
  path: Step[];
}

interface Def {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  innerType?: z.ZodType;
  in?: z.ZodType;
  items?: z.ZodType[];
  left?: z.ZodType;
  right?: z.ZodType;
  getter?: () => z.ZodType;
  entries?: Record<string, string | number>;
  values?: unknown[];
}

export const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def;

/** `body.userRoles.{key}`: how a path reads in messages. */
export const pathText = (path: readonly Step[]): string =>
  path
    .flatMap((step) =>
      "key" in step
        ? [step.key]
        : "element" in step
          ? ["[]"]
          : "recordKey" in step
            ? ["{key}"]
            : "recordValue" in step
              ? ["{}"]
              : [],
    )
    .join(".");

/** Every place of a schema that holds the id of a stored object. Recursive schemas are followed once. */
export function idFields(
  schema: z.ZodType | undefined,
  path: Step[] = [],
  above: readonly z.ZodType[] = [],
): IdField[] {
  if (!schema || above.includes(schema)) return [];
  const kind = idKindOf.get(schema);
  if (kind) return [{ kind, path }];
  const into = (inner: z.ZodType | undefined, ...steps: Step[]) =>
    idFields(inner, [...path, ...steps], [...above, schema]);
  const def = defOf(schema);
  switch (def.type) {
    case "object":
      return Object.entries(def.shape ?? {}).flatMap(([key, inner]) => into(inner, { key }));
    case "array":
      return into(def.element, { element: true });
    case "record":
      return [...into(def.keyType, { recordKey: true }), ...into(def.valueType, { recordValue: true })];
    case "union":
      return (def.options ?? []).flatMap((option, index) => into(option, { option: index }));
    case "intersection":
      return [...into(def.left), ...into(def.right)];
    case "lazy":
      return into(def.getter?.());
    case "pipe":
      return into(def.in);
    default:
      return into(def.innerType);
  }
}

export interface SampleOptions {
  /** An id of each kind, for where one is needed. */
  idOf: (kind: IdKind) => string;
  /** A place that must be in the sample, with the value to stand there. */
  target?: { path: readonly Step[]; value: string };
}

/** Texts of common kinds, tried in turn. */
const TEXTS = [
  "sample",
  "sample text of some length",
  "someone@example.com",
  "https://example.com/x",
  "2026-01-31",
  "2026-01-31T10:00:00.000Z",
  "UTC",
  "1",
  "{}",
  "#123456",
  "0".repeat(24),
];

/**
 * A small value that fits the schema: only what is required, and what the target needs.
 * @throws Error when nothing fits; the endpoint then needs an input of its own in the fixtures.
 */
export function sampleOf(schema: z.ZodType | undefined, options: SampleOptions): unknown {
  if (!schema) return undefined;
  return sample(schema, options.target?.path ?? null, options);
}

function sample(schema: z.ZodType, toward: readonly Step[] | null, options: SampleOptions): unknown {
  const kind = idKindOf.get(schema);
  if (kind) return toward ? options.target?.value : options.idOf(kind);
  const def = defOf(schema);
  const [step, ...rest] = toward ?? [];
  switch (def.type) {
    case "object": {
      const entries = Object.entries(def.shape ?? {}).flatMap(([key, inner]) => {
        const isOnPath = step !== undefined && "key" in step && step.key === key;
        if (!isOnPath && inner.safeParse(undefined).success) return [];
        return [[key, sample(inner, isOnPath ? rest : null, options)] as const];
      });
      return Object.fromEntries(entries);
    }
    case "array": {
      const onPath = step !== undefined && "element" in step;
      if (!onPath && schema.safeParse([]).success) return [];
      return def.element ? [sample(def.element, onPath ? rest : null, options)] : [];
    }
    case "record": {
      if (!step || !def.keyType || !def.valueType) return {};
      const key = sample(def.keyType, "recordKey" in step ? rest : null, options);
      const value = sample(def.valueType, "recordValue" in step ? rest : null, options);
      return { [String(key)]: value };
    }
    case "union": {
      if (step && "option" in step) return sample(def.options?.[step.option] as z.ZodType, rest, options);
      for (const option of def.options ?? []) {
        try {
          const value = sample(option, null, options);
          if (schema.safeParse(value).success) return value;
        } catch {
          // The next option may be simpler.
        }
      }
      throw new Error("no option of a union could be sampled");
    }
    case "lazy":
      return sample(def.getter?.() as z.ZodType, toward, options);
    case "pipe":
      return toward ? sample(def.in as z.ZodType, toward, options) : firstThatFits(schema, def);
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "readonly":
    case "catch":
      if (!toward) {
        if (def.type === "nullable") return null;
        if (def.type === "optional") return undefined;
      }
      return sample(def.innerType as z.ZodType, toward, options);
    default:
      return firstThatFits(schema, def);
  }
}

function firstThatFits(schema: z.ZodType, def: Def): unknown {
  const candidates = [
    ...(def.values ?? []),
    ...Object.values(def.entries ?? {}),
    ...(def.type === "number" ? [1, 0, 10, 100] : []),
    ...(def.type === "boolean" ? [true] : []),
    ...TEXTS,
    1,
    true,
    null,
    {},
    [],
  ];
  const found = candidates.find((candidate) => schema.safeParse(candidate).success);
  if (found === undefined) throw new Error(`no sample fits a schema of type ${def.type}`);
  return found;
}

/** Puts a value where the path leads in a copy of an input; false when the input has nothing there. */
export function replaceAt(input: unknown, path: readonly Step[], value: string): { input: unknown; found: boolean } {
  const [step, ...rest] = path;
  if (!step) return { input: value, found: typeof input === "string" };
  if ("option" in step) return replaceAt(input, rest, value);
  if (Array.isArray(input)) {
    if (!("element" in step) || input.length === 0) return { input, found: false };
    const first = replaceAt(input[0], rest, value);
    return { input: [first.input, ...input.slice(1)], found: first.found };
  }
  if (typeof input !== "object" || input === null) return { input, found: false };
  const entries = Object.entries(input);
  const at = "key" in step ? entries.findIndex(([key]) => key === step.key) : entries.length - 1;
  const entry = entries[at];
  if (!entry) return { input, found: false };
  if ("recordKey" in step) {
    return { input: Object.fromEntries(entries.with(at, [value, entry[1]])), found: true };
  }
  const inner = replaceAt(entry[1], rest, value);
  return { input: Object.fromEntries(entries.with(at, [entry[0], inner.input])), found: inner.found };
}
