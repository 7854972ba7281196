/** Disabled nodes: records pass them unchanged on every path, and publishing a graph with one asks nothing of it. */
import { EntitySchema } from "@accord/contracts/data/schema";
import type { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { newFlowRecord } from "../../functions/flow.ts";
import { isBypassed, mayBypass, toggleBypass } from "../../graph/bypass.ts";
import { BILLING, core, CRM, catalogue, fn, graphOf, sink, source } from "../../graph/graph.fixtures.ts";
import { validateGraph } from "../../graph/validation/validate.ts";
import { compilePipeline } from "./compile.ts";
import { placesOf } from "./endpoints.ts";

const schema = EntitySchema.parse({
  apiName: "company",
  displayName: "Company",
  fields: [{ apiName: "name", displayName: "name" }],
});
const fields = EntitySchema.parse({
  apiName: "account",
  displayName: "Account",
  fields: [{ apiName: "Name", displayName: "Name" }],
}).fields;
const at = (connectorId: string) => ({
  configuration: {
    ...{ connectorId, entityDefinition: "company" },
    fieldMappings: [{ connectorField: "name", coreField: "Name" }],
  },
});
const set = (id: string, value: string) => fn(id, "setValue", { target: "field", field: "Name", value });
const onlyAcme = fn("only", "filter", {
  condition: {
    type: "condition",
    left: { kind: "field", field: "Name" },
    operator: "equals",
    right: [{ kind: "literal", value: "Acme" }],
  },
});
const graph = graphOf(
  [
    { ...source("crm"), ...at(CRM) },
    set("first", "A"),
    set("second", "{{previous.values.Name}}B"),
    core(),
    onlyAcme,
    { ...sink("billing"), ...at(BILLING) },
    { ...fn("log", "logMessage", { text: "seen" }), nodeType: "ACTION" },
  ],
  ["crm>first", "first>second", "second>core", "core>only", "only>billing", "core>log"],
);
const without = (...ids: string[]): Graph => toggleBypass(graph, new Set(ids));

function planOf(of: Graph, observe?: Parameters<typeof compilePipeline>[1]["observe"]) {
  const places = placesOf(of, new Map()).map((need, index) => ({
    ...{ ...need, id: index + 1, connectorName: need.connectorId, schema: { ...schema, apiName: need.entity } },
    ...{
      writeBatchSize: 10,
      readDelayMs: 0,
      idempotentCreate: true,
      canLookup: true,
      canGetById: true,
      listsAll: false,
    },
  }));
  return compilePipeline(of, {
    ...{ pipelineId: "p", versionId: "v", versionNumber: 1, pipelineName: "Account", instanceName: "Test" },
    ...{ timeZone: "UTC", coreFields: fields, places, ...(observe ? { observe } : {}) },
  });
}

function namesAfter(of: Graph, side: "source" | "sink", name: string): unknown[] {
  const plan = planOf(of);
  const path = side === "source" ? plan.sources[0]?.path : plan.sinks.find(({ nodeId }) => nodeId === "billing")?.path;
  const done = path?.([newFlowRecord({ values: { Name: name } })], { now: 0, random: () => 0.5 });
  if (done?.state !== "completed") throw new Error("the page waits for answers");
  return done.completed.map(({ values }) => values["Name"]);
}

test("records pass a disabled function unchanged, and the nodes around it as before", () => {
  expect(namesAfter(graph, "source", "x")).toEqual(["AB"]);
  expect(namesAfter(without("first"), "source", "x")).toEqual(["xB"]);
  expect(namesAfter(without("first", "second"), "source", "x")).toEqual(["x"]);
});

test("a disabled filter holds nothing back, and what it read decides no longer what is sent", () => {
  expect(namesAfter(graph, "sink", "Bolt")).toEqual([]);
  expect(namesAfter(without("only"), "sink", "Bolt")).toEqual(["Bolt"]);
});

test("a disabled action is not performed, and its path behind the core is none", () => {
  expect(planOf(graph).sinks.some(({ isActionsOnly }) => isActionsOnly)).toBe(true);
  expect(planOf(without("log")).sinks.some(({ isActionsOnly }) => isActionsOnly)).toBe(false);
});

test("disabling, enabling and nothing else of a disabled node names another path", () => {
  const name = planOf(graph).sources[0]?.program;
  const disabled = planOf(without("first")).sources[0]?.program;
  expect(disabled).not.toBe(name);
  expect(planOf(toggleBypass(without("first"), new Set(["first"]))).sources[0]?.program).toBe(name);
  const changed = without("first").nodes.map((node) => (node.id === "first" ? { ...node, configuration: {} } : node));
  expect(planOf({ ...without("first"), nodes: changed }).sources[0]?.program).toBe(disabled);
});

test("whoever watches a run sees records pass a disabled node as they came", () => {
  const seen: string[] = [];
  const plan = planOf(without("first"), (node, compiled) =>
    Object.assign((...call: Parameters<typeof compiled>) => {
      seen.push(`${node.id} ${call[0].map(({ values }) => values["Name"]).join()}`);
      return compiled(...call);
    }, compiled),
  );
  plan.sources[0]?.path([newFlowRecord({ values: { Name: "x" } })], { now: 0, random: () => 0.5 });
  expect(seen).toEqual(["first x", "second x"]);
});

test("nothing is asked of the settings of a disabled node", () => {
  const broken = graphOf([source("crm"), fn("up", "nobodyKnows"), core()], ["crm>up", "up>core"]);
  const codesOf = (of: Graph) => validateGraph(of, catalogue).map(({ code, nodeId }) => `${code} ${nodeId}`);
  expect(codesOf(broken)).toContain("function_unknown up");
  expect(codesOf(toggleBypass(broken, new Set(["up"])))).not.toContain("function_unknown up");
});

test("nodes where records come in, go out or part ways can't be disabled; of several nodes the others are", () => {
  const parts = graphOf(
    [
      source("crm"),
      core(),
      sink("billing"),
      fn("if", "predicate"),
      fn("case", "case"),
      fn("branch", "caseBranch"),
      fn("each", "forEach"),
      fn("up", "upperCase"),
    ],
    [],
  );
  expect(parts.nodes.filter(mayBypass).map(({ id }) => id)).toEqual(["up"]);
  const all = toggleBypass(parts, new Set(parts.nodes.map(({ id }) => id)));
  expect(all.nodes.filter(isBypassed).map(({ id }) => id)).toEqual(["up"]);
  expect(toggleBypass(parts, new Set(["if"]))).toBe(parts);
  // Whatever a caller of the API stores.
  expect(parts.nodes.map((node) => ({ ...node, bypassed: true })).filter(isBypassed)).toHaveLength(1);
});

test("of a mixed selection all are disabled first, then all are enabled", () => {
  const mixed = toggleBypass(without("first"), new Set(["first", "second"]));
  expect(mixed.nodes.filter(isBypassed).map(({ id }) => id)).toEqual(["first", "second"]);
  expect(toggleBypass(mixed, new Set(["first", "second"]))).toEqual(graph);
});
