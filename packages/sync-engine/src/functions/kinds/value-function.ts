/** Functions that make a value of a value: their value may come from a text with tokens or from the step before. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { fill } from "@accord/contracts/messages/fill";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { Value } from "@accord/contracts/data/values";
import { compileTemplate, hasTokens, isBlank } from "@accord/expressions";
import type { z } from "zod";
import type { PipelineScope } from "../../graph/edit/clipboard.ts";
import { bounded, failureOf, mapBounded, MAX_CHARACTERS } from "../values/bounds.ts";
import type { RunEnv } from "../run-env.ts";
import {
  CompileError,
  type CompiledNode,
  type Family,
  type FunctionDefinition,
  type FunctionExample,
  FunctionFailure,
  input,
  type NodeContext,
  schemaIssues,
} from "../define.ts";
import { addWarning, type FlowRecord, setResult } from "../flow.ts";
import { tokenReader } from "../tokens/tokens.ts";

/** What a function may ask for beside its value: the moment, chance and the pipeline's time zone. */
export interface ValueEnv extends RunEnv {
  timeZone: string;
}

export interface ValueFunction<Config> {
  name: string;
  label: string;
  family: Family;
  summary: string;
  /** Beside the value itself. Texts among them may hold tokens unless `hideTokenPicker` is set. */
  inputs?: readonly z.input<typeof InputDefinition>[];
  config: z.ZodType<Config>;
  output: string;
  levels?: readonly PipelineScope[];
  /** `each`: a list is worked on item by item · `whole`: it is one value. Default `each`. */
  lists?: "each" | "whole";
  /** null in gives null out, unless the function deals with blanks itself. */
  takesNull?: boolean;
  /** It makes its value from its inputs alone. */
  noValue?: boolean;
  /** Settings that take whatever a token brings, so that filling them for a record needs no new check. */
  openInputs?: readonly string[];
  /** Prepared once for a configuration; called per value. Throws `FunctionFailure`. */
  prepare: (config: Config) => (value: Value, env: ValueEnv) => Value;
  examples: readonly FunctionExample[];
}

const VALUE_INPUT = input({
  name: "value",
  label: "Value",
  datatype: "text",
  allowUserToken: true,
  helpText: "Text and tokens. Leave it empty to use the result of the step before.",
});

export function defineValueFunction<Config>(spec: ValueFunction<Config>): FunctionDefinition {
  const inputs = [...(spec.noValue ? [] : [VALUE_INPUT]), ...(spec.inputs ?? []).map(input)];
  const withTokens = (configuration: Readonly<Record<string, unknown>>) => (name: string) =>
    hasAnyToken(configuration[name]);
  return {
    name: spec.name,
    label: spec.label,
    family: spec.family,
    summary: spec.summary,
    levels: spec.levels ?? ["entity", "field"],
    sourceSideOnly: false,
    inputs,
    edgeTypes: null,
    output: spec.output,
    check: (configuration) => schemaIssues(spec.config, settings(configuration, inputs), withTokens(configuration)),
    compile: (configuration, context) => compileValueFunction(spec, inputs, configuration, context),
    examples: spec.examples,
  };
}

/** Only what the function's own inputs hold, blanks left out so that defaults apply. */
function settings(
  configuration: Readonly<Record<string, unknown>>,
  inputs: readonly InputDefinition[],
): Record<string, unknown> {
  const names = inputs.map((definition) => definition.name).filter((name) => name !== "value");
  return Object.fromEntries(
    names
      .map((name) => [name, configuration[name]])
      .filter(([, held]) => held !== undefined && held !== null && held !== ""),
  );
}

const hasAnyToken = (held: unknown): boolean => (Array.isArray(held) ? held.some(hasAnyToken) : hasTokens(held));

type Fill = (record: FlowRecord, env: RunEnv) => Value;

function compileValueFunction<Config>(
  spec: ValueFunction<Config>,
  inputs: readonly InputDefinition[],
  configuration: Readonly<Record<string, unknown>>,
  context: NodeContext,
): CompiledNode {
  const { nodeId, slot, timeZone } = context;
  const held = settings(configuration, inputs);
  const readValue = spec.noValue ? () => null : compileInput(configuration["value"], context, "value");
  const dynamic = Object.entries(held).filter(([, value]) => hasAnyToken(value));
  const work = dynamic.length === 0 ? fixedWork(spec, held, nodeId) : dynamicWork(spec, held, dynamic, context);
  return (page, env) => {
    const valueEnv = { ...env, timeZone };
    for (const record of page) {
      if (record.failure) continue;
      try {
        setResult(record, slot, bounded(work(readValue(record, env), record, valueEnv)));
      } catch (problem) {
        record.failure = failureOf(problem, nodeId);
      }
    }
    return "default";
  };
}

