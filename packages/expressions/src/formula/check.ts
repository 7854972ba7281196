/** Types of a formula: finds what can't be computed, and settles every conversion, so that both back ends only carry out. */
import type { DataType } from "@accord/contracts/data/values";
import type { FieldShape } from "../values/kind.ts";
import { fixedText } from "./fixed-arguments.ts";
import { formulaFunction } from "./functions/index.ts";
import { type BinaryOperator, type Formula, FormulaError, type FormulaProblem } from "./parse.ts";
import {
  commonType,
  counted,
  dataTypeOf,
  type FormulaFunction,
  type FormulaType,
  isNumeric,
  type Parameter,
  typeOfField,
} from "./types.ts";

export interface FormulaScope {
  field: (name: string) => FieldShape | undefined;
  /** Type of a token or variable; undefined: unknown. Absent: none may be used. */
  tokenType?: (token: string) => FormulaType | undefined;
  /** Datasets may use aggregates. */
  aggregates?: boolean;
  /** And functions over the rows of the result, where they are turned on. */
  windows?: boolean;
}

/** A formula whose types are settled. */
export type Typed = { type: FormulaType } & (
  | { kind: "literal"; value: string | boolean | null }
  | { kind: "field"; name: string }
  | { kind: "token"; name: string }
  | { kind: "convert"; value: Typed }
  | { kind: "negate"; value: Typed }
  | { kind: "not"; value: Typed }
  | { kind: "arithmetic"; operator: "+" | "-" | "*" | "/" | "%"; left: Typed; right: Typed }
  | { kind: "compare"; operator: "=" | "!=" | "<" | "<=" | ">" | ">="; left: Typed; right: Typed }
  | { kind: "and" | "or"; left: Typed; right: Typed }
  | { kind: "in"; value: Typed; items: Typed[] }
  | { kind: "case"; branches: { when: Typed; value: Typed }[]; otherwise: Typed | null }
  | { kind: "call"; definition: FormulaFunction; args: Typed[]; fixed: string[] }
);

export interface CheckedFormula {
  typed: Typed;
  dataType: DataType;
  isAggregate: boolean;
  /** Names of the fields it reads. */
  fields: string[];
}

/** The checked formula, or its first fault. */
export function checkFormula(
  formula: Formula,
  scope: FormulaScope,
): ({ ok: true } & CheckedFormula) | { ok: false; problems: [FormulaProblem, ...FormulaProblem[]] } {
  try {
    const checker = new Checker(scope);
    const typed = checker.type(formula, false);
    if (checker.isAggregate && checker.bareFieldAt !== null)
      throw new FormulaError("field_outside_aggregate", checker.bareFieldAt);
    const dataType = formula.type === "field" ? scope.field(formula.name)!.dataType : dataTypeOf(typed.type);
    return { ok: true, typed, dataType, isAggregate: checker.isAggregate, fields: [...checker.fields] };
  } catch (problem) {
    if (problem instanceof FormulaError) return { ok: false, problems: [problem.problem] };
    throw problem;
  }
}

class Checker {
  readonly fields = new Set<string>();
  isAggregate = false;
  bareFieldAt: number | null = null;
  private readonly scope: FormulaScope;

  constructor(scope: FormulaScope) {
    this.scope = scope;
  }

  type(formula: Formula, inAggregate: boolean): Typed {
    const inner = (part: Formula) => this.type(part, inAggregate);
    switch (formula.type) {
      case "number":
        return { kind: "literal", type: formula.value.includes(".") ? "decimal" : "integer", value: formula.value };
      case "text":
        return { kind: "literal", type: "text", value: formula.value };
      case "boolean":
        return { kind: "literal", type: "boolean", value: formula.value };
      case "null":
        return { kind: "literal", type: "null", value: null };
      case "field":
        return this.field(formula.name, formula.at, inAggregate);
      case "token": {
        const type = this.scope.tokenType?.(formula.name);
        if (!type) throw new FormulaError("unknown_token", formula.at, { token: formula.name });
        return { kind: "token", type, name: formula.name };
      }
      case "unary":
        return unary(formula.operator, inner(formula.value), formula.at);
      case "binary":
        return binary(formula.operator, inner(formula.left), inner(formula.right), formula.at);
      case "in":
        return membership(inner(formula.value), formula.items.map(inner), formula.at);
      case "case":
        return this.caseOf(formula, inner);
      case "call":
        return this.call(formula, inAggregate);
    }
  }

