/** The graph of a new pipeline: what is in it, that it is valid, and that each try makes the same one. */
import { Graph } from "@accord/contracts/sync/graph";
import { isSameContent, normaliseGraph, refusedEdges, spreadOverlaps } from "@accord/sync-engine/graph";
import { expect, test } from "vitest";
import { newElementId } from "../pipeline-editor/canvas/new-node.ts";
import { buyers, shop } from "./new-pipeline.fixtures.ts";
import { pipelineGraph, type NewPipeline } from "./pipeline-graph.ts";

const draft = Graph.parse({ nodes: [{ id: "core", nodeType: "CORE_ENTITY", label: "Buyers" }], edges: [] });
const MAPPINGS = [
  { connectorField: "id", coreField: "id" },
  { connectorField: "mail", coreField: "mail" },
];
const wanted = (more: Partial<NewPipeline> = {}): NewPipeline => ({
  connector: shop(),
  entity: buyers(),
  mappings: MAPPINGS,
  matchOn: ["mail"],
  matchLabel: "Match records",
  back: MAPPINGS.slice(1),
  ...more,
});
const idOf = (element: string) => element.replaceAll(" ", "-");
const waysOf = ({ edges }: Graph) => edges.map(({ source, destination }) => `${source.nodeId} > ${destination.nodeId}`);

test("records are read, matched, stored, and written back by what the system can do", () => {
  const graph = pipelineGraph(draft, wanted({ connector: shop(["update"]) }), idOf);
  expect(waysOf(graph)).toEqual(["source > match", "match > core", "core > sink"]);
  expect(refusedEdges(graph)).toEqual([]);
  const sink = graph.nodes.find(({ id }) => id === "sink");
  expect(sink?.configuration).toMatchObject({ fieldMappings: MAPPINGS.slice(1), create: false, update: true });
  const xs = ["source", "match", "core", "sink"].map(
    (id) => graph.nodes.find((node) => node.id === id)?.location.x ?? 0,
  );
  expect(xs).toEqual(xs.toSorted((a, b) => a - b));
});

test("without a match and a way back, records are read and stored", () => {
  expect(waysOf(pipelineGraph(draft, wanted({ matchOn: [], back: null }), idOf))).toEqual(["source > core"]);
});

test("a second try replaces what the first one drew, and is the same where nothing changed", () => {
  const first = pipelineGraph(draft, wanted(), idOf);
  expect(isSameContent(pipelineGraph(first, wanted(), idOf), first)).toBe(true);
  expect(waysOf(pipelineGraph(first, wanted({ back: null }), idOf))).toEqual(["source > match", "match > core"]);
});

test("it is stored as it is sent, so that a later try recognises it in the draft and in the published version", () => {
  const ids = new Map<string, string>();
  const idOfElement = (element: string): string => {
    const id = ids.get(element) ?? newElementId();
    ids.set(element, id);
    return id;
  };
  const sent = pipelineGraph(draft, wanted(), idOfElement);
  const stored = spreadOverlaps(normaliseGraph(Graph.parse(JSON.parse(JSON.stringify(sent))), newElementId));
  expect(isSameContent(stored, sent)).toBe(true);
  expect(isSameContent(pipelineGraph(stored, wanted(), idOfElement), stored)).toBe(true);
});
