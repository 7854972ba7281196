/** Gives each component its type and the parameters in force at it, as low-code manifests hand them down. */
import type { Value, Values } from "@accord/contracts/data/values";
import { describedType } from "../components/registry.ts";
import { isObject, refuse } from "./read-yaml.ts";

const PARAMETERS = "$parameters";
/** Deepest nesting of components: a stream's parents are nested in it. */
const MAX_DEPTH = 60;
/** Components of a manifest, and parameters that are handed down, each counted at each component. */
const MAX_COMPONENTS = 200_000;
const MAX_HANDED = 2_000_000;

/** Counts the components of a manifest, and what is handed down to them. */
export interface Handed {
  components: number;
  parameters: number;
}

/** `fallback`: the type at this place where the component names none. */
export function propagate(
  component: Values,
  fallback: string | null,
  handed: Handed,
  outer: Values = {},
  depth = 0,
): Values {
  if (depth > MAX_DEPTH) throw refuse(`The components of the manifest are nested more than ${MAX_DEPTH} levels deep.`);
  const own = component[PARAMETERS];
  // What is handed down goes before what stands at the component itself.
  const parameters: Values = { ...(isObject(own) ? own : {}), ...outer };
  const names = Object.keys(parameters).length;
  handed.components += 1;
  if (handed.components > MAX_COMPONENTS) throw refuse(`The manifest has more than ${MAX_COMPONENTS} components.`);
  count(names, handed);
  const type = typeOf(component, fallback);
  const described = describedType(type);
  const made: Values = { ...component, type };
  delete made[PARAMETERS];
  for (const name of described?.optionNames ?? []) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter !== undefined && isBlank(made[name])) made[name] = parameter;
  }
  for (const [name, slot] of Object.entries(described?.slots ?? {})) {
    const part = made[name];
    if (part === undefined || part === null) continue;
    count(names, handed);
    // A parameter that has the name of the part has done its work.
    const inner = Object.fromEntries(Object.entries(parameters).filter(([key]) => key !== name));
    const go = (value: Value): Value =>
      isObject(value) ? propagate(value, slot.type ?? null, handed, inner, depth + 1) : value;
    if (slot.isMap && isObject(part))
      made[name] = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, go(value)]));
    else made[name] = Array.isArray(part) ? part.map(go) : go(part);
  }
  if (names > 0) made[PARAMETERS] = parameters;
  return made;
}

function count(names: number, handed: Handed): void {
  handed.parameters += names;
  if (handed.parameters > MAX_HANDED) throw refuse("The manifest hands down too many $parameters.");
}

const isBlank = (value: Value | undefined): boolean =>
  value === undefined || value === null || value === "" || value === false || value === 0;

function typeOf(component: Values, fallback: string | null): string {
  const type = component["type"];
  if (typeof type === "string" && type !== "") return type;
  return typeof component["class_name"] === "string" ? "CustomComponent" : (fallback ?? "component without a type");
}
