/** What keeps a pipeline from being published, and how it is told. */
import { describe, expect, test } from "vitest";
import type { Graph } from "@accord/contracts/sync/graph";
import { BILLING, catalogue, core, CRM, fn, graphOf, sink, source } from "../graph.fixtures.ts";
import { suggestMappings } from "../edit/suggest-mappings.ts";
import { isPublishable, validateGraph } from "./validate.ts";

const codes = (graph: Graph) => validateGraph(graph, catalogue).map((item) => item.code);
const good = () =>
  graphOf([source("crm"), fn("upper"), core(), sink("billing")], ["crm>upper", "upper>core", "core>billing"]);

describe("validation", () => {
  test("a whole pipeline has no problems", () => {
    expect(validateGraph(good(), catalogue)).toEqual([]);
    expect(isPublishable([])).toBe(true);
  });

  test("a pipeline needs a core entity, a source and paths between them", () => {
    expect(codes(graphOf([]))).toEqual(["core_missing", "source_missing"]);
    expect(codes(graphOf([source("crm"), core(), sink("billing")]))).toEqual([
      "source_not_connected",
      "sink_not_connected",
    ]);
    expect(codes(graphOf([source("crm"), core(), fn("lost")], ["crm>core"]))).toEqual(["node_unreachable"]);
  });

  test("each problem names its node and says what to do", () => {
    const [first] = validateGraph(graphOf([source("crm"), core()]), catalogue);
    expect(first).toMatchObject({ nodeId: "crm", severity: "error", errorDetail: "source_not_connected" });
    expect(first?.errorMessage).toBe("crm: no path leads from this source to the core entity. Connect it.");
  });

  test("sources and destinations need an active synapse, an entity and good mappings", () => {
    const withConfiguration = (configuration: object) =>
      graphOf([{ ...source("crm"), configuration }, core()], ["crm>core"]);
    expect(codes(withConfiguration({}))).toEqual(["connector_not_chosen"]);
    expect(codes(withConfiguration({ connectorId: "f".repeat(24), entityDefinition: "company" }))).toEqual([
      "connector_unknown",
    ]);
    expect(codes(withConfiguration({ connectorId: CRM, entityDefinition: "ghost" }))).toEqual([
      "connector_entity_unknown",
    ]);
    expect(codes(withConfiguration({ connectorId: CRM, entityDefinition: "company", fieldMappings: [] }))).toEqual([
      "mapping_missing",
    ]);
    const wrong = [
      { connectorField: "nope", coreField: "Name" },
      { connectorField: "name", coreField: "Nope" },
      { connectorField: "id", coreField: "Name" },
    ];
    expect(codes(withConfiguration({ connectorId: CRM, entityDefinition: "company", fieldMappings: wrong }))).toEqual([
      "mapping_field_unknown",
      "mapping_core_field_unknown",
      "mapping_field_repeated",
    ]);
  });

  test("a destination is asked only for what its system can do", () => {
    const configured = sink("billing", BILLING);
    const deleting = { ...configured, configuration: { ...(configured["configuration"] as object), delete: true } };
    expect(codes(graphOf([source("crm"), core(), deleting], ["crm>core", "core>billing"]))).toEqual([
      "sink_cannot_delete",
    ]);
    const readOnly = [{ connectorField: "created", coreField: "Name" }];
    const writing = {
      ...configured,
      configuration: { ...(configured["configuration"] as object), fieldMappings: readOnly },
    };
    expect(codes(graphOf([source("crm"), core(), writing], ["crm>core", "core>billing"]))).toEqual([
      "mapping_field_read_only",
    ]);
  });

  test("a destination where a lost answer can't be made sure of says that records may come twice", () => {
    const graph = graphOf([source("crm"), core(), sink("billing", BILLING)], ["crm>core", "core>billing"]);
    const { connectorEntity } = catalogue;
    const unsure: typeof catalogue = {
      ...catalogue,
      connectorEntity: (...place) => {
        const facts = connectorEntity(...place);
        return facts && { ...facts, createsOnce: place[0] !== BILLING };
      },
    };
    expect(validateGraph(graph, catalogue)).toEqual([]);
    expect(validateGraph(graph, unsure)).toMatchObject([
      { errorDetail: "sink_creates_at_least_once", severity: "warning", nodeId: "billing" },
    ]);
    const sinkNode = graph.nodes.find(({ id }) => id === "billing");
    if (sinkNode) sinkNode.configuration["create"] = false;
    expect(validateGraph(graph, unsure)).toEqual([]);
  });

  test("functions must exist, be filled in, stand on the right side and lead somewhere", () => {
    expect(codes(graphOf([source("crm"), fn("x", "ghost"), core()], ["crm>x", "x>core"]))).toEqual([
      "function_unknown",
    ]);
    expect(codes(graphOf([source("crm"), fn("d", "predicate"), core()], ["crm>d", "d>core:true"]))).toEqual([
      "input_missing",
    ]);
    expect(
      codes(graphOf([source("crm"), fn("d", "predicate", { condition: 1 }), core()], ["crm>core", "crm>d"])),
    ).toContain("decision_without_edges");
    expect(
      codes(graphOf([source("crm"), fn("d", "predicate", { condition: 1 }), core()], ["crm>d", "d>core:maybe"])),
    ).toEqual(["edge_type_unknown"]);
    const late = graphOf(
      [source("crm"), core(), fn("match", "advancedAttachRecord"), sink("billing")],
      ["crm>core", "core>match", "match>billing"],
    );
    expect(codes(late)).toEqual(["function_wrong_side"]);
  });

  test("[SYN-070] loops that are not closed are reported", () => {
    const open = graphOf(
      [source("crm"), fn("each", "forEach"), fn("upper"), core()],
      ["crm>each", "each>upper", "upper>core"],
    );
    expect(codes(open)).toEqual(["loop_unlinked"]);
  });

  test("[SYN-071] an edge that ends beside its node is detected", () => {
    const graph = good();
    graph.edges[1]!.targetAnchor = null;
    expect(codes(graph)).toEqual(["edge_anchor_missing"]);
  });

  test("a mapping row that is not finished is told as that, and the others still count", () => {
    const graph = good();
    const crm = graph.nodes.find(({ id }) => id === "crm")!;
    const rows = crm.configuration["fieldMappings"];
    crm.configuration["fieldMappings"] = [
      ...(Array.isArray(rows) ? rows : []),
      { connectorField: "phone", coreField: "" },
    ];
    expect(codes(graph)).toEqual(["mapping_row_unfinished"]);
    expect(isPublishable(validateGraph(graph, catalogue))).toBe(false);
  });

  test("several sources without an attach rule are worth a warning, and can be published", () => {
    const graph = graphOf([source("crm"), source("billing", BILLING), core()], ["crm>core", "billing>core"]);
    expect(codes(graph)).toEqual(["attach_missing"]);
    expect(isPublishable(validateGraph(graph, catalogue))).toBe(true);
  });
});

