/** Reads SOQL as far as single objects need it: fields, conditions, order and limits; anything else is a malformed query. */
import { refuse } from "./refusals.ts";

export interface Literal {
  kind: "string" | "number" | "date" | "datetime" | "word";
  text: string;
}
export type Condition =
  | { kind: "and" | "or"; parts: Condition[] }
  | { kind: "not"; part: Condition }
  | { kind: "compare"; path: string; operator: string; values: Literal[] };

export interface Query {
  /** Names, paths through relationships, or `FIELDS(…)`; empty for `COUNT()`. */
  fields: string[];
  isCount: boolean;
  from: string;
  where: Condition | null;
  orderBy: { path: string; isDown: boolean; nullsFirst: boolean }[];
  limit: number | null;
  offset: number;
}

interface Token extends Omit<Literal, "kind"> {
  kind: Literal["kind"] | "sign";
  at: number;
}

const TOKEN =
  /\s*(?:(?<string>'(?:[^'\\\n]|\\.)*')|(?<datetime>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))|(?<date>\d{4}-\d\d-\d\d)(?![\dT])|(?<number>[+-]?\d+(?:\.\d+)?)(?![\w-])|(?<word>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?::\d+)?)|(?<sign>!=|<>|<=|>=|[=<>(),]))/y;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", N: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
const MAX_LENGTH = 100_000;
const MAX_OFFSET = 2000;

export function malformed(text: string, at: number, message: string): never {
  const from = Math.max(0, at - 20);
  const place = `\n${text.slice(from, at + 20)}\n${" ".repeat(at - from)}^\nERROR at Row:1:Column:${at + 1}\n`;
  return refuse(400, "MALFORMED_QUERY", place + message);
}

/** What a text stands for; `\_` and `\%` are left to LIKE. */
function unquoted(source: string, at: number, spelt: string): string {
  return spelt.slice(1, -1).replaceAll(/\\(?:u([0-9A-Fa-f]{4})|(.))/g, (all: string, code?: string, one = "") => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (one === "_" || one === "%") return all;
    if (one === "'" || one === '"' || one === "\\") return one;
    return (
      ESCAPES[one] ?? malformed(source, at, `Invalid string literal ${spelt}. Illegal character sequence '${all}'`)
    );
  });
}

function tokensOf(source: string): Token[] {
  if (source.length > MAX_LENGTH) refuse(400, "QUERY_TOO_COMPLICATED", "SOQL statements can't be longer than 100000");
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  const end = source.trimEnd().length;
  while (pattern.lastIndex < end) {
    const from = pattern.lastIndex;
    const groups = pattern.exec(source)?.groups;
    if (groups === undefined) return malformed(source, from, `unexpected token: '${source.slice(from).trim()[0]}'`);
    const [kind = "sign", spelt = ""] = Object.entries(groups).find(([, text]) => text !== undefined) ?? [];
    const at = pattern.lastIndex - spelt.length;
    if (kind === "string") tokens.push({ kind, text: unquoted(source, at, spelt), at });
    else if (kind === "datetime" || kind === "date" || kind === "number" || kind === "word")
      tokens.push({ kind, text: spelt, at });
    else tokens.push({ kind: "sign", text: spelt, at });
  }
  return tokens;
}

export const parseSoql = (source: string): Query => new Parser(source).whole();

