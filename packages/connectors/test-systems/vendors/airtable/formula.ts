/** Formulas of simulated Airtable as far as filters need them: operators, logic, texts of times and what a record is. */
export type Value = string | number | boolean | Date | null;

export interface Subject {
  id: string;
  createdTime: Date;
  /** Null while nobody has changed the record. */
  lastModified: Date | null;
  /** By name or id of a field; undefined when there is none. */
  field(name: string): Value | undefined;
}

export class FormulaError extends Error {}

type Evaluate = (subject: Subject) => Value;

const INVALID = "Invalid formula. Please check your formula text.";
const TOKEN =
  /\s*(?:(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>\d+(?:\.\d+)?)|\{(?<field>(?:[^}\\]|\\.)+)\}|(?<word>[A-Za-z_]\w*)|(?<sign>!=|<=|>=|[=<>&+\-*/(),]))/y;

interface Token {
  kind: "text" | "number" | "field" | "word" | "sign";
  text: string;
}

export function parseFormula(source: string, hasField: (name: string) => boolean): (subject: Subject) => boolean {
  const parser = new Parser(tokensOf(source), hasField);
  const evaluate = parser.whole();
  return (subject) => isTrue(evaluate(subject));
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  const end = source.trimEnd().length;
  while (pattern.lastIndex < end) {
    const groups = pattern.exec(source)?.groups;
    if (groups === undefined) throw new FormulaError(INVALID);
    const { text, number, field, word, sign } = groups;
    if (text !== undefined) tokens.push({ kind: "text", text: text.slice(1, -1).replaceAll(/\\(.)/g, "$1") });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (field !== undefined) tokens.push({ kind: "field", text: field.replaceAll(/\\(.)/g, "$1") });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else tokens.push({ kind: "sign", text: sign ?? "" });
  }
  return tokens;
}

const LEVELS = [["=", "!=", "<", ">", "<=", ">="], ["&"], ["+", "-"], ["*", "/"]];

class Parser {
  #at = 0;
  readonly #tokens: readonly Token[];
  readonly #hasField: (name: string) => boolean;

  constructor(tokens: readonly Token[], hasField: (name: string) => boolean) {
    this.#tokens = tokens;
    this.#hasField = hasField;
  }

