/** `npm run golden`: compares every golden file; `-- --update` writes them anew, to be read in the diff. */
import { inspect } from "../check/house.ts";
import { hasShrunk, ratchetFaults, readRatchet, writeRatchet } from "../check/ratchet.ts";
import { writeInstallFacts } from "../check/install-facts.ts";
import { runTool } from "../setup/run-tool.ts";

const update = process.argv.includes("--update");
const words = ["run", "--project", "unit", "--project", "integration", "golden"];

const { code } = await runTool("vitest", update ? [...words, "--update"] : words, { show: true });
if (update) {
  const { counts } = inspect();
  const grown = ratchetFaults(counts, readRatchet());
  // Debts are written down when they shrink; growing needs a person to edit the file and say why in the commit.
  if (grown.length === 0 && hasShrunk(counts, readRatchet())) writeRatchet(counts);
  writeInstallFacts();
  console.log("Golden files written. Read the difference: git diff");
}
process.exit(code);
