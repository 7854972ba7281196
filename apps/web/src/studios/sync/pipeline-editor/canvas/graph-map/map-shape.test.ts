/** The small map of a graph: which cards it has, as one shape. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { toFlow } from "../canvas.model.ts";
import { around } from "../boxes.ts";
import { cardsIn, shapeOf } from "./map-shape.ts";

const graph = (collapsed: boolean) =>
  Graph.parse({
    nodes: [
      { id: "crm", label: "crm", nodeType: "ENTITY_SOURCE", location: { x: 0, y: 0 } },
      { id: "trim", label: "trim", nodeType: "FUNCTION", apiName: "trim", groupId: "g", location: { x: 300, y: 40 } },
    ],
    edges: [],
    groups: [{ id: "g", name: "Clean", collapsed }],
  });
const drawn = (collapsed: boolean) =>
  toFlow({
    graph: graph(collapsed),
    selected: [],
    selectedEdge: null,
    errors: new Map(),
    readOnly: false,
    edgeName: () => "",
  }).nodes;

test("an open group is its members, a collapsed one a card of its own", () => {
  expect(cardsIn(drawn(false)).map(({ x }) => x)).toEqual([0, 300]);
  expect(cardsIn(drawn(true)).map(({ x }) => x)).toEqual([300, 0]);
});

test("all cards are one path, and the map reaches around all of them", () => {
  const boxes = [
    { x: -10, y: 0, width: 20, height: 5 },
    { x: 100, y: 50, width: 30, height: 10 },
  ];
  expect(shapeOf(boxes)).toBe("M-10,0h20v5h-20zM100,50h30v10h-30z");
  expect(around(boxes)).toEqual({ x: -10, y: 0, width: 140, height: 60 });
});
