/** What a plan says of a graph's nodes: their settings, what stands for what is left out, and what the graph does not allow. */
import { EntitySchema, type FieldSchema } from "@accord/contracts/data/schema";
import type { Graph } from "@accord/contracts/sync/graph";
import { describe, expect, test } from "vitest";
import { BILLING, core, CRM, fn, graphOf, sink, source } from "../../graph/graph.fixtures.ts";
import { compilePipeline } from "./compile.ts";
import type { CompileInput, EndpointSchema } from "./compile-input.ts";
import { placesOf } from "./endpoints.ts";
import { ConversionError, type Plan } from "./plan.ts";

const schema = EntitySchema.parse({
  apiName: "company",
  displayName: "Company",
  fields: [
    { apiName: "id", displayName: "id", isIdField: true },
    { apiName: "name", displayName: "name" },
    { apiName: "size", displayName: "size", dataType: "integer" },
    { apiName: "parent", displayName: "parent", dataType: "reference", referenceTo: "company" },
    { apiName: "group", displayName: "group", dataType: "reference" },
    { apiName: "made", displayName: "made", updateable: false },
    { apiName: "born", displayName: "born", createOnly: true },
    { apiName: "total", displayName: "total", calculated: true },
    { apiName: "code", displayName: "code", isIdField: true, initializable: true },
    { apiName: "fixed", displayName: "fixed", isIdField: true, initializable: false },
  ],
});
const coreFields: FieldSchema[] = EntitySchema.parse({
  apiName: "account",
  displayName: "Account",
  fields: [
    { apiName: "Name", displayName: "Name" },
    { apiName: "Size", displayName: "Size", dataType: "integer" },
    { apiName: "Parent", displayName: "Parent", dataType: "reference" },
  ],
}).fields;
const rows = (...pairs: string[]) =>
  pairs.map((pair) => {
    const [connectorField = "", coreField = ""] = pair.split(">");
    return { connectorField, coreField };
  });
const at = (connectorId: string, more: object = {}) => ({ connectorId, entityDefinition: "company", ...more });
const from = (more: object = {}, node: object = {}) => ({
  ...source("crm"),
  configuration: at(CRM, { fieldMappings: rows("name>Name"), ...more }),
  ...node,
});
const into = (more: object = {}, node: object = {}) => ({
  ...sink("billing"),
  configuration: at(BILLING, { fieldMappings: rows("name>Name"), ...more }),
  ...node,
});

function planOf(graph: Graph, facts: Partial<CompileInput> = {}, place: Partial<EndpointSchema> = {}): Plan {
  const { fieldGraphs } = facts;
  const places = placesOf(graph, fieldGraphs).map((need, index) => ({
    ...need,
    id: index + 1,
    connectorName: need.connectorId,
    schema: { ...schema, apiName: need.entity },
    writeBatchSize: 10,
    readDelayMs: 30,
    idempotentCreate: true,
    canLookup: true,
    canGetById: true,
    ...place,
  }));
  return compilePipeline(graph, {
    pipelineId: "p",
    versionId: "v",
    versionNumber: 4,
    pipelineName: "Account",
    instanceName: "Test",
    timeZone: "UTC",
    coreFields,
    places,
    ...facts,
  });
}
const straight = (first: object, last: object = into(), middle: object = core()) =>
  graphOf([first, middle, last] as Parameters<typeof graphOf>[0], ["crm>core", "core>billing"]);
const sourceOf = (more: object = {}, node: object = {}) => planOf(straight(from(more, node))).sources[0]!;
const sinkOf = (more: object = {}, node: object = {}, place: Partial<EndpointSchema> = {}) =>
  planOf(straight(from(), into(more, node)), {}, place).sinks[0]!;
const plainSchedule = { kind: "minute" };

