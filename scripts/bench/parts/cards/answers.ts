/** Whether two answers to one question are the same, whatever they call their columns and however they write numbers. */

/** The values of each row. */
export type Rows = readonly (readonly unknown[])[];

/** Throws with a row of each where they differ. */
export function demandSame(question: string, answers: Readonly<Record<string, Rows>>): void {
  const [first, ...others] = Object.entries(answers).map(([from, rows]) => ({
    from,
    rows: rows.map(textOf).toSorted(),
  }));
  for (const { from, rows } of others) {
    const at = Array.from({ length: Math.max(rows.length, first?.rows.length ?? 0) }, (_, index) => index).find(
      (index) => rows[index] !== first?.rows[index],
    );
    if (at === undefined) continue;
    const [one, other] = [first?.rows[at] ?? "no row", rows[at] ?? "no row"];
    throw new Error(`${question}: ${first?.from} answers ${one}, ${from} ${other}`);
  }
}

const textOf = (row: readonly unknown[]): string => row.map(valueOf).join(" | ");

function valueOf(value: unknown): string {
  const text = value === null || value === undefined ? "blank" : String(value);
  if (/^-?\d+(\.\d+)?$/.test(text)) return String(Number(text));
  return /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/.test(text) ? text.slice(0, 10) : text;
}
