/** Evaluate expression: computes a formula over the record's fields and tokens. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { formulas as words } from "@accord/contracts/messages/en/formulas";
import { fill } from "@accord/contracts/messages/fill";
import type { Value } from "@accord/contracts/data/values";
import {
  checkFormula,
  compileFormula,
  type Formula,
  type FormulaEnv,
  type FormulaProblem,
  type FormulaType,
  parseFormula,
  tokensIn,
  typeOfField,
  typeOfValue,
} from "@accord/expressions";
import { z } from "zod";
import { type FunctionDefinition, input, type InputIssue, type NodeContext, schemaIssues } from "../define.ts";
import type { RunEnv } from "../run-env.ts";
import { bounded, failureOf, MAX_CHARACTERS, textTooLong } from "../values/bounds.ts";
import { addWarning, type FlowRecord, setResult } from "../flow.ts";
import { type TokenReader, tokenReader } from "../tokens/tokens.ts";

const Config = z.looseObject({
  expression: z.string({ error: "Write an expression." }).trim().min(1, "Write an expression."),
});

/** The fault with its place: characters are counted from 1. */
const faultOf = ({ code, at, facts }: FormulaProblem): InputIssue => ({
  input: "expression",
  reason: `At character ${at + 1}: ${fill(words[code], facts)}`,
});

const CORE_FIELD = "previous.values.";

type Compute = (record: FlowRecord, env: FormulaEnv) => Value;
type Compiled = { ok: true; compute: Compute } | { ok: false; fault: InputIssue };

/**
 * Formulas are typed, tokens are not: the formula is made ready once for each combination of types its tokens bring.
 */
function compilerOf(
  formula: Formula,
  tokens: readonly Token[],
  context: NodeContext,
): (types: readonly FormulaType[]) => Compiled {
  const known = new Map<string, Compiled>();
  const index = new Map(tokens.map(({ name }, at) => [name, at]));
  const compile = (types: readonly FormulaType[]): Compiled => {
    const checked = checkFormula(formula, {
      field: (name) => context.coreFields.get(name),
      tokenType: (name) => types[index.get(name) ?? -1],
    });
    if (!checked.ok) return { ok: false, fault: faultOf(checked.problems[0]) };
    let at: RunEnv = { now: 0, random: () => 0 };
    const run = compileFormula<FlowRecord>(checked, {
      field: (name) => (record) => record.values[name],
      token: (name) => (record) => tokens[index.get(name) ?? -1]?.read(record, at),
    });
    return {
      ok: true,
      compute: (record, env) => {
        at = { ...at, now: env.now };
        return run(record, env);
      },
    };
  };
  return (types) => {
    const key = types.join(" ");
    const made = known.get(key) ?? compile(types);
    known.set(key, made);
    return made;
  };
}

interface Token {
  name: string;
  read: TokenReader;
  /** Known for tokens that name a field. */
  type: FormulaType | null;
}

function tokensOf(expression: string, context: NodeContext): Token[] {
  return tokensIn(expression).map((name) => {
    const field = name.startsWith(CORE_FIELD) ? context.coreFields.get(name.slice(CORE_FIELD.length)) : undefined;
    const read = tokenReader(name, context) ?? (() => null);
    return { name, read, type: field && !field.isMultiValueField ? typeOfField(field) : null };
  });
}

/** A formula can be judged before its tokens are known: a null fits everywhere. */
function check(
  configuration: Readonly<Record<string, unknown>>,
  fields: Parameters<FunctionDefinition["check"]>[1],
): InputIssue[] {
  const faults = schemaIssues(Config, configuration, () => false);
  if (faults.length > 0) return faults;
  const parsed = parseFormula(Config.parse(configuration).expression);
  if (!parsed.ok) return parsed.problems.map(faultOf);
  const byName = new Map(fields.map((field) => [field.apiName, field]));
  const checked = checkFormula(parsed.formula, { field: (name) => byName.get(name), tokenType: () => "null" });
  return checked.ok ? [] : checked.problems.map(faultOf);
}

