/** The formats that files are read in; another one is a file beside this one and a line in this list. */
import type { Format } from "./format.ts";
import { csv, jsonl } from "./text.ts";
import { xlsx } from "./xlsx/index.ts";

const FORMATS: readonly Format[] = [csv, jsonl, xlsx];

/** By the ending of its name; undefined for what is no file of data. */
export const formatOf = (name: string): Format | undefined => {
  const base = name.split("/").at(-1) ?? name;
  const ending = /\.(\w+)$/.exec(base)?.[1]?.toLowerCase() ?? "";
  // A workbook that is open in Excel has such a file beside it.
  if (base.startsWith(".") || base.startsWith("~$")) return undefined;
  return FORMATS.find(({ endings }) => endings.includes(ending));
};

/** An owner of requests reads no more. */
export async function releaseReader(owner: object): Promise<void> {
  for (const { release } of FORMATS) await release?.(owner);
}
