/** Lines of the mapper: read from the rows of both nodes, drawn and removed in each direction, proposed and placed. */
import { FieldSchema } from "@accord/contracts/data/schema";
import { Graph } from "@accord/contracts/sync/graph";
import { describe, expect, test } from "vitest";
import {
  directionOfNew,
  directionsFor,
  lineShape,
  linesOf,
  mappedNodes,
  proposedLines,
  replacedBy,
  ROW_HEIGHT,
  searchFields,
  unmappedKeys,
  whyNoLine,
  withLine,
  withProposals,
} from "./mapper.model.ts";

const field = (apiName: string, more: object = {}) => FieldSchema.parse({ apiName, displayName: apiName, ...more });
const row = (connectorField: string, coreField: string) => ({ connectorField, coreField });
const PLACE = { connectorId: "shop", entityDefinition: "buyers" };
const node = (id: string, nodeType: string, rows: object[], place = PLACE) => ({
  id,
  nodeType,
  label: id,
  configuration: { ...place, fieldMappings: rows },
});
const graphOf = (source: object[], sink: object[] | null) =>
  Graph.parse({
    nodes: [
      node("source", "ENTITY_SOURCE", source),
      node("other", "ENTITY_SINK", [], { ...PLACE, connectorId: "elsewhere" }),
      ...(sink ? [node("sink", "ENTITY_SINK", sink)] : []),
    ],
    edges: [],
  });
const lines = (graph: Graph) =>
  linesOf(mappedNodes(graph, "source")).map((line) => `${line.connectorField} ${line.direction} ${line.coreField}`);
const draw = (
  graph: Graph,
  ...args: Parameters<typeof withLine> extends [Graph, infer _, ...infer Rest] ? Rest : never
) => withLine(graph, mappedNodes(graph, "source"), ...args);

const FIELDS = {
  connectorFields: [
    field("id", { isIdField: true, updateable: false, initializable: false }),
    field("number", { unique: true }),
    field("mail"),
    field("total", { dataType: "decimal", calculated: true }),
    field("made", { dataType: "datetime", isCreatedAtField: true }),
  ],
  coreFields: [
    field("id"),
    field("email"),
    field("total", { dataType: "decimal" }),
    field("made", { dataType: "datetime" }),
  ],
};

describe("lines", () => {
  test("are rows of the source, of the destination, or of both, of the same entity only", () => {
    expect(lines(graphOf([row("a", "A"), row("b", "B")], [row("b", "B"), row("c", "C")]))).toEqual([
      "a source A",
      "b both B",
      "c sink C",
    ]);
    expect(mappedNodes(graphOf([], null), "source").sink).toBeUndefined();
    expect(mappedNodes(graphOf([], []), "sink").source?.id).toBe("source");
  });

  test("are drawn both ways, narrowed to one and removed", () => {
    const both = draw(graphOf([], []), row("a", "A"), "both");
    expect(lines(both)).toEqual(["a both A"]);
    expect(lines(draw(both, row("a", "A"), "sink"))).toEqual(["a sink A"]);
    expect(lines(draw(both, row("a", "A"), null))).toEqual([]);
  });

  test("a new line only reads where the destination already writes its field from elsewhere", () => {
    const nodes = mappedNodes(graphOf([row("mail", "email")], [row("mail", "email")]), "source");
    expect(directionOfNew(nodes, field("mail"), field("note"))).toBe("source");
    expect(directionOfNew(nodes, field("mail"), field("email"))).toBe("both");
    expect(directionOfNew(nodes, field("number"), field("email"))).toBe("both");
    // Nothing else fits: the row is replaced, and named.
    const written = mappedNodes(graphOf([], [row("mail", "email")]), "sink");
    expect(directionOfNew({ ...written, source: undefined }, field("mail"), field("note"))).toBe("sink");
  });

  test("rows that lose their place are known for each direction", () => {
    const nodes = mappedNodes(graphOf([row("a", "A"), row("b", "B")], [row("a", "A"), row("b", "B")]), "source");
    const lost = (direction: "source" | "sink" | "both") =>
      replacedBy(nodes, row("a", "B"), direction).map(
        (line) => `${line.connectorField} ${line.direction} ${line.coreField}`,
      );
    expect(lost("source")).toEqual(["b source B"]);
    expect(lost("sink")).toEqual(["a sink A"]);
    expect(lost("both")).toEqual(["b source B", "a sink A"]);
    expect(replacedBy(nodes, row("a", "A"), "both")).toEqual([]);
  });

  test("a field that is written takes its values from one place: a new line stands where the old one stood", () => {
    const graph = graphOf([row("a", "A"), row("b", "B")], [row("a", "A")]);
    expect(lines(draw(graph, row("c", "A"), "source"))).toEqual(["c source A", "b source B", "a sink A"]);
    expect(lines(draw(graph, row("a", "C"), "both"))).toEqual(["a source A", "b source B", "a both C"]);
  });

  test("rows that somebody has not finished in the form stay, and what changes nothing is no edit", () => {
    const graph = graphOf([row("a", "A"), { connectorField: "b", coreField: "" }], null);
    expect(draw(graph, row("a", "A"), "source")).toBe(graph);
    const drawn = draw(graph, row("c", "C"), "source");
    expect(drawn.nodes[0]?.configuration["fieldMappings"]).toHaveLength(3);
  });
});