class Parser {
  #at = 0;
  readonly #source: string;
  readonly #tokens: readonly Token[];

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokensOf(source);
  }

  whole(): Query {
    this.#need("SELECT");
    const { fields, isCount } = this.#fields();
    this.#need("FROM");
    const query: Query = { fields, isCount, from: this.#word(), where: null, orderBy: [], limit: null, offset: 0 };
    if (this.#take("WHERE")) query.where = this.#conditions();
    if (this.#take("ORDER")) {
      this.#need("BY");
      do query.orderBy.push(this.#order());
      while (this.#take(","));
    }
    if (this.#take("LIMIT")) query.limit = this.#count();
    if (this.#take("OFFSET")) query.offset = this.#count();
    if (query.offset > MAX_OFFSET)
      refuse(400, "NUMBER_OUTSIDE_VALID_RANGE", `Maximum SOQL offset allowed is ${MAX_OFFSET}`);
    if (this.#at < this.#tokens.length) return this.#unexpected();
    return query;
  }

  #fields(): { fields: string[]; isCount: boolean } {
    if (this.#take("COUNT")) {
      this.#need("(");
      this.#need(")");
      return { fields: [], isCount: true };
    }
    const fields: string[] = [];
    do {
      const name = this.#word();
      if (name.toUpperCase() === "FIELDS" && this.#take("(")) {
        fields.push(`FIELDS(${this.#word().toUpperCase()})`);
        this.#need(")");
      } else if (fields.some((one) => one.toLowerCase() === name.toLowerCase())) {
        refuse(400, "MALFORMED_QUERY", `duplicate field selected: ${name}`);
      } else fields.push(name);
    } while (this.#take(","));
    return { fields, isCount: false };
  }

  /** Conditions joined by AND, or by OR; both side by side need parentheses. */
  #conditions(): Condition {
    const first = this.#condition();
    const joint = this.#is("AND") ? "AND" : "OR";
    if (!this.#is(joint)) return first;
    const parts = [first];
    while (this.#take(joint)) parts.push(this.#condition());
    if (this.#is("AND") || this.#is("OR")) return this.#unexpected();
    return { kind: joint === "AND" ? "and" : "or", parts };
  }

  #condition(): Condition {
    if (this.#take("NOT")) return { kind: "not", part: this.#condition() };
    if (this.#take("(")) {
      const inner = this.#conditions();
      this.#need(")");
      return inner;
    }
    const path = this.#word();
    const token = this.#tokens[this.#at++];
    let operator = token?.text.toUpperCase() ?? "";
    if (operator === "NOT") {
      this.#need("IN");
      operator = "NOT IN";
    }
    if (["IN", "NOT IN", "INCLUDES", "EXCLUDES"].includes(operator)) {
      this.#need("(");
      const values: Literal[] = [];
      do values.push(this.#literal());
      while (this.#take(","));
      this.#need(")");
      return { kind: "compare", path, operator, values };
    }
    if (!["=", "!=", "<>", "<", "<=", ">", ">=", "LIKE"].includes(operator)) return this.#unexpected(this.#at - 1);
    return { kind: "compare", path, operator: operator === "<>" ? "!=" : operator, values: [this.#literal()] };
  }

  #literal(): Literal {
    const token = this.#tokens[this.#at++];
    if (token === undefined || token.kind === "sign") return this.#unexpected(this.#at - 1);
    return { kind: token.kind, text: token.text };
  }

  #order(): Query["orderBy"][number] {
    const path = this.#word();
    const isDown = this.#take("DESC");
    if (!isDown) this.#take("ASC");
    if (!this.#take("NULLS")) return { path, isDown, nullsFirst: true };
    const nullsFirst = this.#take("FIRST");
    if (!nullsFirst) this.#need("LAST");
    return { path, isDown, nullsFirst };
  }

  #count(): number {
    const token = this.#tokens[this.#at++];
    return token?.kind === "number" && /^\d+$/.test(token.text) ? Number(token.text) : this.#unexpected(this.#at - 1);
  }

  #word(): string {
    const token = this.#tokens[this.#at++];
    return token?.kind === "word" ? token.text : this.#unexpected(this.#at - 1);
  }

  #is(text: string): boolean {
    const token = this.#tokens[this.#at];
    return (token?.kind === "word" || token?.kind === "sign") && token.text.toUpperCase() === text;
  }

  #take(text: string): boolean {
    const isNext = this.#is(text);
    if (isNext) this.#at++;
    return isNext;
  }

  #need(text: string): void {
    if (!this.#take(text)) this.#unexpected();
  }

  #unexpected(index = this.#at): never {
    const token = this.#tokens[index];
    if (token === undefined) return malformed(this.#source, this.#source.length, "unexpected token: '<EOF>'");
    return malformed(this.#source, token.at, `unexpected token: '${token.text}'`);
  }
}
