/** Compiled templates of manifests: what they evaluate to, as literal, text, truth value or structure. */
import type { Value } from "@accord/contracts/data/values";
import { withBudget } from "./budget.ts";
import { compile, type Evaluate } from "./compile.ts";
import { MissingValueError, TemplateError } from "./errors.ts";
import { evaluateLiteral } from "./literal.ts";
import { macrosAt } from "./macros.ts";
import { assertNamesKnown } from "./names.ts";
import { parseTemplate } from "./syntax.ts";
import { itemOf, textOf, type Item } from "./values.ts";

/** What a template may name, and what it takes for the present. */
export interface TemplateFacts {
  readonly [name: string]: unknown;
}
export interface TemplateWorld {
  facts: TemplateFacts;
  now: () => Date;
}

export interface Template {
  readonly source: string;
  /** Whether nothing is filled in: it is the same each time. */
  readonly isConstant: boolean;
  /** The text it makes; empty where a value on the way is missing. */
  text(world: TemplateWorld): string;
  /** The text, as a literal where it is one; null where it is empty. */
  value(world: TemplateWorld): Value;
  /** A truth value: empty, zero and the words for nothing are false. */
  isTrue(world: TemplateWorld): boolean;
}

const compiled = new Map<string, Evaluate>();
/** Templates kept compiled: those of the manifests in use. */
const MAX_KEPT = 5_000;

const hasTags = (source: string): boolean => source.includes("{{") || source.includes("{%") || source.includes("{#");

function evaluatorOf(source: string): Evaluate {
  const known = compiled.get(source);
  if (known) return known;
  const program = parseTemplate(source);
  const evaluate = compile(program);
  assertNamesKnown(program);
  if (compiled.size >= MAX_KEPT) compiled.clear();
  compiled.set(source, evaluate);
  return evaluate;
}

/** Values that are too deep or of the wrong kind for a function of the language fail the template, not the process. */
function asTemplateError(error: unknown): unknown {
  return error instanceof RangeError || error instanceof TypeError || error instanceof URIError
    ? new TemplateError(`A template can't work on its values: ${error.message.slice(0, 100)}`, { cause: error })
    : error;
}

const FALSE: ReadonlySet<string> = new Set(["", "False", "false", "{}", "[]", "()", "0", "0.0", "None", "set()"]);

/** @throws TemplateError for a template that can't be used whatever its values are. */
export function compileTemplate(source: string): Template {
  const isConstant = !hasTags(source);
  const evaluate = isConstant ? null : evaluatorOf(source);
  const text = (world: TemplateWorld): string => {
    if (!evaluate) return source;
    try {
      const names = new Map<string, Item>(Object.entries(world.facts).map(([name, fact]) => [name, itemOf(fact)]));
      return withBudget(() => textOf(evaluate({ names, macros: macrosAt(world.now) })));
    } catch (error) {
      if (error instanceof MissingValueError) return "";
      throw asTemplateError(error);
    }
  };
  const value = (world: TemplateWorld): Value => {
    const made = text(world);
    return made === "" ? null : evaluateLiteral(made);
  };
  return { source, isConstant, text, value, isTrue: (world) => !FALSE.has(text(world).trim()) };
}

/** A value of a manifest in which every text is a template. */
export type Interpolated = (world: TemplateWorld) => Value;

/** `evaluate` says how one text is read. Keys are templates too; what evaluates to null is left out of objects. */
export function compileValue(
  value: Value,
  evaluate: (template: Template, world: TemplateWorld) => Value,
): Interpolated {
  if (typeof value === "string") {
    const template = compileTemplate(value);
    return (world) => evaluate(template, world);
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => compileValue(item, evaluate));
    return (world) => items.map((item) => item(world)).filter((item) => item !== null);
  }
  if (value === null || typeof value !== "object") return () => value;
  const entries = Object.entries(value).map(
    ([key, item]) => [compileTemplate(key), compileValue(item, evaluate)] as const,
  );
  return (world) =>
    Object.fromEntries(
      entries.flatMap(([key, item]) => {
        const made = item(world);
        return made === null ? [] : [[key.text(world), made]];
      }),
    );
}