type Work = (value: Value, record: FlowRecord, env: ValueEnv) => Value;

function fixedWork<Config>(spec: ValueFunction<Config>, held: Record<string, unknown>, nodeId: string): Work {
  const parsed = spec.config.safeParse(held);
  if (!parsed.success)
    throw new CompileError(
      nodeId,
      schemaIssues(spec.config, held, () => false),
    );
  const one = spec.prepare(parsed.data);
  return (value, _record, env) => apply(spec, one, value, env);
}

/** Inputs with tokens are filled and checked for each record. */
function dynamicWork<Config>(
  spec: ValueFunction<Config>,
  held: Record<string, unknown>,
  dynamic: readonly (readonly [string, unknown])[],
  context: NodeContext,
): Work {
  const fills = dynamic.map(([name, value]) => [name, compileInput(value, context, name)] as const);
  const quick = openWork(spec, held, fills);
  return (value, record, env) => {
    const results = fills.map(([, fill]) => fill(record, env));
    const known = quick?.(results);
    if (known) return apply(spec, known, value, env);
    const filled = { ...held };
    for (const [index, [name]] of fills.entries()) {
      const result = results[index] ?? null;
      if (isBlank(result)) delete filled[name];
      else filled[name] = result;
    }
    const parsed = spec.config.safeParse(filled);
    if (!parsed.success) {
      const [fault] = schemaIssues(spec.config, filled, () => false);
      throw new FunctionFailure("input_invalid", `${fault?.input}: ${fault?.reason}`);
    }
    return apply(spec, spec.prepare(parsed.data), value, env);
  };
}

type Prepared = (value: Value, env: ValueEnv) => Value;

/** For settings that take anything: the rest was checked once, only what a record brings is put in. null: go the long way. */
function openWork<Config>(
  spec: ValueFunction<Config>,
  held: Record<string, unknown>,
  fills: readonly (readonly [string, Fill])[],
): ((results: readonly Value[]) => Prepared | null) | null {
  const names = fills.map(([name]) => name);
  if (!names.every((name) => spec.openInputs?.includes(name))) return null;
  const parsed = spec.config.safeParse(held);
  if (!parsed.success) return null;
  return (results) => {
    if (results.some(isBlank)) return null;
    const config = { ...parsed.data };
    for (const [index, name] of names.entries()) Object.assign(config as object, { [name]: results[index] });
    return spec.prepare(config);
  };
}

function apply<Config>(
  spec: ValueFunction<Config>,
  one: (value: Value, env: ValueEnv) => Value,
  value: Value,
  env: ValueEnv,
): Value {
  if (Array.isArray(value) && spec.lists !== "whole") return mapBounded(value, (item) => apply(spec, one, item, env));
  if (isBlank(value) && !spec.takesNull && !spec.noValue) return null;
  return one(value, env);
}

/** How an input is read for a record: fixed, a filled template, a list of those, or the step before when it is empty. */
export function compileInput(held: unknown, context: NodeContext, name: string): Fill {
  if (Array.isArray(held)) {
    const items = held.map((item) => compileInput(item, context, name));
    return (record, env) => items.map((item) => item(record, env));
  }
  if (name === "value" && (held === undefined || held === null || held === ""))
    return (record) => record.results[record.previous] ?? null;
  if (!hasTokens(held)) return () => (held ?? null) as Value;
  return compileText(held, context, name);
}

/**
 * A text with tokens as a function of the record. A token that names nothing, or has no value on the record's path,
 * is left empty, and the record is told so.
 */
export function compileText(text: string, context: NodeContext, inputName: string): Fill {
  const template = compileTemplate<{ record: FlowRecord; env: RunEnv }>(
    text,
    (token) => {
      const read = tokenReader(token, context);
      const code = read ? "token_empty" : "token_unknown";
      const facts = { input: inputName, token: `{{${token}}}` };
      const message = fill(read ? nodeFailures.tokenEmpty : nodeFailures.tokenUnknown, facts);
      return ({ record, env }) => {
        const value = read?.(record, env);
        if (value === undefined) addWarning(record, { nodeId: context.nodeId, code, message });
        return value;
      };
    },
    MAX_CHARACTERS,
  );
  return (record, env) => {
    const filled = template({ record, env });
    if (filled !== undefined) return filled;
    const message = fill(nodeFailures.textTooLong, { input: inputName, limit: MAX_CHARACTERS });
    addWarning(record, { nodeId: context.nodeId, code: "text_too_long", message });
    return null;
  };
}
