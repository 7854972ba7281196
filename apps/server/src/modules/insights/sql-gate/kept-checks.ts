/**
 * Keeps what the gate found of statements: a dashboard reads the same ones with each of its cards, and reading one takes up to
 * a tenth of a second. Only in the memory of this process, by the whole text and all that it was checked against.
 */
import type { CheckedSql, CheckSql } from "@accord/analytics-engine";

export const KEPT_LIMITS = { entries: 1_000, bytes: 16_000_000 } as const;
/** A text stands in its key and, cut in parts, in what was found; each character may take two bytes. */
const BYTES_A_CHARACTER = 4;

/** What is refused is checked each time. */
export function keepingChecks(check: CheckSql, limits: { entries: number; bytes: number } = KEPT_LIMITS): CheckSql {
  /** The one that was asked for longest ago first. */
  const kept = new Map<string, CheckedSql>();
  let bytes = 0;
  const forget = (key: string): void => {
    if (kept.delete(key)) bytes -= key.length * BYTES_A_CHARACTER;
  };
  return (text, names) => {
    const key = JSON.stringify([text, names.tables, names.variables, [...(names.loads ?? [])]]);
    const checked = kept.get(key) ?? check(text, names);
    forget(key);
    kept.set(key, checked);
    bytes += key.length * BYTES_A_CHARACTER;
    for (const oldest of kept.keys()) {
      if (kept.size <= limits.entries && bytes <= limits.bytes) break;
      forget(oldest);
    }
    return checked;
  };
}
