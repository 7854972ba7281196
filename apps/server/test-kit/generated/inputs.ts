/** Valid inputs for any endpoint, from its fixtures or made from its schemas. */
import type { AnyEndpoint, IdKind } from "@accord/contracts";
import type { z } from "zod";
import { fixtureOf, inputFor, type CallParts } from "../fixtures/index.ts";
import type { Place, TestApp } from "../test-app.ts";
import { idFields, pathText, replaceAt, sampleOf, type IdField } from "./schema-walk.ts";

export type Part = "params" | "query" | "body";
export const PARTS: readonly Part[] = ["params", "query", "body"];

/** An id somewhere in an endpoint's input. */
export interface IdPlace extends IdField {
  part: Part;
  /** `body.userRoles.{key}` */
  text: string;
}

/** Another value at one place. */
export interface Swap {
  place: IdPlace;
  value: string;
}

export function idPlaces(endpoint: AnyEndpoint): IdPlace[] {
  return PARTS.flatMap((part) =>
    idFields(endpoint[part]).map((field) => ({
      ...field,
      part,
      text: [part, pathText(field.path)].filter(Boolean).join("."),
    })),
  );
}

/** Remembers what fixtures made, for calls that change nothing: making it anew for each would take most of the time. */
export type Made = Map<string, Promise<unknown>>;

export function makeOnce<Value>(made: Made | undefined, key: string, make: () => Promise<Value>): Promise<Value> {
  const known = made?.get(key) as Promise<Value> | undefined;
  const value = known ?? make();
  made?.set(key, value);
  return value;
}

/** A complete, valid input whose ids all belong to `at`. `swap`: another value at one of its places. */
export async function validInput(
  t: TestApp,
  endpoint: AnyEndpoint,
  at: Place,
  { swap, made }: { swap?: Swap; made?: Made } = {},
): Promise<CallParts> {
  const input = inputFor(endpoint.name);
  const given = input && (await makeOnce(made, `${endpoint.name} ${at.instanceId}`, () => input(t, at)));
  const ids = await makeIds(t, endpoint, at, given, swap, made);
  const idOf = (kind: IdKind) => ids.get(kind) ?? "";
  const parts: CallParts = {};
  for (const part of PARTS) {
    const schema = endpoint[part];
    if (!schema) continue;
    const target = swap?.place.part === part ? { path: swap.place.path, value: swap.value } : undefined;
    parts[part] = partOf(endpoint, schema, given?.[part], { idOf, target });
  }
  return parts;
}

function partOf(
  endpoint: AnyEndpoint,
  schema: z.ZodType,
  given: unknown,
  options: Parameters<typeof sampleOf>[1],
): unknown {
  const { target } = options;
  if (given === undefined) return checked(endpoint, schema, sampleOf(schema, options));
  if (!target) return checked(endpoint, schema, given);
  const replaced = replaceAt(given, target.path, target.value);
  if (replaced.found) return checked(endpoint, schema, replaced.input);
  // The given input has nothing there: take that corner from a sample.
  const first = target.path.find((step) => "key" in step);
  const sampled = sampleOf(schema, options) as Record<string, unknown>;
  const corner = first && "key" in first ? { [first.key]: sampled[first.key] } : {};
  return checked(endpoint, schema, { ...(given as object), ...corner });
}

function checked(endpoint: AnyEndpoint, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return value;
  throw new Error(
    `No valid input for ${endpoint.name} can be made from its schemas (${parsed.error.issues[0]?.path.join(".")}: ` +
      `${parsed.error.issues[0]?.message}). Add inputs.${endpoint.name} = async (t, at) => ({ params, query, body }) to your ` +
      "area's file in apps/server/test-kit/fixtures.",
  );
}

/** Objects are made only of the kinds that the sample really holds. */
async function makeIds(
  t: TestApp,
  endpoint: AnyEndpoint,
  at: Place,
  given: CallParts | undefined,
  swap?: Swap,
  made?: Made,
) {
  const needed = new Set<IdKind>();
  const noteKind = (kind: IdKind) => {
    needed.add(kind);
    return "0".repeat(24);
  };
  for (const part of PARTS) {
    const isGiven = given?.[part] !== undefined && swap?.place.part !== part;
    const target = swap?.place.part === part ? { path: swap.place.path, value: swap.value } : undefined;
    if (!isGiven) sampleOf(endpoint[part], { idOf: noteKind, target });
  }
  const ids = new Map<IdKind, string>();
  for (const kind of needed) {
    ids.set(kind, await makeOnce(made, `${kind} ${at.instanceId}`, () => fixtureOf(kind)(t, at)));
  }
  return ids;
}
