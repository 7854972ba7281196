/** Records watched on their way: what went into a node, what came out, which way it left, and what it went on without. */
import { expect, test } from "vitest";
import type { CompiledNode, NodeContext } from "../../functions/define.ts";
import type { FlowRecord } from "../../functions/flow.ts";
import { flowOf } from "../protocol/fixtures/stored.ts";
import { newTrace } from "./trace.ts";

const ENV = { now: 0, random: () => 0.5 };
const node = { id: "n" } as Parameters<ReturnType<typeof newTrace>["observe"]>[0];
const context = {} as NodeContext;
const watch = (run: (page: readonly FlowRecord[]) => ReturnType<CompiledNode>) => {
  const trace = newTrace();
  const heard: FlowRecord[] = [];
  trace.onStep(({ record }) => heard.push(record));
  return {
    trace,
    heard,
    node: trace.observe(node, ((page: FlowRecord[]) => run(page)) as unknown as CompiledNode, context),
  };
};

test("each record at a node is a step, with its values before and after and the way it left by", () => {
  const {
    trace,
    heard,
    node: watched,
  } = watch((page) => {
    for (const record of page) record.values = { name: `${String(record.values["name"])}!` };
    return ["true", null] as unknown as ReturnType<CompiledNode>;
  });
  const page = [
    { ...flowOf({ values: { name: "Ada" }, source: { externalId: "1", values: {} }, recordId: "r1" }) },
    { ...flowOf({ values: { name: "Eve" }, recordId: "r2" }) },
  ];
  expect(watched(page, ENV)).toEqual(["true", null]);
  const step = { nodeId: "n", failure: null, warnings: [] };
  expect(trace.steps).toEqual([
    { ...step, subject: "1", before: { name: "Ada" }, after: { name: "Ada!" }, route: "true" },
    { ...step, subject: "r2", before: { name: "Eve" }, after: { name: "Eve!" }, route: null },
  ]);
  expect(heard).toEqual(page);
});

test("a failure has no way on; only the node's own warnings are its step's", () => {
  const { trace, node: watched } = watch((page) => {
    const [one, two] = page;
    one!.failure = { nodeId: "n", code: "bad", message: "Bad" };
    two!.warnings = [...two!.warnings, { nodeId: "n", code: "new", message: "New" }];
    return "default";
  });
  watched([flowOf(), { ...flowOf(), warnings: [{ nodeId: "m", code: "old", message: "Old" }] }], ENV);
  expect(trace.steps).toMatchObject([
    { subject: "", route: null, failure: { code: "bad", message: "Bad" }, warnings: [] },
    { route: "default", failure: null, warnings: [{ code: "new", message: "New" }] },
  ]);
});
