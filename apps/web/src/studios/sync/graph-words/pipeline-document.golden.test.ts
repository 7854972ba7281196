/** What is documented of a pipeline, as Markdown; and that nothing of a graph is left out. */
import { join } from "node:path";
import { Graph } from "@accord/contracts/sync/graph";
import { nodeTitle } from "@accord/sync-engine/graph";
import { expect, test } from "vitest";
import { pipeline, withNode, words } from "./graph-words.fixtures.ts";
import { toMarkdown } from "./markdown.ts";
import { documentOf } from "./pipeline-document.ts";

const head = { title: "Account pipeline", version: "Version 2 · Texas only, published by Ada Lovelace" };

test("[SYN-015] sources, steps, mapping, merge policy, schedule and destinations are described as in the golden file", async () => {
  const markdown = toMarkdown(documentOf(pipeline(), words, "Account"), head, words.t);
  await expect(markdown).toMatchFileSnapshot(join(import.meta.dirname, "pipeline-document.golden.md"));
});

test("every node is in one section, whatever its connections, circles and loose nodes included", () => {
  const graph = pipeline();
  const edges = [
    ...graph.edges,
    { ...graph.edges[0], id: "back-edge-00000", source: { nodeId: "title" }, destination: { nodeId: "filter" } },
  ];
  for (const each of [graph, { ...graph, edges }, { ...graph, edges: [] }]) {
    const document = documentOf(Graph.parse(each), words, "Account");
    const listed = document.sections.flatMap(({ nodes }) => nodes.map(({ title }) => title));
    expect(listed.toSorted()).toEqual(graph.nodes.map(nodeTitle).toSorted());
  }
});

test("names that look like Markdown stay text, and a line break in a table's cell ends no row", () => {
  const graph = withNode(pipeline(), "filter", { label: "a | b\n# c", description: "*not bold*\n<script>" });
  const markdown = toMarkdown(documentOf(graph, words, "Account"), { ...head, title: "<b>" }, words.t);
  expect(markdown).toContain("# \\<b\\>");
  expect(markdown).toContain("> \\*not bold\\*\n> \\<script\\>");
  expect(markdown).toContain("### a \\| b");
});
