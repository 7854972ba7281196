/** A plan as a whole: paths of single fields, and the places of a graph. */
import type { Graph } from "@accord/contracts/sync/graph";
import { describe, expect, test } from "vitest";
import { BILLING, core, CRM, fn, graphOf, source } from "../../graph/graph.fixtures.ts";
import { placesOf } from "./endpoints.ts";
import { type Plan } from "./plan.ts";
import { schema, rows, at, from, into, planOf, straight, sinkOf } from "./fixtures/compile.ts";

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
      shared: [{ read: 0, writeIndex: 1 }],
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