describe("directions", () => {
  const nodes = mappedNodes(graphOf([], []), "source");
  test("leave out what can't be written, and what can't be converted", () => {
    const [id, number] = FIELDS.connectorFields;
    if (!id || !number) throw new Error("no fields");
    expect(directionsFor(nodes, number, field("x"))).toEqual(["both", "source", "sink"]);
    expect(directionsFor(nodes, id, field("x"))).toEqual(["source"]);
    const flag = field("flag", { dataType: "boolean" });
    expect(directionsFor(nodes, flag, field("when", { dataType: "date" }))).toEqual([]);
    expect(whyNoLine(nodes, flag, field("when", { dataType: "date" }))).toBe("typesDiffer");
    expect(whyNoLine({ ...nodes, source: undefined }, id, field("x"))).toBe("readOnly");
  });
});

test("proposals go both ways where the system lets a value be changed, and are accepted as one edit", () => {
  const graph = graphOf([], []);
  const nodes = mappedNodes(graph, "source");
  const found = proposedLines(nodes, FIELDS);
  expect(found.map((line) => [line.connectorField, line.coreField, line.direction, line.reason])).toEqual([
    ["id", "id", "source", "sameApiName"],
    ["total", "total", "source", "sameApiName"],
    ["made", "made", "source", "sameApiName"],
    ["mail", "email", "both", "sameMeaning"],
  ]);
  expect(lines(withProposals(graph, nodes, found))).toHaveLength(4);
  expect(proposedLines(mappedNodes(withProposals(graph, nodes, found), "source"), FIELDS)).toEqual([]);
});

test("keys without a line are named; a destination is not asked for the id that its system gives", () => {
  const names = (nodes: Parameters<typeof unmappedKeys>[0]) =>
    unmappedKeys(nodes, FIELDS).map(({ apiName }) => apiName);
  const nodes = mappedNodes(graphOf([row("number", "email")], []), "source");
  expect(names(nodes)).toEqual(["id"]);
  expect(names({ ...nodes, source: undefined })).toEqual(["number"]);
});

test("a line ends at the edge where one of its fields is scrolled away, and is not drawn where both are", () => {
  const rows = new Map(["a", "b", "c"].map((name, index) => [name, index]));
  const [top, scrolled] = [
    { rows, scrollTop: 0, height: 2 * ROW_HEIGHT },
    { rows, scrollTop: ROW_HEIGHT, height: 2 * ROW_HEIGHT },
  ];
  expect(lineShape(row("a", "b"), top, top)).toEqual({ from: 25, to: 75, isCut: false });
  expect(lineShape(row("a", "b"), scrolled, top)).toEqual({ from: 0, to: 75, isCut: true });
  expect(lineShape(row("c", "a"), top, scrolled)).toBeUndefined();
  expect(lineShape(row("z", "a"), top, top)).toBeUndefined();
});

test("fields are found by label, api name and type", () => {
  const fields = [field("billing_city", { displayName: "Town" }), field("made", { dataType: "date" })];
  const found = (text: string) => searchFields(fields, text).map(({ apiName }) => apiName);
  expect(found("town CITY")).toEqual(["billing_city"]);
  expect(found("date")).toEqual(["made"]);
  expect(found("")).toHaveLength(2);
});
