/** What is kept of a record that takes many steps, and for how long it may take them. */
import { Graph } from "@accord/contracts/sync/graph";
import type { ObserveNode } from "@accord/sync-engine/run";
import { expect, test } from "vitest";
import { node } from "../../../../../test-kit/graphs.ts";
import { Ended, resultTrace, TRACE_LIMITS } from "./result-trace.ts";

type Context = Parameters<ObserveNode>[2];
type Page = Parameters<ReturnType<ObserveNode>>[0];

const [set] = Graph.parse({ nodes: [node("set", "FUNCTION", {}, "setValue")], edges: [] }).nodes;
const context = { slot: 0, secrets: { slots: new Set() } } as unknown as Context;
const page = (text: string) => [{ values: { text }, warnings: [], results: [], failure: null }] as unknown as Page;
const env = { now: 0, random: () => 0 };

function traced({ now, signal }: { now?: () => number; signal?: AbortSignal } = {}) {
  const trace = resultTrace(signal ?? new AbortController().signal, now ?? (() => 0));
  const run = trace.observe(set!, () => "default", context);
  return { trace, run };
}

test("steps beyond the number that is kept are counted only", () => {
  const { trace, run } = traced();
  const record = trace.begin("1", Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < 5 * TRACE_LIMITS.steps; turn += 1) run(page(`${turn}`), env);
  expect(record.steps.length).toBe(TRACE_LIMITS.steps);
  expect(record.counts.get("set")).toEqual({ steps: 5 * TRACE_LIMITS.steps, failed: 0 });
  expect(record.last.get("set")?.after).toEqual({ text: `${5 * TRACE_LIMITS.steps - 1}` });
});

test("steps are kept until their bytes are used up, anew for each record", () => {
  const { trace, run } = traced();
  for (const id of ["1", "2"]) {
    const record = trace.begin(id, 100_000);
    for (let turn = 0; turn < 100; turn += 1) run(page("x".repeat(10_000)), env);
    expect(record.steps.length).toBeGreaterThan(0);
    expect(JSON.stringify(record.steps).length).toBeLessThan(120_000);
    expect(record.taken).toBe(100);
  }
});

test("a record that keeps the server busy for too long ends the run, pauses do not count", () => {
  let time = 0;
  const { trace, run } = traced({ now: () => time });
  trace.begin("17", 0);
  time += TRACE_LIMITS.busyMs;
  run(page(""), env);
  trace.paused();
  time += TRACE_LIMITS.busyMs;
  run(page(""), env);
  time += 1;
  expect(() => run(page(""), env)).toThrow(Ended);
  expect(() => run(page(""), env)).toThrow("The record 17");
});

test("no further node runs once the run has to end", () => {
  const controller = new AbortController();
  const { trace, run } = traced({ signal: controller.signal });
  trace.begin("1", 0);
  run(page(""), env);
  controller.abort(new Ended("stopped"));
  expect(() => run(page(""), env)).toThrow("stopped");
});