describe("a source", () => {
  test("is what its node says, with what is usual for what that leaves out", () => {
    expect(sourceOf()).toMatchObject({
      nodeId: "crm",
      label: "crm",
      place: { id: 1, connectorId: CRM, entity: "company", readFields: ["name"], writeFields: [], shared: [] },
      attach: [],
      acceptDeletes: true,
      schedule: plainSchedule,
      readMode: "drain",
      isAlsoSink: false,
      readDelayMs: 30,
      canGetById: true,
    });
    expect(
      sourceOf({ acceptDeletes: false, readMode: "single", schedule: { kind: "interval", every: 5, unit: "hours" } }),
    ).toMatchObject({
      acceptDeletes: false,
      readMode: "single",
      schedule: { kind: "interval", every: 5, unit: "hours" },
    });
    expect(sourceOf({ scheduleSeconds: 90 }).schedule).toEqual({ kind: "interval", every: 90, unit: "seconds" });
  });

  test("is called by its label, else its name, else what it reads", () => {
    expect(sourceOf({}, { label: "Our CRM", name: "crm-1" }).label).toBe("Our CRM");
    expect(sourceOf({}, { label: "", name: "crm-1" }).label).toBe("crm-1");
    expect(sourceOf({}, { label: "", name: "" }).label).toBe("company");
    expect(sinkOf({}, { label: "Books", name: "b" }).label).toBe("Books");
    expect(sinkOf({}, { label: "", name: "b" }).label).toBe("b");
    expect(sinkOf({}, { label: "", name: "" }).label).toBe("company");
  });

  test("maps the fields that both sides know, references by the places that they name", () => {
    const { mappings } = sourceOf({
      fieldMappings: rows(
        "size>Size",
        "name>Name",
        "parent>Parent",
        "nobody>Name",
        "name>Nobody",
        "group>Parent",
        "parent>Name",
      ),
    });
    expect(
      mappings.map(({ connectorField, coreField, readIndex, reference, isProvisional }) => [
        `${connectorField}>${coreField}`,
        readIndex,
        reference && `${reference.connectorId}/${reference.entity}`,
        isProvisional,
      ]),
    ).toEqual([
      ["size>Size", 0, null, false],
      ["name>Name", 1, null, false],
      ["parent>Parent", 2, `${CRM}/company`, false],
      ["group>Parent", 4, null, false],
      ["parent>Name", 2, null, false],
    ]);
    const [size] = mappings;
    expect(size?.convert("5")).toBe(5);
    expect(size?.convert("five")).toBeInstanceOf(ConversionError);
  });

  test("attaches by the rules that lie behind it, not by those of others", () => {
    const rule = (id: string) =>
      fn(id, "advancedAttachRecord", {
        attachPredicate: {
          type: "condition",
          left: { kind: "field", field: "Name" },
          operator: "equals",
          right: [{ kind: "token", token: "previous.values.Name" }],
        },
      });
    const other = { ...from(), id: "other", configuration: at(BILLING, { fieldMappings: rows("name>Name") }) };
    const plan = planOf(
      graphOf(
        [from(), rule("mine"), other, rule("theirs"), core()],
        ["crm>mine", "mine>core", "other>theirs", "theirs>core"],
      ),
    );
    expect(plan.sources.map(({ nodeId, attach }) => [nodeId, attach.map((one) => one.nodeId)])).toEqual([
      ["crm", ["mine"]],
      ["other", ["theirs"]],
    ]);
    expect(plan.sources.map(({ isAlsoSink }) => isAlsoSink)).toEqual([false, false]);
  });
});

describe("a destination", () => {
  test("names what its fields are given and take: the same for the same, another where a field takes something else", () => {
    const { fits } = sinkOf();
    expect(sinkOf({}, {}, { writeBatchSize: 1, readDelayMs: 9 }).fits).toBe(fits);
    expect(sinkOf({ fieldMappings: rows("name>Size") }).fits).not.toBe(fits);
    const fields = schema.fields.map((field) => ({ ...field, length: 20 }));
    expect(sinkOf({}, {}, { schema: { ...schema, fields } }).fits).not.toBe(fits);
  });

  test("is what its node and its connector say", () => {
    expect(sinkOf()).toMatchObject({
      nodeId: "billing",
      place: { id: 2, connectorId: BILLING, writeFields: ["name"], readFields: [] },
      isActionsOnly: false,
      isPlain: true,
      create: true,
      update: true,
      delete: false,
      recreate: false,
      onlyChangedFields: true,
      matchOn: null,
      writeBatchSize: 10,
      readDelayMs: 30,
      idempotentCreate: true,
      canLookup: true,
    });
    expect(sinkOf().reads).toEqual(new Set(["Name"]));
    const other = { create: false, update: false, delete: true, recreate: true, onlyChangedFields: false };
    expect(sinkOf({ ...other, matchOn: "name" }, {}, { idempotentCreate: false, canLookup: false })).toMatchObject({
      ...other,
      matchOn: "name",
      idempotentCreate: false,
      canLookup: false,
    });
    expect(sinkOf({ matchOn: "" }).matchOn).toBeNull();
  });

  test("is written the fields that may be, some of them on creation only", () => {
    const { mappings } = sinkOf({
      fieldMappings: rows(
        "size>Size",
        "made>Name",
        "born>Name",
        "total>Name",
        "code>Name",
        "fixed>Name",
        "name>Nobody",
        "nobody>Name",
        "parent>Parent",
      ),
    });
    expect(
      mappings.map(({ connectorField, writeIndex, createOnly, isComputed, reference }) => [
        connectorField,
        writeIndex,
        createOnly,
        isComputed,
        reference?.connectorId ?? null,
      ]),
    ).toEqual([
      ["size", 0, false, false, null],
      ["made", 1, true, false, null],
      ["born", 2, true, false, null],
      ["code", 4, false, false, null],
      ["parent", 8, false, false, BILLING],
    ]);
    expect(mappings[0]?.convert("x")).toBeInstanceOf(ConversionError);
  });

  test("behind nodes that change values or may look at anything is notified of every change", () => {
    const behind = (...node: Parameters<typeof fn>) =>
      planOf(graphOf([from(), core(), fn(...node), into()], ["crm>core", "core>n", "n>billing"])).sinks[0]!;
    expect(behind("n", "upperCase")).toMatchObject({ isPlain: false, reads: null });
    const filter = {
      condition: {
        type: "condition",
        left: { kind: "field", field: "Size" },
        operator: "equals",
        right: [{ kind: "literal", value: 1 }],
      },
    };
    const { isPlain, reads } = behind("n", "filter", filter);
    expect([isPlain, reads]).toEqual([false, new Set(["Size", "Name"])]);
  });
});

