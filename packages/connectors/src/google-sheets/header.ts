/** The first row of a tab: which columns have a name that is theirs alone, and what is wrong with the others. */
import type { PageWarning } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { fill } from "@accord/contracts/messages/fill";

export interface Column {
  name: string;
  /** Counted from 0. */
  index: number;
}

export interface Header {
  columns: ReadonlyMap<string, Column>;
  /** Nothing is guessed: columns that these speak of are not read. */
  problems: PageWarning[];
}

/** Of a field's name. */
const MAX_NAME = 200;

/** `A`, `Z`, `AA`, as columns are called. */
function letterOf(index: number): string {
  const rest = Math.floor(index / 26) - 1;
  return (rest >= 0 ? letterOf(rest) : "") + String.fromCharCode(65 + (index % 26));
}

export const isBlank = (value: Value | undefined): boolean => value === undefined || value === null || value === "";

/** `names`: of the first row, as they are shown. `isFilled`: whether a column has a value below. */
export function headerOf(
  tab: string,
  names: readonly string[],
  width: number,
  isFilled: (index: number) => boolean,
): Header {
  const words = googleSheets.headers;
  const problems: PageWarning[] = [];
  const warn = (code: string, text: string, facts: Record<string, string>): void =>
    void problems.push({ code, message: fill(text, { tab, ...facts }) });
  const found = new Map<string, number[]>();
  for (let index = 0; index < Math.max(names.length, width); index += 1) {
    const name = (names[index] ?? "").trim();
    if (name !== "") found.set(name, [...(found.get(name) ?? []), index]);
    else if (isFilled(index)) warn("blankHeader", words.blank, { column: letterOf(index) });
  }
  const columns = new Map<string, Column>();
  for (const [name, [index = 0, ...others]] of found) {
    const column = letterOf(index);
    if (others.length > 0)
      warn("doubledHeader", words.doubled, { name, columns: [index, ...others].map(letterOf).join(", ") });
    else if (name.length > MAX_NAME) warn("longHeader", words.long, { column });
    // Values are looked up by these names in plain objects, where such names mean something already.
    else if (name in {}) warn("reservedHeader", words.reserved, { column, name });
    else columns.set(name, { name, index });
  }
  return { columns, problems };
}

/** The names in a tab's values, and whether columns have values below them. */
export function headerIn(tab: string, rows: readonly (readonly Value[])[]): Header {
  const [first = [], ...below] = rows;
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const filled = new Set<number>();
  for (const row of below) for (const [index, value] of row.entries()) if (!isBlank(value)) filled.add(index);
  return headerOf(
    tab,
    first.map((value) => (isBlank(value) ? "" : String(value))),
    width,
    (index) => filled.has(index),
  );
}
