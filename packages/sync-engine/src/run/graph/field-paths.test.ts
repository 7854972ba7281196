/** Field pipelines in a compiled pipeline: values travel behind the entity pipeline, on both sides of the core. */
import { FieldSchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import type { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { newFlowRecord } from "../../functions/flow.ts";
import { core, fn, graphOf, sink, source } from "../../graph/graph.fixtures.ts";
import { compilePipeline } from "../plan/compile.ts";
import { placesOf } from "../plan/endpoints.ts";
import type { PathExecution } from "./compiled-path.ts";

const field = (apiName: string) => FieldSchema.parse({ apiName, displayName: apiName });
const CORE = ["Name", "Phone"].map(field);
const CONNECTOR = ["id", "name", "telephone", "extra"].map(field);
const ENV = { now: 0, random: () => 0.5 };

const attribute = (nodeType: string, id: string, from: ReturnType<typeof source>, attributeDefinition: string) => {
  const { connectorId, entityDefinition } = from["configuration"] as Values;
  return { id, label: id, nodeType, configuration: { connectorId, entityDefinition, attributeDefinition } };
};
const coreField = { id: "coreField", label: "Phone", nodeType: "CORE_ATTRIBUTE" };

function compiled(entity: Graph, fieldGraphs: Map<string, Graph>) {
  const places = placesOf(entity, fieldGraphs).map((need, index) => ({
    ...need,
    id: index + 1,
    connectorName: need.connectorId,
    schema: { ...ENTITY, apiName: need.entity },
    writeBatchSize: 10,
    readDelayMs: 0,
    idempotentCreate: true,
    canLookup: false,
    canGetById: true,
    listsAll: false,
  }));
  return compilePipeline(entity, {
    pipelineId: "p",
    versionId: "v",
    versionNumber: 1,
    pipelineName: "Account",
    instanceName: "Test",
    timeZone: "UTC",
    coreFields: CORE,
    places,
    fieldGraphs,
  });
}
const ENTITY = { displayName: "Company", custom: false, readOnly: false, child: false, fields: CONNECTOR };
const entityGraph = graphOf([source("crm"), core(), sink("billing")], ["crm>core", "core>billing"]);

function completed(execution: PathExecution) {
  if (execution.state === "suspended") throw new Error("the page waits for answers");
  return execution.completed;
}
const recordOf = (values: Values, read: Values) =>
  newFlowRecord({ values, source: { externalId: "1", values: read }, occurrenceKey: "a" });

test("a source field goes through the functions of its field pipeline into the core field", () => {
  const graph = graphOf(
    [
      attribute("ATTRIBUTE_SOURCE", "tel", source("crm"), "telephone"),
      fn("trim", "trim"),
      fn("up", "upperCase", { value: "{{previous}}" }),
      coreField,
    ],
    ["tel>trim", "trim>up", "up>coreField"],
  );
  const plan = compiled(entityGraph, new Map([["Phone", graph]]));
  expect(plan.sources[0]?.place.readFields).toEqual(["name", "telephone"]);
  const [record] = completed(plan.sources[0]!.path([recordOf({ Name: "Acme" }, { telephone: " ab " })], ENV));
  expect(record?.values).toEqual({ Name: "Acme", Phone: "AB" });
});

test("a field pipeline runs behind the entity pipeline, and a value it filters out is not said", () => {
  const isLong = {
    type: "condition",
    left: { kind: "token", token: "previous" },
    operator: "contains",
    right: [{ kind: "literal", value: "+" }],
  };
  const graph = graphOf(
    [
      attribute("ATTRIBUTE_SOURCE", "tel", source("crm"), "telephone"),
      fn("only", "filter", { condition: isLong }),
      coreField,
    ],
    ["tel>only", "only>coreField"],
  );
  const entity = graphOf(
    [source("crm"), fn("set", "setValue", { field: "Phone", value: "from the entity" }), core()],
    ["crm>set", "set>core"],
  );
  const path = compiled(entity, new Map([["Phone", graph]])).sources[0]!.path;
  const said = (telephone: string) => completed(path([recordOf({}, { telephone })], ENV))[0]?.values;
  expect([said("+46"), said("46")]).toEqual([{ Phone: "+46" }, {}]);
});

test("nodes of the entity pipeline work with the direct mapping of a field whose own pipeline says its value", () => {
  const upper = graphOf(
    [attribute("ATTRIBUTE_SOURCE", "from", source("crm"), "name"), fn("up", "upperCase"), coreField],
    ["from>up", "up>coreField"],
  );
  const plan = compiled(entityGraph, new Map([["Name", upper]]));
  const [mapping] = plan.sources[0]!.mappings;
  expect(mapping).toMatchObject({ connectorField: "name", coreField: "Name", isProvisional: true });
  const [record] = completed(plan.sources[0]!.path([recordOf({ Name: "acme" }, { name: "acme" })], ENV));
  expect(record?.values).toEqual({ Name: "ACME" });
});

test("a field pipeline without nodes between is the same as a direct mapping", () => {
  const graph = graphOf(
    [
      attribute("ATTRIBUTE_SOURCE", "tel", source("crm"), "telephone"),
      coreField,
      attribute("ATTRIBUTE_SINK", "out", sink("billing"), "extra"),
    ],
    ["tel>coreField", "coreField>out"],
  );
  const plan = compiled(entityGraph, new Map([["Phone", graph]]));
  expect(plan.sources[0]?.mappings.map(({ connectorField, coreField: to }) => [connectorField, to])).toEqual([
    ["name", "Name"],
    ["telephone", "Phone"],
  ]);
  expect(plan.sinks[0]?.isPlain).toBe(true);
  expect(plan.sinks[0]?.mappings.map(({ connectorField, isComputed }) => [connectorField, isComputed])).toEqual([
    ["name", false],
    ["extra", false],
  ]);
});

test("behind the core a value is made for its destination field alone; the core record keeps its own", () => {
  const graph = graphOf(
    [coreField, fn("up", "upperCase"), attribute("ATTRIBUTE_SINK", "out", sink("billing"), "name")],
    ["coreField>up", "up>out"],
  );
  const plan = compiled(entityGraph, new Map([["Phone", graph]]));
  const [target] = plan.sinks;
  // It takes the place of the direct mapping into that field.
  expect(target?.mappings.map(({ coreField: from, isComputed }) => [from, isComputed])).toEqual([["> name", true]]);
  const [record] = completed(target!.path([newFlowRecord({ values: { Phone: "ab" }, recordId: "r" })], ENV));
  expect(record?.values).toEqual({ Phone: "ab", "> name": "AB" });
});

test("actions behind the core that lead to no destination learn of changes at a place of their own", () => {
  const log = { id: "log", label: "log", nodeType: "ACTION", apiName: "logMessage", configuration: { text: "x" } };
  const plan = compiled(graphOf([source("crm"), core(), log], ["crm>core", "core>log"]), new Map());
  const [target] = plan.sinks;
  expect([plan.sinks.length, target?.isActionsOnly, target?.mappings]).toEqual([1, true, []]);
  const execution = target!.path([newFlowRecord({ values: {}, recordId: "r", occurrenceKey: "3" })], ENV);
  if (execution.state !== "suspended") throw new Error("nothing was to be done");
  expect(execution.dataRequests).toMatchObject([
    { kind: "action", later: true, call: { action: "logMessage", recordId: "r" } },
  ]);
  expect(completed(execution.resume([{ ok: true, found: [] }]))).toEqual([]);
});

test("an action at the end of a side path of a source is kept for after the page, with the record going on", () => {
  const log = { id: "log", label: "log", nodeType: "ACTION", apiName: "logMessage", configuration: { text: "x" } };
  const plan = compiled(graphOf([source("crm"), core(), log], ["crm>core", "crm>log"]), new Map());
  const execution = plan.sources[0]!.path([recordOf({ Name: "Acme" }, {})], ENV);
  if (execution.state !== "completed") throw new Error("the page waits");
  expect([execution.completed.length, execution.deferredActions.map(({ nodeId }) => nodeId)]).toEqual([1, ["log"]]);
});

test("an action is performed on the way when a later node uses what came of it", () => {
  const http = {
    id: "http",
    label: "Enrich",
    nodeType: "ACTION",
    apiName: "httpRequest",
    configuration: { url: "https://example.com" },
  };
  const entity = graphOf(
    [
      source("crm"),
      http,
      fn("set", "setValue", { field: "Phone", value: "{{Action Result From Enrich.phone}}" }),
      core(),
    ],
    ["crm>http", "http>set", "set>core"],
  );
  const execution = compiled(entity, new Map()).sources[0]!.path([recordOf({ Name: "Acme" }, {})], ENV);
  if (execution.state !== "suspended") throw new Error("nothing was asked");
  const found = [{ succeeded: true, body: { phone: "+46" }, code: null, message: null }];
  const done = execution.resume([{ ok: true, found }]);
  if (done.state !== "completed") throw new Error("the page still waits");
  expect(done.completed[0]?.values).toEqual({ Name: "Acme", Phone: "+46" });
  expect(done.executedActions.map(({ nodeId }) => nodeId)).toEqual(["http"]);
});
