/** Many histories, summed up: what `npm run sim` prints and what tests demand. */
import type { InjectedFault } from "./faults/injected-fault.ts";
import { runSimulation } from "./run-simulation.ts";
import { FAULTS } from "./faults/faults.ts";
import { generateScenario } from "./scenario/scenario.ts";

export interface SimulationReport {
  runs: number;
  lost: number;
  doubled: number;
  stuck: number;
  violations: number;
  /** Histories in which a field vanished from a system for a while. */
  drifts: number;
  /** Histories in which a field is renamed in a system for a while. */
  renames: number;
  /** Histories in which a field is added to a system. */
  newFields: number;
  /** Histories in which the type of a column changes. */
  typeChanges: number;
  failedSeeds: number[];
}

/** Plays `seeds` histories from `from` on; with `fault`, with that fault built in, those of them in which it can show. */
export function simulate(options: {
  seeds: number;
  from?: number;
  fault?: string;
  /** Ends with the first history that fails. */
  untilFailure?: boolean;
}): SimulationReport {
  const { seeds, from = 1, untilFailure = false } = options;
  const fault: InjectedFault | undefined = options.fault === undefined ? {} : FAULTS[options.fault];
  if (!fault) throw new Error(`unknown plant ${options.fault}; there are ${Object.keys(FAULTS).join(", ")}`);
  const report: SimulationReport = {
    runs: 0,
    lost: 0,
    doubled: 0,
    stuck: 0,
    violations: 0,
    drifts: 0,
    renames: 0,
    newFields: 0,
    typeChanges: 0,
    failedSeeds: [],
  };
  for (let seed = from; seed < from + seeds; seed += 1) {
    const scenario = generateScenario(seed);
    if (fault.shows?.(scenario) === false) continue;
    const history = runSimulation(seed, fault);
    report.runs += 1;
    if (scenario.drift) report[(scenario.drift.renamedTo ?? null) === null ? "drifts" : "renames"] += 1;
    if (scenario.newField) report.newFields += 1;
    if (scenario.typeChange) report.typeChanges += 1;
    const hasLost = history.lost.length > 0;
    const hasDoubled = history.doubled.length > 0;
    const hasViolations = history.violations.length > 0;
    if (hasLost) report.lost += 1;
    if (hasDoubled) report.doubled += 1;
    if (hasViolations) report.violations += 1;
    if (history.stuck) report.stuck += 1;
    if (hasLost || hasDoubled || hasViolations || history.stuck) report.failedSeeds.push(seed);
    if (untilFailure && report.failedSeeds.length > 0) break;
  }
  return report;
}
