/** `npm run check`: everything about the code that a machine can judge. Each failure says how to fix it. */
import { type Fault } from "../check/house-rules.ts";
import { inspect } from "../check/house.ts";
import { installFaults } from "../check/install-facts.ts";
import { hasShrunk, ratchetFaults, readRatchet } from "../check/ratchet.ts";
import { recipeFaults } from "../check/recipes.ts";
import { runTool } from "../setup/run-tool.ts";

interface Step {
  name: string;
  fix: string;
  /** What is wrong, ready to print; empty when all is well. */
  run: () => Promise<string>;
}

const tool =
  (name: string, ...words: string[]) =>
  async (): Promise<string> => {
    const { code, output } = await runTool(name, words, { environment: { NO_COLOR: "1" } });
    return code === 0 ? "" : output.trim() || `${name} ended with ${code}`;
  };
const list = (faults: readonly Fault[]): string =>
  faults.map(({ file, line, rule, fix }) => `${file}:${line}  ${rule}: ${fix}`).join("\n");

const STEPS: readonly Step[] = [
  { name: "format", fix: "npx oxfmt", run: tool("oxfmt", "--check") },
  { name: "types", fix: "fix the types where tsc points", run: tool("tsc", "-p", "tsconfig.json") },
  { name: "lint", fix: "npx oxlint --fix, and the rest by hand", run: tool("oxlint", "--quiet") },
  {
    name: "imports",
    fix: "docs/ARCHITECTURE.md says who may import whom; the rules are in .dependency-cruiser.mjs",
    run: tool("depcruise", "--config", ".dependency-cruiser.mjs", "--output-type", "err-long", "packages", "apps"),
  },
  {
    name: "unused",
    fix: "delete what nothing uses, or remove the package from that package.json",
    run: tool("knip", "--no-progress", "--no-config-hints"),
  },
  { name: "house rules", fix: "CONTRIBUTING.md explains each", run: async () => house() },
  {
    name: "packages",
    fix: "npm run golden -- --update after reading what changed",
    run: async () => list(installFaults()),
  },
  { name: "recipes", fix: "make scripts/new follow what has changed, and docs/recipes with it", run: recipeFaults },
];

let failed = 0;
for (const { name, fix, run } of STEPS) {
  const started = performance.now();
  const problems = await run();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${problems ? "✗" : "✓"} ${name} (${seconds} s)`);
  if (!problems) continue;
  failed++;
  console.log(`${problems.replace(/^/gm, "  ")}\n  → ${fix}\n`);
}
console.log(failed === 0 ? "All checks passed." : `${failed} of ${STEPS.length} checks failed.`);
process.exit(failed === 0 ? 0 : 1);

function house(): string {
  const { faults, counts } = inspect();
  const allowed = readRatchet();
  if (hasShrunk(counts, allowed)) console.log("  Debts have shrunk: npm run golden -- --update keeps them down.");
  return list([...faults, ...ratchetFaults(counts, allowed)]);
}
