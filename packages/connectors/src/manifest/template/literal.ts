/** Reads the text that a template made as a literal of Python where it is one: `5`, `True`, `['a', 2]`, `{'b': None}`. */
import type { Value } from "@accord/contracts/data/values";

const NOTHING = Symbol("no literal");
/** Deeper and longer texts stay texts. */
const MAX_DEPTH = 50;
const MAX_LENGTH = 1_000_000;

const NUMBER = /[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y;
const WORD = /(?:True|False|None)(?![\w])/y;
const WORDS: Readonly<Record<string, Value>> = { True: true, False: false, None: null };
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\\": "\\", "'": "'", '"': '"' };

class Reader {
  readonly #text: string;
  #at = 0;
  constructor(text: string) {
    this.#text = text;
  }

  /** The literal that the whole text is. */
  whole(): Value | typeof NOTHING {
    this.#space();
    const value = this.#value(0);
    this.#space();
    return this.#at === this.#text.length ? value : NOTHING;
  }

  #space(): void {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "x")) this.#at += 1;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #value(depth: number): Value | typeof NOTHING {
    if (depth > MAX_DEPTH) return NOTHING;
    this.#space();
    const sign = this.#text[this.#at] ?? "";
    if (sign === "'" || sign === '"') return this.#string(sign);
    if (sign === "[") return this.#list("]", depth);
    if (sign === "(") return this.#list(")", depth);
    if (sign === "{") return this.#dictionary(depth);
    const word = this.#match(WORD);
    if (word !== null) return WORDS[word] ?? null;
    return this.#number();
  }

  #number(): Value | typeof NOTHING {
    const text = this.#match(NUMBER);
    if (text === null || /^[+-]?0\d/.test(text) || /__|_$|_\./.test(text)) return NOTHING;
    const digits = text.replaceAll("_", "");
    const number = Number(digits);
    if (!Number.isFinite(number)) return NOTHING;
    // Whole numbers that a number here can't hold keep their digits.
    return /^[+-]?\d+$/.test(digits) && !Number.isSafeInteger(number) ? digits : number;
  }

  #string(mark: string): Value | typeof NOTHING {
    let text = "";
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      const unit = this.#text[at] ?? "";
      if (unit === mark) {
        this.#at = at + 1;
        return text;
      }
      if (unit === "\n") return NOTHING;
      if (unit === "\\") {
        at += 1;
        const next = this.#text[at] ?? "";
        text += ESCAPES[next] ?? `\\${next}`;
      } else text += unit;
    }
    return NOTHING;
  }

  #list(end: string, depth: number): Value | typeof NOTHING {
    const items: Value[] = [];
    let hasComma = false;
    this.#at += 1;
    for (;;) {
      this.#space();
      if (this.#text[this.#at] === end) {
        this.#at += 1;
        // `(5)` is a number in brackets, `(5,)` a list of one.
        const [only] = items;
        return end === ")" && items.length === 1 && !hasComma && only !== undefined ? only : items;
      }
      if (items.length > 0 && !hasComma) return NOTHING;
      const item = this.#value(depth + 1);
      if (item === NOTHING) return NOTHING;
      items.push(item);
      hasComma = this.#comma();
    }
  }

  #dictionary(depth: number): Value | typeof NOTHING {
    const entries: [string, Value][] = [];
    let hasComma = true;
    this.#at += 1;
    for (;;) {
      this.#space();
      if (this.#text[this.#at] === "}") {
        this.#at += 1;
        return Object.fromEntries(entries);
      }
      if (!hasComma) return NOTHING;
      const key = this.#value(depth + 1);
      this.#space();
      if (key === NOTHING || typeof key === "object" || this.#text[this.#at] !== ":") return NOTHING;
      this.#at += 1;
      const value = this.#value(depth + 1);
      if (value === NOTHING) return NOTHING;
      entries.push([String(key), value]);
      hasComma = this.#comma();
    }
  }

  #comma(): boolean {
    this.#space();
    if (this.#text[this.#at] !== ",") return false;
    this.#at += 1;
    return true;
  }
}

/** The value that a text is a literal of, else the text itself. */
export function evaluateLiteral(text: string): Value {
  if (text.length > MAX_LENGTH || !/^[\s\d+\-.'"[({TFN]/.test(text)) return text;
  const value = new Reader(text).whole();
  return value === NOTHING ? text : value;
}