  private field(name: string, at: number, inAggregate: boolean): Typed {
    const shape = this.scope.field(name);
    if (!shape) throw new FormulaError("unknown_field", at, { field: name });
    if (shape.isMultiValueField || ["object", "child", "complex"].includes(shape.dataType))
      throw new FormulaError("multi_value_field", at, { field: name });
    this.fields.add(name);
    if (!inAggregate) this.bareFieldAt ??= at;
    return { kind: "field", type: typeOfField(shape), name };
  }

  /** Computed once for a group, so that no row's value has a place in it. */
  private constant(formula: Formula, definition: FormulaFunction): Typed {
    const { tokenType } = this.scope;
    const checker = new Checker({ field: () => undefined, ...(tokenType ? { tokenType } : {}) });
    try {
      return checker.type(formula, false);
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      throw new FormulaError("argument_fixed", formula.at, { signature: definition.signature });
    }
  }

  private caseOf(formula: Extract<Formula, { type: "case" }>, inner: (part: Formula) => Typed): Typed {
    const whens = formula.branches.map(({ when }) => condition(inner(when), when.at));
    const values = [
      ...formula.branches.map(({ value }) => inner(value)),
      ...(formula.otherwise ? [inner(formula.otherwise)] : []),
    ];
    const type = unified(values.map((value) => value.type));
    if (!type) throw new FormulaError("branches_differ", formula.at);
    const settled = values.map((value) => converted(value, type));
    return {
      kind: "case",
      type,
      branches: whens.map((when, index) => ({ when, value: settled[index]! })),
      otherwise: formula.otherwise ? settled.at(-1)! : null,
    };
  }

  private call(formula: Extract<Formula, { type: "call" }>, inAggregate: boolean): Typed {
    const { name, args, at } = formula;
    const definition = formulaFunction(name);
    if (!definition) throw new FormulaError("unknown_function", at, { name });
    const isAggregate = definition.category === "aggregate";
    if (definition.category === "window" && !this.scope.windows)
      throw new FormulaError("window_not_here", at, { name });
    if (isAggregate && !this.scope.aggregates) throw new FormulaError("aggregate_not_here", at, { name });
    if (isAggregate && inAggregate) throw new FormulaError("aggregate_nested", at, { name });
    if (isAggregate) this.isAggregate = true;
    const wanted = definition.parameters;
    const most = definition.repeats ? 100 : wanted.length;
    if (args.length < wanted.length - (definition.optional ?? 0) || args.length > most)
      throw new FormulaError("argument_count", at, { signature: definition.signature });
    const typed = args.map((arg, index) =>
      definition.constant?.includes(index)
        ? this.constant(arg, definition)
        : this.type(arg, inAggregate || isAggregate),
    );
    const fixed = args.map((arg, index) => fixedText(arg, parameterAt(wanted, index), definition));
    const settled = settleArguments(typed, args, definition);
    const types = settled.map((arg) => arg.type);
    const returns = typeof definition.returns === "function" ? definition.returns(counted(types)) : definition.returns;
    return { kind: "call", type: returns, definition, args: settled, fixed };
  }
}

const parameterAt = (wanted: readonly Parameter[], index: number): Parameter => wanted[index] ?? wanted.at(-1)!;

