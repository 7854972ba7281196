/** `npm run bench`: every file of scripts/bench, or those named; a table, or `--json` for programs. */
import { existsSync, readdirSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../setup/root.mjs";
import type { Measure, Measurement } from "../setup/measurement.ts";

const FOLDER = join(ROOT, "scripts/bench");
const words = process.argv.slice(2);
const json = words.includes("--json");
const known = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length));
const named = words.filter((word) => known.includes(word));
const rest = words.filter((word) => word !== "--json" && !known.includes(word));
const unknown = rest.find((word) => !word.startsWith("--") && !existsSync(word) && named.length === 0);

if (unknown) {
  console.error(`There is no bench "${unknown}". There are: ${known.join(", ")}.`);
  process.exit(2);
}
// What a bench tells on the way goes beside the result, so that `--json` stays readable by programs.
const say = (line: string): void => console.error(line);
const measured: Measurement[] = [];
for (const name of named.length > 0 ? named : known) {
  say(`${name} …`);
  // Each file of the folder has this one export; there is no list to keep.
  const bench = (await import(pathToFileURL(join(FOLDER, `${name}.ts`)).href)) as { measure: Measure };
  measured.push(...(await bench.measure(rest, say)));
}
if (json) {
  console.log(JSON.stringify(measured.map(({ better: _, ...row }) => ({ ...row, ratio: ratioOf(row) }))));
} else {
  console.log(`\n${machine()}`);
  console.table(
    Object.fromEntries(
      measured.map((row) => [
        row.name,
        {
          ours: round(row.ours),
          limit: round(row.limit),
          unit: row.unit,
          ratio: ratioOf(row),
          better: row.better,
          "RSS MB": row.rssMb,
        },
      ]),
    ),
  );
}
process.exit(0);

function machine(): string {
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, ${memory} GB, Node ${process.versions.node}`;
}

function ratioOf({ ours, limit }: { ours: number; limit: number }): number {
  return Math.round((ours / limit) * 1000) / 1000;
}

function round(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}