export const evaluateExpression: FunctionDefinition = {
  name: "evaluateExpression",
  label: "Evaluate expression",
  family: "math",
  summary: "Computes a formula such as round([amount] * 1.25, 2); null propagates and division by zero gives blank.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [
    input({
      name: "expression",
      label: "Expression",
      datatype: "textarea",
      required: true,
      allowUserToken: true,
      helpText:
        "[field], {{token}}, 'text', + - * / %, = != < <= > >=, and or not, in (…), case when … then … else … end, and functions such as if, round, concat, date_diff.",
    }),
  ],
  edgeTypes: null,
  output: "object",
  check,
  compile: (configuration, context) => {
    const { expression } = Config.parse(configuration);
    const parsed = parseFormula(expression);
    const tokens = tokensOf(expression, context);
    const compiled = parsed.ok ? compilerOf(parsed.formula, tokens, context) : null;
    const { nodeId, slot, timeZone } = context;
    return (page, env) => {
      let hasDividedByZero = false;
      let isTextCut = false;
      const formulaEnv: FormulaEnv = {
        now: env.now,
        timeZone,
        maxTextLength: MAX_CHARACTERS,
        onZeroDivision: () => void (hasDividedByZero = true),
        onTextCut: () => void (isTextCut = true),
      };
      for (const record of page) {
        if (record.failure) continue;
        const types = tokens.map(({ read, type }) => type ?? typeOfValue(read(record, env)));
        const made = compiled?.(types);
        if (made?.ok) {
          hasDividedByZero = false;
          isTextCut = false;
          try {
            const result = bounded(made.compute(record, formulaEnv));
            // A system must not be sent a part of a text as if it were the whole.
            if (isTextCut) throw textTooLong();
            setResult(record, slot, result);
          } catch (problem) {
            record.failure = failureOf(problem, nodeId);
          }
          if (hasDividedByZero)
            addWarning(record, {
              nodeId,
              code: "division_by_zero",
              message: nodeFailures.dividedByZero,
            });
        } else
          record.failure = {
            nodeId,
            code: "expression_invalid",
            message: made?.fault.reason ?? nodeFailures.expressionUnreadable,
          };
      }
      return "default";
    };
  },
  examples: [
    {
      says: "fields stand in brackets",
      config: { expression: "[size] * 2 + 1" },
      record: { values: { size: 20 } },
      out: 41,
    },
    { says: "decimals are exact", config: { expression: "0.1 + 0.2" }, out: 0.3 },
    {
      says: "tokens, text and cases",
      config: { expression: "case when {{source.count}} > 3 then concat([Name], '!') else 'few' end" },
      record: { values: { Name: "Acme" }, source: { count: 5 } },
      out: "Acme!",
    },
    { says: "null propagates", config: { expression: "[size] + 1" }, record: { values: { size: null } }, out: null },
    {
      says: "division by zero gives blank, with a warning",
      config: { expression: "10 / [size]" },
      record: { values: { size: 0 } },
      out: null,
      warns: "division_by_zero",
    },
    {
      says: "dates",
      config: { expression: "date_diff('day', [due], today())" },
      record: { values: { due: "2024-06-01" } },
      out: 14,
    },
    {
      says: "a token of the wrong type stops the record, with the place",
      config: { expression: "{{source.country}} + 1" },
      record: { values: {}, source: { country: "NO" } },
      fails: "expression_invalid",
    },
    {
      says: "a token is a value, never a part of the formula",
      config: { expression: "concat({{source.country}}, '')" },
      record: { values: {}, source: { country: "1 + 1" } },
      out: "1 + 1",
    },
    {
      says: "a list where a number is needed stops the record",
      config: { expression: "{{previous.values.tags}} + 1" },
      record: { values: { tags: ["a"] } },
      fails: "expression_invalid",
    },
  ],
};
