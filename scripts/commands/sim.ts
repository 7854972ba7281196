/**
 * `npm run sim`: plays simulated histories of the sync engine on all cores.
 * `--seeds N --from S`: these; `--by-commit N`: N more that follow from the commit, so that each one plays its own.
 * `--fault NAME|list`: with an injected fault; `--trace`: one history, line by line; `--json`: figures for programs.
 */
import { REGRESSION_SEEDS, FAULTS, runSimulation } from "@accord/sync-simulation";
import { parseArgs } from "node:util";
import { commitHash } from "../setup/commit-hash.ts";
import { playAll, type SeedRange } from "../sim/play-all.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "2000" },
    from: { type: "string", default: "1" },
    "by-commit": { type: "string", default: "0" },
    fault: { type: "string" },
    trace: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const fault = values.fault === undefined ? {} : { fault: values.fault };

function listFaults(): void {
  const faults = Object.entries(FAULTS).map(([name, { says }]) => ({ name, says }));
  if (values.json) console.log(JSON.stringify(faults));
  else for (const { name, says } of faults) console.log(`${name.padEnd(22)} ${says}`);
}

function trace(seed: number): void {
  const { lost, doubled, stuck, violations } = runSimulation(seed, FAULTS[values.fault ?? ""] ?? {}, (line) =>
    console.log(line),
  );
  console.log(JSON.stringify({ seed, lost, doubled, stuck, violations }));
}

/** Where the seeds of this commit begin. */
const seedOfCommit = (): number => 1_000_000 + Number.parseInt(commitHash().slice(0, 7), 16);

async function playSeeds(): Promise<number> {
  const ranges: SeedRange[] = [{ from: Number(values.from), seeds: Number(values.seeds), ...fault }];
  if (Number(values["by-commit"]) > 0) {
    ranges.push({ from: seedOfCommit(), seeds: Number(values["by-commit"]), ...fault });
    for (const from of REGRESSION_SEEDS) ranges.push({ from, seeds: 1, ...fault });
  }
  const began = performance.now();
  const report = await playAll(ranges);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  if (values.json) console.log(JSON.stringify({ ...report, seconds }));
  else {
    const { runs, lost, doubled, stuck, violations, drifts, renames, newFields, typeChanges } = report;
    console.log(
      `${runs} histories in ${seconds} s: lost ${lost}, doubled ${doubled}, stuck ${stuck}, broken rules ${violations}; ${drifts} with a field that vanished, ${renames} with one that was renamed, ${newFields} with a new one, ${typeChanges} with one of another type`,
    );
  }
  const { failedSeeds } = report;
  if (failedSeeds.length > 0 && !values.json) {
    console.log(`failed: ${failedSeeds.slice(0, 50).join(", ")}`);
    console.log(`to read the first: npm run sim -- --from ${failedSeeds[0]} --trace`);
  }
  return failedSeeds.length > 0 && !values.fault ? 1 : 0;
}

if (values.fault === "list") listFaults();
else if (values.trace) trace(Number(values.from));
else process.exitCode = await playSeeds();
