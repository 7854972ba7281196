/** Where a record's way ends: at a decision without a way for its answer, or at the destination. */
import type { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { arrivesAt, endsAt } from "./explain-paths.ts";

const node = (id: string, nodeType: string) => ({ id, nodeType });
const edge = (source: string, destination: string, edgeType = "default") => ({
  id: `${source}-${destination}`,
  source: { nodeId: source },
  destination: { nodeId: destination },
  edgeType,
});
/** The core tells the CRM straight, Billing by a decision that leads on only when it holds. */
const graph = {
  nodes: [
    node("core", "CORE_ENTITY"),
    node("is customer", "FUNCTION"),
    node("billing", "ENTITY_SINK"),
    node("crm", "ENTITY_SINK"),
  ],
  edges: [edge("core", "is customer"), edge("is customer", "billing", "true"), edge("core", "crm")],
} as unknown as Graph;
const decided = (route: string | null) => ({ nodeId: "is customer", route, failure: null });

test("a decision that says false and has no way for it ends the record's way", () => {
  expect(endsAt(graph, decided("false"), "billing")).toBe(true);
  expect(arrivesAt(graph, [decided("false")], "billing")).toBe(false);
  expect(endsAt(graph, decided("true"), "billing")).toBe(false);
  expect(arrivesAt(graph, [decided("true")], "billing")).toBe(true);
});

test("a destination right behind the core is reached by every record; a failure ends any way", () => {
  expect(arrivesAt(graph, [], "crm")).toBe(true);
  const failed = { ...decided("true"), failure: { code: "no", message: "no" } };
  expect(arrivesAt(graph, [failed], "billing")).toBe(false);
  expect(endsAt(graph, failed, "billing")).toBe(true);
});