  whole(): Evaluate {
    const evaluate = this.#level(0);
    if (this.#at < this.#tokens.length) throw new FormulaError(INVALID);
    return evaluate;
  }

  #level(level: number): Evaluate {
    const signs = LEVELS[level];
    if (signs === undefined) return this.#single();
    let left = this.#level(level + 1);
    for (;;) {
      const sign = this.#tokens[this.#at];
      if (sign?.kind !== "sign" || !signs.includes(sign.text)) return left;
      this.#at++;
      const [before, after] = [left, this.#level(level + 1)];
      left = (subject) => operate(sign.text, before(subject), after(subject));
    }
  }

  #single(): Evaluate {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new FormulaError(INVALID);
    if (token.kind === "text") return () => token.text;
    if (token.kind === "number") return () => Number(token.text);
    if (token.kind === "sign") return this.#signed(token.text);
    if (token.kind === "word" && this.#take("(")) return this.#call(token.text.toUpperCase());
    if (!this.#hasField(token.text)) throw new FormulaError(`Unknown field names: ${token.text.toLowerCase()}`);
    return (subject) => subject.field(token.text) ?? null;
  }

  #signed(sign: string): Evaluate {
    if (sign === "-") {
      const operand = this.#single();
      return (subject) => -Number(operand(subject));
    }
    if (sign !== "(") throw new FormulaError(INVALID);
    const inner = this.#level(0);
    if (!this.#take(")")) throw new FormulaError(INVALID);
    return inner;
  }

  #call(name: string): Evaluate {
    const args: Evaluate[] = [];
    if (!this.#take(")")) {
      do args.push(this.#level(0));
      while (this.#take(","));
      if (!this.#take(")")) throw new FormulaError(INVALID);
    }
    const known = FUNCTIONS[name];
    if (known === undefined) throw new FormulaError(`Unknown function names: ${name}`);
    if (args.length < known.least || args.length > known.most) {
      throw new FormulaError(`Invalid arguments for ${name}`);
    }
    return (subject) => {
      const values = args.map((evaluate) => evaluate(subject));
      return known.evaluate(values, subject);
    };
  }

  #take(sign: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "sign" || token.text !== sign) return false;
    this.#at++;
    return true;
  }
}

interface FormulaFunction {
  least: number;
  most: number;
  evaluate(values: readonly Value[], subject: Subject): Value;
}

const FUNCTIONS: Readonly<Record<string, FormulaFunction>> = {
  AND: { least: 1, most: 99, evaluate: (values) => values.every(isTrue) },
  OR: { least: 1, most: 99, evaluate: (values) => values.some(isTrue) },
  NOT: { least: 1, most: 1, evaluate: ([value = null]) => !isTrue(value) },
  IF: { least: 2, most: 3, evaluate: ([test = null, yes = null, no = null]) => (isTrue(test) ? yes : no) },
  BLANK: { least: 0, most: 0, evaluate: () => null },
  TRUE: { least: 0, most: 0, evaluate: () => true },
  FALSE: { least: 0, most: 0, evaluate: () => false },
  NOW: { least: 0, most: 0, evaluate: () => new Date() },
  LOWER: { least: 1, most: 1, evaluate: ([value = null]) => textOf(value).toLowerCase() },
  RECORD_ID: { least: 0, most: 0, evaluate: (_values, subject) => subject.id },
  CREATED_TIME: { least: 0, most: 0, evaluate: (_values, subject) => subject.createdTime },
  LAST_MODIFIED_TIME: { least: 0, most: 0, evaluate: (_values, subject) => subject.lastModified },
  DATETIME_PARSE: { least: 1, most: 3, evaluate: ([value = null]) => timeOf(value) },
  IS_AFTER: { least: 2, most: 2, evaluate: (values) => compareTimes(values, (left, right) => left > right) },
  IS_BEFORE: { least: 2, most: 2, evaluate: (values) => compareTimes(values, (left, right) => left < right) },
  IS_SAME: { least: 2, most: 2, evaluate: (values) => compareTimes(values, (left, right) => left === right) },
};

/** A blank time is neither after nor before another one. */
function compareTimes(values: readonly Value[], test: (left: number, right: number) => boolean): boolean {
  const [left, right] = values.map(timeOf);
  return left instanceof Date && right instanceof Date && test(left.getTime(), right.getTime());
}

function timeOf(value: Value): Date | null {
  if (value instanceof Date) return value;
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d/.test(value)) return null;
  // A time without a zone is one in UTC here.
  const spelt = value.replace(" ", "T");
  const time = new Date(/^.{10}$|Z$|[+-]\d\d:?\d\d$/.test(spelt) ? spelt : `${spelt}Z`);
  return Number.isNaN(time.getTime()) ? null : time;
}

function isTrue(value: Value): boolean {
  return value instanceof Date || Boolean(value);
}

function textOf(value: Value): string {
  if (value === null || value === false) return "";
  return value instanceof Date ? value.toISOString() : String(value);
}

function operate(sign: string, left: Value, right: Value): Value {
  if (sign === "&") return textOf(left) + textOf(right);
  if (sign === "=") return isEqual(left, right);
  if (sign === "!=") return !isEqual(left, right);
  const [first, second] = [numberOf(left), numberOf(right)];
  if (sign === "<") return first < second;
  if (sign === ">") return first > second;
  if (sign === "<=") return first <= second;
  if (sign === ">=") return first >= second;
  if (sign === "+") return first + second;
  if (sign === "-") return first - second;
  return sign === "*" ? first * second : first / second;
}

function isEqual(left: Value, right: Value): boolean {
  if (left instanceof Date || right instanceof Date) return timeOf(left)?.getTime() === timeOf(right)?.getTime();
  if (left === null || right === null) return (left ?? "") === (right ?? "") || (left ?? 0) === (right ?? 0);
  return typeof left === typeof right ? left === right : Number(left) === Number(right);
}

function numberOf(value: Value): number {
  return value instanceof Date ? value.getTime() : Number(value ?? 0);
}