describe("actions behind the core", () => {
  const log = { id: "log", label: "log", nodeType: "ACTION", apiName: "logMessage", configuration: { text: "x" } };

  test("that lead to no destination make one that nothing is written to", () => {
    const plan = planOf(graphOf([from(), core(), log], ["crm>core", "core>log"]));
    const [{ path: _road, ...only }, ...others] = plan.sinks as [Plan["sinks"][number]];
    expect(others).toEqual([]);
    expect(only).toEqual({
      nodeId: "core",
      label: "Account",
      place: { id: 2, connectorId: "actions", entity: "actions", readFields: [], writeFields: [], shared: [] },
      mappings: [],
      isActionsOnly: true,
      isPlain: false,
      reads: null,
      fits: "",
      create: false,
      update: false,
      delete: false,
      recreate: false,
      onlyChangedFields: true,
      matchOn: null,
      writeBatchSize: 200,
      readDelayMs: 0,
      idempotentCreate: true,
      canLookup: false,
    });
    const unnamed = { ...core(), label: "", name: "core-1" };
    expect(planOf(graphOf([from(), unnamed, log], ["crm>core", "core>log"])).sinks[0]?.label).toBe("core-1");
  });

  test("make none where there are none, or storage knows no place for them", () => {
    expect(planOf(straight(from())).sinks).toHaveLength(1);
    const graph = graphOf([from(), core(), log], ["crm>core", "core>log"]);
    const places = placesOf(graph).filter(({ connectorId }) => connectorId === CRM);
    const known = places.map((need, index) => ({
      ...need,
      id: index + 1,
      connectorName: "",
      schema: { ...schema, apiName: need.entity },
      writeBatchSize: 1,
      readDelayMs: 0,
      idempotentCreate: true,
      canLookup: false,
      canGetById: true,
    }));
    expect(planOf(graph, { places: known }).sinks).toEqual([]);
  });
});