function settleArguments(typed: readonly Typed[], args: readonly Formula[], definition: FormulaFunction): Typed[] {
  const anyTypes = typed
    .filter((_, index) => parameterAt(definition.parameters, index) === "any")
    .map((arg) => arg.type);
  const common = definition.unify ? unified(anyTypes) : null;
  const at = args[0]?.at ?? 0;
  if (definition.unify && !common) throw new FormulaError("branches_differ", at);
  if (definition.ordered && (common === "text" || common === "boolean")) throw new FormulaError("text_order", at);
  const numbersOnly = definition.category === "number";
  return typed.map((arg, index) => {
    const parameter = parameterAt(definition.parameters, index);
    const wrong = () =>
      new FormulaError("argument_type", args[index]!.at, { signature: definition.signature, type: arg.type });
    if (parameter === "any") {
      const type = common ?? arg.type;
      if (numbersOnly && !isNumeric(type) && type !== "null") throw wrong();
      return converted(arg, type === "integer" && numbersOnly ? "decimal" : type);
    }
    const target = targetOf(parameter, arg.type);
    if (!target) throw wrong();
    return converted(arg, target);
  });
}

function targetOf(parameter: Parameter, type: FormulaType): FormulaType | null {
  switch (parameter) {
    case "number":
      return type === "null" ? "decimal" : isNumeric(type) ? type : null;
    case "double":
      return isNumeric(type) || type === "null" ? "double" : null;
    case "integer":
      return type === "integer" || type === "null" ? "integer" : null;
    case "text":
    case "unit":
    case "pattern":
    case "zone":
    case "format":
    case "dayForm":
      return type === "text" || type === "null" ? "text" : null;
    case "boolean":
      return type === "boolean" || type === "null" ? "boolean" : null;
    case "time":
      return type === "date" || type === "datetime" ? type : type === "null" ? "datetime" : null;
    case "any":
      return type;
  }
}

function unified(types: readonly FormulaType[]): FormulaType | null {
  return types.reduce<FormulaType | null>((left, right) => left && commonType(left, right), "null");
}

const converted = (value: Typed, type: FormulaType): Typed =>
  value.type === type ? value : { kind: "convert", type, value };

function condition(value: Typed, at: number): Typed {
  if (value.type !== "boolean" && value.type !== "null") throw new FormulaError("condition_expected", at);
  return converted(value, "boolean");
}

function unary(operator: "-" | "not", value: Typed, at: number): Typed {
  if (operator === "not") return { kind: "not", type: "boolean", value: condition(value, at) };
  if (value.type === "null") return value;
  if (!isNumeric(value.type))
    throw new FormulaError("operand_types", at, { operator: "-", left: value.type, right: "" });
  return { kind: "negate", type: value.type, value };
}

function binary(operator: BinaryOperator, left: Typed, right: Typed, at: number): Typed {
  if (operator === "and" || operator === "or")
    return { kind: operator, type: "boolean", left: condition(left, at), right: condition(right, at) };
  const type = commonType(left.type, right.type);
  const fault = () => new FormulaError("operand_types", at, { operator, left: left.type, right: right.type });
  if (!type) throw fault();
  if (operator === "+" || operator === "-" || operator === "*" || operator === "/" || operator === "%") {
    if (!isNumeric(type) && type !== "null") throw fault();
    const common = type === "double" ? "double" : "decimal";
    const stays = left.type === "integer" && right.type === "integer" && operator !== "/";
    return {
      kind: "arithmetic",
      type: stays ? "integer" : common,
      operator,
      left: converted(left, common),
      right: converted(right, common),
    };
  }
  if (type === "text" && operator !== "=" && operator !== "!=") throw new FormulaError("text_order", at);
  return { kind: "compare", type: "boolean", operator, left: converted(left, type), right: converted(right, type) };
}

function membership(value: Typed, items: Typed[], at: number): Typed {
  const type = unified([value.type, ...items.map((item) => item.type)]);
  if (!type || items.length === 0)
    throw new FormulaError("operand_types", at, { operator: "in", left: value.type, right: "" });
  return {
    kind: "in",
    type: "boolean",
    value: converted(value, type),
    items: items.map((item) => converted(item, type)),
  };
}
