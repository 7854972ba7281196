/** Applies the house rules and the ratchet to all files of the project. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../setup/root.mjs";
import { codeFaults, type Fault, firstLineFaults, folderFaults, pathFaults } from "./house-rules.ts";
import { type Counts, countDebts, noCounts } from "./ratchet.ts";
import { sourceFiles } from "./source-files.ts";
import { type Visitor, walk } from "./syntax-walk.ts";

export function inspect(root: string = ROOT): { faults: Fault[]; counts: Counts } {
  const faults: Fault[] = [];
  const counts = noCounts();
  const files = sourceFiles(root);
  faults.push(...folderFaults(files));
  for (const file of files) {
    faults.push(...pathFaults(file));
    const text = readFileSync(join(root, file), "utf8");
    faults.push(...firstLineFaults(file, text));
    if (/\.(ts|tsx)$/.test(file)) {
      walk(file, text, (source) => both(codeFaults(faults)(source), countDebts(counts)(source)));
    }
  }
  return { faults, counts };
}

const both =
  (first: Visitor, second: Visitor): Visitor =>
  (node, ancestors) => {
    first(node, ancestors);
    second(node, ancestors);
  };
