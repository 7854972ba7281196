/** Formulas as text: `if([amount] > 100, [amount] * 0.9, [amount])`. Reads them into a tree, with a place for each fault. */

/** `at` is where the part begins in the text, for messages and markers. */
export type Formula =
  | { type: "number"; value: string; at: number }
  | { type: "text"; value: string; at: number }
  | { type: "boolean"; value: boolean; at: number }
  | { type: "null"; at: number }
  | { type: "field"; name: string; at: number }
  | { type: "token"; name: string; at: number }
  | { type: "unary"; operator: "-" | "not"; value: Formula; at: number }
  | { type: "binary"; operator: BinaryOperator; left: Formula; right: Formula; at: number }
  | { type: "in"; value: Formula; items: Formula[]; at: number }
  | { type: "case"; branches: { when: Formula; value: Formula }[]; otherwise: Formula | null; at: number }
  | { type: "call"; name: string; args: Formula[]; at: number };

export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "and" | "or";

export const FORMULA_PROBLEM_CODES = [
  "unexpected",
  "unfinished",
  "too_long",
  "too_deep",
  "unknown_function",
  "argument_count",
  "argument_type",
  "argument_fixed",
  "operand_types",
  "text_order",
  "condition_expected",
  "branches_differ",
  "unknown_field",
  "multi_value_field",
  "unknown_token",
  "aggregate_not_here",
  "window_not_here",
  "aggregate_nested",
  "field_outside_aggregate",
] as const;
export type FormulaProblemCode = (typeof FORMULA_PROBLEM_CODES)[number];

export interface FormulaProblem {
  code: FormulaProblemCode;
  at: number;
  facts: Record<string, string>;
}

export class FormulaError extends Error {
  override readonly name = "FormulaError";
  readonly problem: FormulaProblem;
  constructor(code: FormulaProblemCode, at: number, facts: Record<string, string> = {}) {
    super(`${code} at ${at}`);
    this.problem = { code, at, facts };
  }
}

const MAX_LENGTH = 10_000;
const MAX_DEPTH = 60;

interface Lexeme {
  kind: "number" | "text" | "field" | "token" | "word" | "sign" | "end";
  value: string;
  at: number;
}

const LEXEMES =
  /\s+|(?<number>\d+(?:\.\d+)?|\.\d+)|'(?<text>(?:[^']|'')*)'|\[(?<field>[^[\]]+)\]|\{\{(?<token>[^{}]+)\}\}|(?<word>[A-Za-z_][A-Za-z0-9_]*)|(?<sign><=|>=|!=|<>|[-+*/%=<>(),])/y;

function readLexemes(text: string): Lexeme[] {
  if (text.length > MAX_LENGTH) throw new FormulaError("too_long", MAX_LENGTH);
  const found: Lexeme[] = [];
  LEXEMES.lastIndex = 0;
  while (LEXEMES.lastIndex < text.length) {
    const at = LEXEMES.lastIndex;
    const groups = LEXEMES.exec(text)?.groups;
    if (!groups) throw new FormulaError("unexpected", at, { text: text[at]! });
    const [kind, value] = Object.entries(groups).find(([, part]) => part !== undefined) ?? [];
    if (kind !== undefined) found.push(lexeme(kind as Lexeme["kind"], value!, at));
  }
  return [...found, { kind: "end", value: "", at: text.length }];
}

function lexeme(kind: Lexeme["kind"], value: string, at: number): Lexeme {
  if (kind === "text") return { kind, value: value.replaceAll("''", "'"), at };
  if (kind === "word") return { kind, value: value.toLowerCase(), at };
  if (kind === "sign") return { kind, value: value === "<>" ? "!=" : value, at };
  return { kind, value: value.trim(), at };
}

const STRENGTH: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  "=": 4,
  "!=": 4,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  in: 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6,
};
const NOT_STRENGTH = 3;
const MINUS_STRENGTH = 7;

class Parser {
  private readonly lexemes: readonly Lexeme[];
  private index = 0;
  private depth = 0;

  constructor(text: string) {
    this.lexemes = readLexemes(text);
  }

  whole(): Formula {
    const formula = this.expression(0);
    if (this.next.kind !== "end") this.fail();
    return formula;
  }

  private get next(): Lexeme {
    return this.lexemes[this.index]!;
  }

  private fail(): never {
    const { kind, value, at } = this.next;
    throw kind === "end" ? new FormulaError("unfinished", at) : new FormulaError("unexpected", at, { text: value });
  }

  private take(): Lexeme {
    const lexeme = this.next;
    this.index++;
    return lexeme;
  }

  private is(value: string): boolean {
    return (this.next.kind === "sign" || this.next.kind === "word") && this.next.value === value;
  }

  private accept(value: string): boolean {
    if (!this.is(value)) return false;
    this.index++;
    return true;
  }

  private expect(value: string): void {
    if (!this.accept(value)) this.fail();
  }

  private expression(least: number): Formula {
    if (++this.depth > MAX_DEPTH) throw new FormulaError("too_deep", this.next.at);
    let left = this.operand();
    for (;;) {
      const { kind, value, at } = this.next;
      const strength = kind === "sign" || kind === "word" ? STRENGTH[value] : undefined;
      if (strength === undefined || strength <= least) break;
      this.index++;
      left =
        value === "in"
          ? { type: "in", value: left, items: this.list(), at }
          : { type: "binary", operator: value as BinaryOperator, left, right: this.expression(strength), at };
    }
    this.depth--;
    return left;
  }

  private operand(): Formula {
    const { kind, value, at } = this.take();
    switch (kind) {
      case "number":
      case "text":
        return { type: kind, value, at };
      case "field":
      case "token":
        return { type: kind, name: value, at };
      case "sign":
        if (value === "-") return { type: "unary", operator: "-", value: this.expression(MINUS_STRENGTH), at };
        if (value === "(") {
          const inner = this.expression(0);
          this.expect(")");
          return inner;
        }
        break;
      case "word":
        return this.word(value, at);
      case "end":
        break;
    }
    this.index--;
    return this.fail();
  }

  private word(word: string, at: number): Formula {
    switch (word) {
      case "true":
      case "false":
        return { type: "boolean", value: word === "true", at };
      case "null":
        return { type: "null", at };
      case "not":
        return { type: "unary", operator: "not", value: this.expression(NOT_STRENGTH), at };
      case "case":
        return this.caseOf(at);
      default:
        if (this.is("(")) return { type: "call", name: word, args: this.list(), at };
        this.index--;
        return this.fail();
    }
  }

  private caseOf(at: number): Formula {
    const branches: { when: Formula; value: Formula }[] = [];
    while (this.accept("when")) {
      const when = this.expression(0);
      this.expect("then");
      branches.push({ when, value: this.expression(0) });
    }
    const otherwise = this.accept("else") ? this.expression(0) : null;
    if (branches.length === 0) this.fail();
    this.expect("end");
    return { type: "case", branches, otherwise, at };
  }

  private list(): Formula[] {
    this.expect("(");
    if (this.accept(")")) return [];
    const items = [this.expression(0)];
    while (this.accept(",")) items.push(this.expression(0));
    this.expect(")");
    return items;
  }
}

/** The tree of a formula, or the first fault. */
export function parseFormula(text: string): { ok: true; formula: Formula } | { ok: false; problems: FormulaProblem[] } {
  try {
    return { ok: true, formula: new Parser(text).whole() };
  } catch (problem) {
    if (problem instanceof FormulaError) return { ok: false, problems: [problem.problem] };
    throw problem;
  }
}
