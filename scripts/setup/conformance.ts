/** What the conformance kit came to, for each system that it was run against. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "./root.mjs";
import type { Results } from "./test-results.ts";

/** Part of the title of everything that the kit declares. */
export const KIT_TITLE = "keeps the connector's promise";

/** Tests of one kind: those that passed, failed, and had nothing to ask of this system, with the reasons. */
export interface AreaResult {
  passed: number;
  failed: number;
  notApplicable: string[];
}

export interface ConformanceRow {
  /** Type of the connector. */
  connector: string;
  /** The connector's name, with what its test says of the system where there are several. */
  system: string;
  /** By what the kit calls them, in its order. */
  areas: Record<string, AreaResult>;
}

/** Paths, from the root, of all test files that run the kit. */
export const conformanceFiles = (): string[] =>
  ["packages", "apps"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".int.test.ts") && !file.includes("node_modules"))
      .map((file) => join(ROOT, folder, file))
      .filter((path) => /\btestConnector\(/.test(readFileSync(path, "utf8")))
      .map((path) => relative(ROOT, path)),
  );

/** One row for each time that the kit was run, in the order of their names. */
export function conformanceRows({ testResults }: Results): ConformanceRow[] {
  const rows = new Map<string, ConformanceRow>();
  for (const file of testResults)
    for (const { ancestorTitles = [], status, meta } of file.assertionResults) {
      const at = ancestorTitles.findIndex((title) => title.includes(KIT_TITLE));
      if (at === -1 || status === "skipped") continue;
      const name = (ancestorTitles[at] ?? "").replace(` ${KIT_TITLE}`, "");
      const system = [name, ...ancestorTitles.slice(0, at)].join(", ");
      const key = `${system}\n${file.name}`;
      const row = rows.get(key) ?? { connector: meta?.connector ?? "", system, areas: {} };
      rows.set(key, row);
      row.connector ||= meta?.connector ?? "";
      const area = ancestorTitles[at + 1] ?? "";
      const result = (row.areas[area] ??= { passed: 0, failed: 0, notApplicable: [] });
      if (status !== "passed") result.failed += 1;
      else if (meta?.notApplicable === undefined) result.passed += 1;
      else result.notApplicable.push(meta.notApplicable);
    }
  return [...rows.values()].toSorted((one, other) => one.system.localeCompare(other.system));
}
