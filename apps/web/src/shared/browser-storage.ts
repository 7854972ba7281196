/** What is kept in the browser, while its tab is open or for good: nothing where its storage is full or forbidden. */
import type { z } from "zod";

/** Even to name a storage fails where it is forbidden. */
type Open = () => Storage;
const tab: Open = () => sessionStorage;
const browser: Open = () => localStorage;

function read<Kept>(open: Open, key: string, schema: z.ZodType<Kept>): Kept | null {
  try {
    return schema.safeParse(parse(open().getItem(key) ?? "null")).data ?? null;
  } catch {
    return null;
  }
}

/** Earlier versions kept some choices as plain texts. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What can be written as JSON and isn't null. */
type Keepable = object | string;

function keep(open: Open, key: string, kept: Keepable | null): void {
  try {
    if (kept !== null) open().setItem(key, JSON.stringify(kept));
    else open().removeItem(key);
  } catch {
    // It costs what would have been kept, not what is on screen.
  }
}

/** For as long as the tab is open. Null where nothing is kept, or nothing that is understood any more. */
export const readInTab = <Kept>(key: string, schema: z.ZodType<Kept>): Kept | null => read(tab, key, schema);
/** Null: nothing is kept any more. */
export const keepInTab = (key: string, kept: Keepable | null): void => keep(tab, key, kept);

/** A person's choice, for good. Null where nothing is kept, or nothing that is understood any more. */
export const readInBrowser = <Kept>(key: string, schema: z.ZodType<Kept>): Kept | null => read(browser, key, schema);
export const keepInBrowser = (key: string, kept: Keepable | null): void => keep(browser, key, kept);
