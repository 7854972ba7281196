/** The state diagrams in the README of the engine are what simulated runs do. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { RunStages } from "./run-stages.ts";
import { runSimulation } from "./run-simulation.ts";

const HISTORIES = 100;
const LONG_TIMEOUT = { timeout: 120_000 };
const README = readFileSync(`${import.meta.dirname}/../../sync-engine/README.md`, "utf8");

/** From one stage to the next, as each diagram draws it, and whether that is said to be rare. */
const diagrams = [...README.matchAll(/```mermaid\nstateDiagram-v2\n([\s\S]*?)```/g)].map(
  ([, lines = ""]) =>
    new Map(
      [...lines.matchAll(/(\S+ --> \S+)( : rarely)?\n/g)].map(([, edge = "", rarely]) => [edge, Boolean(rarely)]),
    ),
);

/** Every step from stage to stage of sources and of destinations, in histories that a pipeline has for itself. */
function stepsOf(seed: number, seen: { sources: Set<string>; sinks: Set<string> }): void {
  const last = new Map<string, string>();
  runSimulation(seed, {}, (line) => {
    const [, run = "", json = ""] = /^ *-?\d+ (\S+ \d+) is: (.*)$/.exec(line) ?? [];
    if (json === "") return;
    const stages = JSON.parse(json) as RunStages;
    for (const kind of ["sources", "sinks"] as const)
      for (const [id, stage] of Object.entries(stages[kind])) {
        const before = last.get(`${run} ${kind} ${id}`) ?? "[*]";
        if (before !== stage) seen[kind].add(`${before} --> ${stage}`);
        last.set(`${run} ${kind} ${id}`, stage);
      }
  });
}

test("the README draws every way from stage to stage that runs take, and no other", LONG_TIMEOUT, () => {
  const seen = { sources: new Set<string>(), sinks: new Set<string>() };
  for (let seed = 1; seed <= HISTORIES; seed += 1) stepsOf(seed, seen);
  const [sources = new Map<string, boolean>(), sinks = new Map<string, boolean>()] = diagrams;
  for (const [drawn, taken] of [
    [sources, seen.sources],
    [sinks, seen.sinks],
  ] as const) {
    expect(taken.size).toBeGreaterThan(15);
    expect([...taken].filter((edge) => !drawn.has(edge))).toEqual([]);
    expect([...drawn].filter(([edge, isRare]) => !isRare && !taken.has(edge))).toEqual([]);
  }
});
