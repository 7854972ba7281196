/** What the operators of templates do with values, as in Python. */
import { MissingValueError, TemplateError } from "./errors.ts";
import { Duration, Moment } from "./moments.ts";
import {
  areEqual,
  compareItems,
  isDictionary,
  isList,
  isNumeric,
  kindOf,
  limited,
  MAX_TEXT,
  spendOn,
  textOf,
  type Item,
} from "./values.ts";

type Operate = (left: Item, right: Item) => Item;

const refuse = (sign: string, left: Item, right: Item): TemplateError =>
  new TemplateError(`${sign} is not possible between ${kindOf(left)} and ${kindOf(right)}`);

const numbers =
  (sign: string, compute: (left: number, right: number) => number): Operate =>
  (left, right) => {
    if (!isNumeric(left) || !isNumeric(right)) throw refuse(sign, left, right);
    return compute(Number(left), Number(right));
  };

const divisor = (right: number): number => {
  if (right === 0) throw new TemplateError("A number is divided by zero");
  return right;
};

const add: Operate = (left, right) => {
  if (typeof left === "string" && typeof right === "string") return limited(left + right);
  if (isList(left) && isList(right)) {
    spendOn([left, right]);
    return [...left, ...right];
  }
  if (left instanceof Moment && right instanceof Duration) return left.plus(right);
  if (left instanceof Duration && right instanceof Moment) return right.plus(left);
  if (left instanceof Duration && right instanceof Duration)
    return new Duration(left.months + right.months, left.ms + right.ms, left.micros + right.micros);
  return numbers("+", (a, b) => a + b)(left, right);
};

const subtract: Operate = (left, right) => {
  if (left instanceof Moment && right instanceof Duration) return left.plus(right, -1);
  if (left instanceof Moment && right instanceof Moment)
    return new Duration(0, left.ms - right.ms, left.micros - right.micros);
  if (left instanceof Duration && right instanceof Duration) return add(left, right.negated());
  return numbers("-", (a, b) => a - b)(left, right);
};

const multiply: Operate = (left, right) => {
  if (typeof left === "string" && isNumeric(right)) return repeated(left, Number(right));
  if (typeof right === "string" && isNumeric(left)) return repeated(right, Number(left));
  if (left instanceof Duration && isNumeric(right))
    return new Duration(left.months * Number(right), left.ms * Number(right));
  return numbers("*", (a, b) => a * b)(left, right);
};

function repeated(text: string, times: number): string {
  if (times * text.length > MAX_TEXT) throw new TemplateError("A template made a text that is too long");
  return limited(text.repeat(Math.max(0, times)));
}

export function contains(whole: Item, part: Item): boolean {
  if (whole === undefined) return false;
  if (typeof whole === "string") {
    spendOn([whole]);
    if (typeof part === "string") return whole.includes(part);
    throw refuse("in", part, whole);
  }
  if (isList(whole)) return whole.some((item) => areEqual(item, part));
  if (isDictionary(whole)) return typeof part === "string" && whole.has(part);
  throw refuse("in", part, whole);
}

/** Those that need both sides; `and` and `or` don't. */
export const OPERATORS: Readonly<Record<string, Operate>> = {
  "==": areEqual,
  "!=": (left, right) => !areEqual(left, right),
  "<": (left, right) => compareItems(left, right) < 0,
  ">": (left, right) => compareItems(left, right) > 0,
  "<=": (left, right) => compareItems(left, right) <= 0,
  ">=": (left, right) => compareItems(left, right) >= 0,
  in: (left, right) => contains(right, left),
  "not in": (left, right) => !contains(right, left),
  "~": (left, right) => limited(textOf(left) + textOf(right)),
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": numbers("/", (a, b) => a / divisor(b)),
  "//": numbers("//", (a, b) => Math.floor(a / divisor(b))),
  "%": numbers("%", (a, b) => a - Math.floor(a / divisor(b)) * b),
  "**": numbers("**", (a, b) => {
    const power = a ** b;
    if (!Number.isFinite(power)) throw new TemplateError("A number is too large");
    return power;
  }),
};

/** Operators that say what is missing rather than work on it. */
const TAKES_NOTHING: ReadonlySet<string> = new Set(["==", "!=", "in", "not in", "~"]);

export function operate(sign: string, left: Item, right: Item): Item {
  const operator = OPERATORS[sign];
  if (!operator) throw new TemplateError(`The operator ${sign} is not known`);
  if (!TAKES_NOTHING.has(sign) && (left === undefined || right === undefined))
    throw new MissingValueError("worked on nothing");
  return operator(left, right);
}