describe("a plan", () => {
  test("names its version, and knows fields that one place is read and told by their order in both", () => {
    const both = { ...into(), configuration: at(CRM, { fieldMappings: rows("size>Size", "name>Name") }) };
    const plan = planOf(straight(from(), both));
    expect(plan).toMatchObject({
      pipelineId: "p",
      versionId: "v",
      versionNumber: 4,
      merge: null,
      hasReferences: false,
    });
    expect(plan.places.size).toBe(1);
    expect(plan.places.get(1)).toMatchObject({
      readFields: ["name"],
      writeFields: ["size", "name"],
      shared: [{ read: 0, told: 1 }],
    });
    expect(plan.sources[0]?.isAlsoSink).toBe(true);
    expect([...plan.coreFields.keys()]).toEqual(["Name", "Size", "Parent"]);
  });

  test("knows whether anything refers to other records", () => {
    const refers = { fieldMappings: rows("name>Name", "parent>Parent") };
    expect(planOf(straight(from(refers))).hasReferences).toBe(true);
    expect(planOf(straight(from(), into(refers))).hasReferences).toBe(true);
    expect(planOf(straight(from({ fieldMappings: rows("group>Parent") }))).hasReferences).toBe(false);
  });

  const byName = {
    type: "condition",
    left: { kind: "field", field: "Name" },
    operator: "equals",
    right: [{ kind: "token", token: "previous.values.Name" }],
  };
  const mergeBatch = (deduplicate: boolean, fields: object[] = []) => ({
    ...core(),
    configuration: { deduplicate, merge: { match: byName, fields } },
  });

  test("looks for duplicates where its core node says so and something is read", () => {
    const policy = { retainFields: ["Size"], dependentPicklists: [] };
    expect(planOf(straight(from(), into(), mergeBatch(true)), { mergePolicy: policy }).merge).toMatchObject({
      fields: ["Name", "Size", "Parent"],
      retained: new Set(["Size"]),
    });
    expect(planOf(straight(from(), into(), mergeBatch(true))).merge?.retained).toEqual(new Set());
    expect(planOf(straight(from(), into(), mergeBatch(false))).merge).toBeNull();
    expect(planOf(graphOf([mergeBatch(true), into()], ["core>billing"])).merge).toBeNull();
  });

  test("keeps who set a field where the latest value of two records is to survive", () => {
    const fields = [
      { field: "Name", policy: "latest" },
      { field: "Size", policy: "winner" },
    ];
    const keeps = (plan: Plan) =>
      ["Name", "Size"].map((field) => (plan.authority.byField?.get(field) ?? plan.authority.general).keepsOrigin);
    const none = (deduplicate: boolean) => {
      const node = mergeBatch(deduplicate, fields);
      return { ...node, configuration: { ...node.configuration, authority: "NONE" } };
    };
    expect(keeps(planOf(straight(from(), into(), none(true))))).toEqual([true, false]);
    expect(keeps(planOf(straight(from(), into(), none(false))))).toEqual([false, false]);
  });

  test("can't be made without a core, or of places that nobody knows", () => {
    const facts = { places: [] };
    expect(() => planOf(graphOf([from()], []))).toThrow("version v has no core node");
    expect(() => planOf(straight(from()), facts)).toThrow(`unknown place ${BILLING}/company`);
    const elsewhere = { ...schema, apiName: "person" };
    expect(() => planOf(straight(from()), {}, { schema: elsewhere })).toThrow("unknown place");
  });
});

describe("a field with a pipeline of its own", () => {
  const attribute = (nodeType: string, id: string, connectorId: string, field: string) => ({
    id,
    label: id,
    nodeType,
    configuration: at(connectorId, { attributeDefinition: field }),
  });
  const end = { id: "end", label: "end", nodeType: "CORE_ATTRIBUTE" };
  const plain = graphOf([attribute("ATTRIBUTE_SOURCE", "a", CRM, "size"), end], ["a>end"]);
  const upper = graphOf([attribute("ATTRIBUTE_SOURCE", "a", CRM, "size"), fn("up"), end], ["a>up", "up>end"]);
  const mappingsOf = (field: string, graph: Graph, fieldMappings = rows("name>Name", "parent>Parent")) =>
    planOf(straight(from({ fieldMappings })), { fieldGraphs: new Map([[field, graph]]) }).sources[0]!.mappings.map(
      ({ connectorField, coreField, isProvisional }) => `${connectorField}>${coreField}${isProvisional ? "?" : ""}`,
    );

  test("without nodes takes the place of its direct mapping, and answers for its values", () => {
    expect(mappingsOf("Name", plain)).toEqual(["parent>Parent", "size>Name"]);
    expect(mappingsOf("Size", plain)).toEqual(["name>Name", "parent>Parent", "size>Size"]);
  });

  test("with nodes has the last word on what its direct mapping says meanwhile; a reference has no direct mapping then", () => {
    expect(mappingsOf("Name", upper)).toEqual(["name>Name?", "parent>Parent"]);
    expect(mappingsOf("Parent", upper)).toEqual(["name>Name"]);
  });

  test("that is no reference in the core is none in a destination, whatever its field there names", () => {
    const [mapping] = sinkOf({ fieldMappings: rows("parent>Name") }).mappings;
    expect(mapping?.reference).toBeNull();
  });

  test("reaches the destination fields that something leads to, plainly or through nodes", () => {
    const out = (id: string, field: string) => attribute("ATTRIBUTE_SINK", id, BILLING, field);
    const graph = graphOf(
      [end, out("a", "size"), fn("up"), out("b", "name"), out("c", "born")],
      ["end>a", "end>up", "up>b"],
    );
    const { mappings } = planOf(straight(from(), into({ fieldMappings: [] })), {
      fieldGraphs: new Map([["Name", graph]]),
    }).sinks[0]!;
    expect(mappings.map(({ connectorField, isComputed }) => [connectorField, isComputed])).toEqual([
      ["size", false],
      ["name", true],
      ["born", true],
    ]);
  });

  test("is watched like those of the entity's", () => {
    const watched: string[] = [];
    planOf(straight(from()), {
      fieldGraphs: new Map([["Name", upper]]),
      observe: (node, run) => {
        watched.push(node.id);
        return run;
      },
    });
    expect(watched).toEqual(["up"]);
  });
});

