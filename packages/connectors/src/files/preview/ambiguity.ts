/** Which texts of a column could be read in two ways, over all of its rows. */
import { dayAndMonth, fitsStyle, type DateOrder, type NumberStyle } from "../cells.ts";

/** What the values of one column say. */
interface ColumnFacts {
  filled: number;
  dates: number;
  /** Values in which only one order makes a date. */
  onlyDayFirst: number;
  onlyMonthFirst: number;
  dateExample: string | null;
  /** The first value that has only one order, and the first number of only one style. */
  dateProof: string | null;
  numberProof: string | null;
  point: number;
  comma: number;
  /** Numbers in either style. */
  both: number;
  /** Values with a separator in them. */
  separated: number;
  numberExample: string | null;
}

export interface Question {
  setting: "dates" | "numbers";
  column: string;
  example: string;
}

export class Ambiguities {
  readonly #columns = new Map<string, ColumnFacts>();
  readonly #isText: boolean;

  constructor(isText: boolean) {
    this.#isText = isText;
  }

  add(column: string, text: string): void {
    if (text.trim() === "") return;
    const facts = this.#columns.get(column) ?? none();
    this.#columns.set(column, facts);
    facts.filled += 1;
    const numbers = dayAndMonth(text);
    if (numbers) {
      const [first, second] = numbers;
      facts.dates += 1;
      if (first > 12 || second > 12) facts.dateProof ??= text.trim();
      if (first > 12) facts.onlyDayFirst += 1;
      else if (second > 12) facts.onlyMonthFirst += 1;
      else if (first !== second) facts.dateExample ??= text.trim();
    } else if (this.#isText) addNumber(facts, text);
  }

  /** What all dates prove, or what has to be asked. Columns that hold something else too are texts either way. */
  dates(): { proven: DateOrder | null; question: Question | null } {
    const dated = [...this.#columns].filter(([, facts]) => facts.dates > 0 && facts.dates === facts.filled);
    const isDayFirst = dated.some(([, facts]) => facts.onlyDayFirst > 0 && facts.onlyMonthFirst === 0);
    const isMonthFirst = dated.some(([, facts]) => facts.onlyMonthFirst > 0 && facts.onlyDayFirst === 0);
    if (isDayFirst !== isMonthFirst) return { proven: isDayFirst ? "dayFirst" : "monthFirst", question: null };
    const open = dated.filter(([, facts]) => isDayFirst || (facts.onlyDayFirst === 0 && facts.onlyMonthFirst === 0));
    return { proven: null, question: questionOf("dates", open, ({ dateExample }) => dateExample) };
  }

  /** Columns of nothing but numbers in one style prove it. */
  provenNumbers(): NumberStyle | null {
    const { isPoint, isComma } = this.#numeric();
    return isPoint === isComma ? null : isPoint ? "point" : "comma";
  }

  /** Whether a value is a number in either style, and another one in each. */
  get hasOpenNumbers(): boolean {
    return [...this.#columns.values()].some(({ numberExample }) => numberExample !== null);
  }

  /** What has to be asked. `readAsNumbers`: columns that would be, with what is proposed, whatever else is in them. */
  numberQuestion(readAsNumbers: ReadonlySet<string>): Question | null {
    const { numeric, isPoint, isComma } = this.#numeric();
    const proven = this.provenNumbers();
    const open = [...this.#columns].filter(([column, facts]) => {
      if (proven !== null) return readAsNumbers.has(column) && againstIt(facts, proven) > 0;
      const isOpen = (isPoint && isComma) || facts.point === facts.comma;
      return readAsNumbers.has(column) || (isOpen && numeric.has(column));
    });
    return questionOf("numbers", open, ({ numberExample }) => numberExample);
  }

  /** What is asked where an earlier answer says otherwise than what is proven: about a value that proves it. */
  dateProof(): Question | null {
    const dated = [...this.#columns].filter(([, facts]) => facts.dates > 0 && facts.dates === facts.filled);
    return questionOf("dates", dated, (facts) => facts.dateProof);
  }

  numberProof(): Question | null {
    const { numeric } = this.#numeric();
    const columns = [...this.#columns].filter(([column]) => numeric.has(column));
    return questionOf("numbers", columns, (facts) => facts.numberProof);
  }

  #numeric(): { numeric: ReadonlySet<string>; isPoint: boolean; isComma: boolean } {
    const numeric = [...this.#columns].filter(
      ([, facts]) => facts.separated > 0 && Math.max(facts.point, facts.comma) === facts.filled,
    );
    const isPoint = numeric.some(([, facts]) => facts.point === facts.filled && facts.comma < facts.filled);
    const isComma = numeric.some(([, facts]) => facts.comma === facts.filled && facts.point < facts.filled);
    return { numeric: new Set(numeric.map(([column]) => column)), isPoint, isComma };
  }
}

/** Values that are numbers in the other style only. */
const againstIt = ({ point, comma, both }: ColumnFacts, proven: NumberStyle): number =>
  (proven === "point" ? comma : point) - both;

/** About the first column that has an example. */
function questionOf(
  setting: Question["setting"],
  columns: readonly (readonly [string, ColumnFacts])[],
  exampleOf: (facts: ColumnFacts) => string | null,
): Question | null {
  for (const [column, facts] of columns) {
    const example = exampleOf(facts);
    if (example !== null) return { setting, column, example };
  }
  return null;
}

const none = (): ColumnFacts => ({
  ...{ filled: 0, dates: 0, onlyDayFirst: 0, onlyMonthFirst: 0, dateExample: null },
  ...{ dateProof: null, numberProof: null },
  ...{ point: 0, comma: 0, both: 0, separated: 0, numberExample: null },
});

function addNumber(facts: ColumnFacts, text: string): void {
  const isPoint = fitsStyle(text, "point");
  const isComma = fitsStyle(text, "comma");
  if (isPoint) facts.point += 1;
  if (isComma) facts.comma += 1;
  if (isPoint && isComma) facts.both += 1;
  if ((isPoint || isComma) && /[.,]/.test(text)) {
    facts.separated += 1;
    if (isPoint && isComma) facts.numberExample ??= text.trim();
    else facts.numberProof ??= text.trim();
  }
}