describe("mapping suggestions", () => {
  const base = catalogue.coreEntity.fields[0]!;
  const named = (apiName: string, change = {}) => ({ ...base, apiName, displayName: apiName, ...change });

  test("same names first, then synonyms; ids, read-only fields and wrong types are left alone", () => {
    const sides = {
      connectorFields: [
        named("id", { isIdField: true }),
        named("company_name"),
        named("telephone"),
        named("employees", { dataType: "boolean" as const }),
        named("updated_at", { isUpdatedAtField: true, updateable: false }),
      ],
      coreFields: [...catalogue.coreEntity.fields],
      existing: [],
      direction: "source" as const,
    };
    expect(suggestMappings(sides)).toEqual([
      { connectorField: "company_name", coreField: "Name" },
      { connectorField: "telephone", coreField: "Phone" },
    ]);
  });

  test("a key is read into the field of its own name, and never written", () => {
    const sides = {
      connectorFields: [named("iata", { isIdField: true }), named("zip", { isIdField: true })],
      coreFields: [named("Iata"), named("postalcode")],
      existing: [],
    };
    expect(suggestMappings({ ...sides, direction: "source" })).toEqual([{ connectorField: "iata", coreField: "Iata" }]);
    expect(suggestMappings({ ...sides, direction: "sink" })).toEqual([]);
  });

  test("what is mapped already stays as it is", () => {
    const existing = [{ connectorField: "title", coreField: "Name" }];
    const sides = {
      connectorFields: [named("name"), named("title")],
      coreFields: [named("Name")],
      existing,
      direction: "sink" as const,
    };
    expect(suggestMappings(sides)).toEqual([]);
  });

  test("a case that nothing follows is named, since its records go no further", () => {
    const sort = fn("sort", "case", { cases: [{ name: "Paid" }, { name: "Large" }] });
    const found = (...edges: string[]) =>
      validateGraph(
        graphOf([source("crm"), sort, fn("big"), core(), sink("billing")], ["crm>sort", "core>billing", ...edges]),
        catalogue,
      ).filter(({ code }) => code === "case_leads_nowhere");
    expect(found("sort>core:Default", "sort>big:Large", "big>core")).toMatchObject([
      { nodeId: "sort", severity: "warning", errorMessage: expect.stringContaining("its case “Paid”") },
    ]);
    expect(found("sort>core:Paid", "sort>big:Large", "big>core")).toEqual([]);
    // By the default edge every record goes on, whichever case holds.
    expect(found("sort>core")).toEqual([]);
  });

  test("a token that never ends is named, wherever in a node's texts it begins", () => {
    const unclosed = (configuration: object) =>
      validateGraph(
        graphOf([source("crm"), fn("log", "upperCase", configuration), core()], ["crm>log", "log>core"]),
        catalogue,
      ).filter(({ code }) => code === "token_unclosed");
    expect(unclosed({ parts: [{ text: "Dear {{name}}, part {{item" }] })).toMatchObject([
      { nodeId: "log", severity: "warning", errorMessage: expect.stringContaining("“{{item”") },
    ]);
    expect(unclosed({ text: "{{name}} and }} or {one}" })).toEqual([]);
  });
});