describe("the places of a graph", () => {
  const reads = (nodes: Parameters<typeof graphOf>[0], edges: string[], fieldGraphs?: Parameters<typeof placesOf>[1]) =>
    placesOf(graphOf(nodes, edges), fieldGraphs).map(({ connectorId, readFields, writeFields }) => ({
      connectorId,
      readFields,
      writeFields,
    }));
  const note = (id: string, text: string) => fn(id, "setValue", { target: "field", field: "Name", value: text });

  test("read what is mapped, and what functions behind their source name of it", () => {
    const other = { ...source("shop"), configuration: at("shop", { fieldMappings: [] }) };
    const nodes = [
      from(),
      other,
      core(),
      into(),
      note("near", "{{source.size}} {{CRM.company.parent}} {{source.size}}"),
      note("far", "{{source.group}}"),
    ];
    expect(reads(nodes, ["crm>near", "near>core", "shop>far", "far>core", "core>billing"])).toEqual([
      { connectorId: CRM, readFields: ["name", "size", "parent"], writeFields: [] },
      { connectorId: "shop", readFields: ["group"], writeFields: [] },
      { connectorId: BILLING, readFields: [], writeFields: ["name"] },
    ]);
  });

  test("read what is named by the shortest name of a connector, and nothing that only looks like one", () => {
    const one = { ...source("a"), configuration: at("a", { fieldMappings: [] }) };
    const text = "{{a.company.owner}} {{company.group}} {{.company.size}} {{a.person.age}} {{record.company}}";
    expect(reads([one, core(), note("note", text)], ["a>note", "note>core"])).toEqual([
      { connectorId: "a", readFields: ["owner"], writeFields: [] },
    ]);
  });

  test("read and write what field pipelines begin and end with there", () => {
    const attribute = (id: string, nodeType: string, connectorId: string, entity: string, field: string) => ({
      ...{ id, label: id, nodeType },
      configuration: { connectorId, entityDefinition: entity, attributeDefinition: field },
    });
    const field = graphOf([
      attribute("a", "ATTRIBUTE_SOURCE", CRM, "company", "size"),
      attribute("b", "ATTRIBUTE_SOURCE", CRM, "person", "age"),
      attribute("c", "ATTRIBUTE_SOURCE", BILLING, "company", "total"),
      attribute("d", "ATTRIBUTE_SOURCE", CRM, "company", ""),
      attribute("e", "ATTRIBUTE_SINK", BILLING, "company", "code"),
      attribute("f", "ATTRIBUTE_SINK", CRM, "company", "parent"),
    ]);
    expect(reads([from(), core(), into()], ["crm>core", "core>billing"], new Map([["Size", field]]))).toEqual([
      { connectorId: CRM, readFields: ["name", "size"], writeFields: [] },
      { connectorId: BILLING, readFields: [], writeFields: ["name", "code"] },
    ]);
  });

  test("are one where a connector's entity is read and written", () => {
    expect(reads([from(), core(), into(at(CRM))], ["crm>core", "core>billing"])).toEqual([
      { connectorId: CRM, readFields: ["name"], writeFields: ["name"] },
    ]);
  });
});

test("a text that is mapped to a reference column arrives as the id that it is, and what names no record is refused, not blanked", () => {
  const [text, reference] = [rows("parent>Name"), rows("name>Parent")];
  const plan = planOf(straight(from({ fieldMappings: reference }), into({ fieldMappings: text })));
  expect(
    plan.sinks[0]?.mappings.map(({ convert, reference: of }) => [
      of,
      convert("b1"),
      convert(7),
      convert(" "),
      convert(true),
    ]),
  ).toEqual([[null, "b1", "7", null, new ConversionError("not_a_reference")]]);
  const [read] = plan.sources[0]?.mappings ?? [];
  expect(read?.convert("b1")).toEqual(new ConversionError("not_a_reference"));
  expect(read?.convert(null)).toBe(null);
});
