/** `npm run sim`: plays simulated histories of the sync engine. `--seeds N --from S --plant NAME|list --trace --json`. */
import { PLANTS, play, simulate } from "@accord/sync-engine/simulation";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "2000" },
    from: { type: "string", default: "1" },
    plant: { type: "string" },
    trace: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

function print(): number {
  if (values.plant === "list") {
    const plants = Object.entries(PLANTS).map(([name, { says }]) => ({ name, says }));
    if (values.json) console.log(JSON.stringify(plants));
    else for (const { name, says } of plants) console.log(`${name.padEnd(20)} ${says}`);
    return 0;
  }
  const from = Number(values.from);
  if (values.trace) {
    const { lost, doubled, stuck, violations } = play(from, PLANTS[values.plant ?? ""] ?? {}, (line) =>
      console.log(line),
    );
    console.log(JSON.stringify({ seed: from, lost, doubled, stuck, violations }));
    return 0;
  }
  const began = performance.now();
  const report = simulate({ seeds: Number(values.seeds), from, ...(values.plant ? { plant: values.plant } : {}) });
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  if (values.json) console.log(JSON.stringify({ ...report, seconds }));
  else {
    console.log(`${report.runs} histories in ${seconds} s`);
    console.log(
      `lost ${report.lost}, doubled ${report.doubled}, stuck ${report.stuck}, broken rules ${report.violations}`,
    );
    const [first] = report.failedSeeds;
    if (first !== undefined) console.log(`first: npm run sim -- --from ${first} --trace`);
  }
  return report.failedSeeds.length > 0 && !values.plant ? 1 : 0;
}

process.exitCode = print();
