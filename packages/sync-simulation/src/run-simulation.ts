/**
 * Plays one simulated history: the worlds of its pipelines, in virtual time. Everything that happens follows from the
 * seed.
 */
import type { SimulationRun, RecordedRun, Trace } from "./simulation-run.ts";
import { MultiPipelineSimulation } from "./multi-pipeline-simulation.ts";
import type { InjectedFault } from "./faults/injected-fault.ts";
import { generateScenario } from "./scenario/scenario.ts";
import { Simulation } from "./simulation.ts";

/** Plays one history to its end and judges it. */
export function runSimulation(seed: number, fault: InjectedFault = {}, trace?: Trace): SimulationRun {
  const scenario = generateScenario(seed);
  if (scenario.neighbours)
    return new MultiPipelineSimulation(
      seed,
      fault,
      { ...scenario, neighbours: scenario.neighbours },
      trace,
    ).runSimulation();
  const world = new Simulation(seed, fault, { scenario, trace });
  world.begin();
  return world.conclude();
}

/** Plays one history, of one pipeline alone, and writes down what its storage was asked. */
export function record(seed: number): RecordedRun {
  const world = new Simulation(
    seed,
    {},
    { scenario: { ...generateScenario(seed), neighbours: null }, isRecorded: true },
  );
  world.begin();
  world.conclude();
  return world.recorded();
}
