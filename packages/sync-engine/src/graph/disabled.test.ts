/** Nodes that others rule out can't be used, and can again once those are gone. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { disabledMessage } from "./disabled.ts";
import { removeNodes } from "./edit/edits.ts";
import { disabledProblems } from "./validation/validate.ts";

const mail = { id: "mail", label: "Mail", nodeType: "ACTION", apiName: "sendEmail" };
const criteria = (key: string, value: unknown, message = "Reports are sent already.") => ({
  ...{ ...mail, disabledCriteria: [{ nodeType: "action", key, value, message }] },
});
const report = { id: "report", label: "Report", nodeType: "ACTION", apiName: "report", configuration: { to: ["a"] } };

const graphOf = (...nodes: object[]) => Graph.parse({ nodes, edges: [] });
const messageIn = (graph: Graph) => disabledMessage(graph, graph.nodes[0]!);

test.each([
  ["by a setting of another node", criteria("to", ["a"]), "Reports are sent already."],
  ["by what another node is", criteria("apiName", "report"), "Reports are sent already."],
  ["not by another value", criteria("to", ["b"]), null],
  ["not by itself", criteria("apiName", "sendEmail"), null],
  ["not where nothing is said", mail, null],
])("[SYN-050] a node is disabled %s", (_how, node, message) => {
  expect(messageIn(graphOf(node, report))).toBe(message);
});

test("[SYN-050] the first criterion that is met gives the message, a node of another type meets none, and without the node that matched it can be used again", () => {
  const both = [criteria("to", ["b"], "No."), criteria("to", ["a"], "Yes.")];
  const node = { ...mail, disabledCriteria: both.flatMap(({ disabledCriteria }) => disabledCriteria) };
  const graph = graphOf(node, report);
  expect(messageIn(graph)).toBe("Yes.");
  expect(messageIn(graphOf(node, { ...report, nodeType: "FUNCTION" }))).toBeNull();
  expect(disabledProblems(graph)).toMatchObject([
    { code: "node_disabled", severity: "error", nodeId: "mail", errorMessage: "Mail can't be used here. Yes." },
  ]);
  const alone = removeNodes(graph, new Set(["report"]));
  expect([messageIn(alone), disabledProblems(alone)]).toEqual([null, []]);
});
