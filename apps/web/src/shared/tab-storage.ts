/** What is kept for as long as the browser's tab is open: nothing where its storage is full or forbidden. */
import type { z } from "zod";

/** Null where nothing is kept, or nothing that is understood any more. */
export function readInTab<Kept>(key: string, schema: z.ZodType<Kept>): Kept | null {
  try {
    return schema.safeParse(JSON.parse(sessionStorage.getItem(key) ?? "null")).data ?? null;
  } catch {
    return null;
  }
}

/** Null: nothing is kept any more. */
export function keepInTab(key: string, kept: object | null): void {
  try {
    if (kept) sessionStorage.setItem(key, JSON.stringify(kept));
    else sessionStorage.removeItem(key);
  } catch {
    // It costs what would have been kept, not what is on screen.
  }
}
