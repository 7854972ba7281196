/** Resolves `$ref`s of a manifest: chained ones too, what stands beside a reference going before what it leads to. */
import type { Value, Values } from "@accord/contracts/data/values";
import { isObject, refuse } from "./read-yaml.ts";

const REF = "$ref";
/** Values that resolving may make: references to references multiply. Public manifests make 1.4 million at most. */
const MAX_VALUES = 4_000_000;
/** References that may stand within what others lead to. */
const MAX_CHAIN = 100;
/** Levels of what comes out. */
const MAX_DEPTH = 500;
const MAX_LENGTH = 1_000;

/** `parts`: names of those that are resolved; what else there is, such as definitions, only where they refer to it. */
export function resolveReferences(manifest: Values, parts: readonly string[]): Values {
  const resolver = new Resolver(manifest);
  const wanted = Object.entries(manifest).filter(([key]) => parts.includes(key));
  return Object.fromEntries(wanted.map(([key, value]) => [key, resolver.resolve(value, [])]));
}

class Resolver {
  readonly #manifest: Values;
  /** A reference leads to the same value wherever it stands. */
  readonly #known = new Map<string, { value: Value; size: number; depth: number }>();
  /** Values of the document that is made: what is led to several times stands in it as often. */
  #size = 0;
  #deepest = 0;

  constructor(manifest: Values) {
    this.#manifest = manifest;
  }

  resolve(value: Value, path: readonly string[], depth = 0): Value {
    this.#spend(1, depth);
    if (typeof value === "string") return value.startsWith("#/") ? this.#follow(value, path, depth) : value;
    if (Array.isArray(value)) return value.map((item) => this.resolve(item, path, depth + 1));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).filter(([key]) => key !== REF);
    const beside = Object.fromEntries(entries.map(([key, item]) => [key, this.resolve(item, path, depth + 1)]));
    const reference = value[REF];
    if (typeof reference !== "string") return beside;
    const target = this.#follow(reference, path, depth);
    return isObject(target) ? { ...target, ...beside } : target;
  }

  #spend(size: number, depth: number): void {
    this.#size += size;
    this.#deepest = Math.max(this.#deepest, depth);
    if (this.#size > MAX_VALUES) throw refuse("The manifest's references make too many values of it.");
    if (depth > MAX_DEPTH) throw refuse(`The manifest's references make more than ${MAX_DEPTH} levels of it.`);
  }

  #follow(reference: string, path: readonly string[], depth: number): Value {
    const known = this.#known.get(reference);
    if (known !== undefined) {
      this.#spend(known.size, depth + known.depth);
      return known.value;
    }
    if (path.includes(reference))
      throw refuse(`The references of the manifest lead in a circle: ${[...path, reference].join(" → ")}.`);
    if (path.length >= MAX_CHAIN) throw refuse(`The manifest has a chain of more than ${MAX_CHAIN} references.`);
    const found =
      reference.length > MAX_LENGTH ? undefined : find(this.#manifest, reference.replace(/^#\//, "").split("/"));
    if (found === undefined)
      throw refuse(`The manifest has nothing at ${reference.slice(0, MAX_LENGTH)}, which it refers to.`);
    const [before, outer] = [this.#size, this.#deepest];
    this.#deepest = depth;
    const value = this.resolve(found, [...path, reference], depth);
    this.#known.set(reference, { value, size: this.#size - before, depth: this.#deepest - depth });
    this.#deepest = Math.max(outer, this.#deepest);
    return value;
  }
}

/** A key may hold slashes itself: the longest that is there counts. */
function find(value: Value | undefined, steps: readonly string[]): Value | undefined {
  if (steps.length === 0 || value === undefined) return value;
  if (Array.isArray(value)) return find(value[Number(steps[0])], steps.slice(1));
  if (!isObject(value)) return undefined;
  for (let size = 1; size <= steps.length; size += 1) {
    const key = steps.slice(0, size).join("/");
    if (Object.hasOwn(value, key)) return find(value[key], steps.slice(size));
  }
  return undefined;
}
