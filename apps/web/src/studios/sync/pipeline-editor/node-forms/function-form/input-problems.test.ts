/** Problems of a node go to the inputs they are about; none is lost on the way. */
import { InputDefinition } from "@accord/contracts/config/inputs";
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { checkGraph } from "../../problems/check-graph.ts";
import { hasFunctionForm, problemsByInput, shownInputs } from "./input-problems.ts";

const world = {
  coreEntity: { apiName: "Account", displayName: "Account", fields: [] },
  places: new Map(),
  customActions: new Map(),
};
const graph = Graph.parse({
  nodes: [{ id: "look", label: "Look up", nodeType: "FUNCTION", apiName: "lookupExternalRecord" }],
  edges: [],
});
const own = checkGraph(graph, world).problems.filter(({ nodeId }) => nodeId === "look");
const input = (part: object) => InputDefinition.parse({ label: "Input", datatype: "string", ...part });

test("[SYN-046] empty inputs are named at themselves, without the node's name in front; all else stays above the form", () => {
  const missing = own.filter(({ code }) => code === "input_missing");
  expect(missing.length).toBeGreaterThan(1);
  const [first, ...rest] = missing;
  const { atInputs, others } = problemsByInput("Look up", own, [{ name: first?.targetId ?? "" }]);
  expect(atInputs).toEqual({ [first?.targetId ?? ""]: first?.errorMessage.replace("Look up: ", "") });
  expect(Object.values(atInputs)[0]).toMatch(/ is empty\. Fill it in\.$/);
  expect(others).toEqual(own.filter((problem) => problem !== first));
  expect(others).toEqual(expect.arrayContaining(rest));
});

test("a second problem of one input, and one of an input that is not on screen, stay above the form", () => {
  const problem = (targetId: string, errorMessage: string) => ({
    ...own.find(({ code }) => code === "input_missing"),
    code: "input_invalid" as const,
    severity: "error" as const,
    nodeId: "look",
    errorDetail: "",
    targetId,
    errorMessage,
  });
  const inputs = [
    input({ name: "kind" }),
    input({ name: "url", visibilityDependsOnFieldValue: { field: "kind", value: "web" } }),
  ];
  const problems = [problem("kind", "first"), problem("kind", "second"), problem("url", "hidden")];
  const shown = (kind: string) => problemsByInput("Look up", problems, shownInputs(inputs, { kind }));
  expect(shown("file").atInputs).toEqual({ kind: "first" });
  expect(shown("file").others.map(({ errorMessage }) => errorMessage)).toEqual(["second", "hidden"]);
  expect(shown("web").atInputs).toEqual({ kind: "first", url: "hidden" });
});

test("nodes with a form of their own keep their problems above it", () => {
  const node = (part: object) => Graph.parse({ nodes: [{ id: "a", label: "A", ...part }], edges: [] }).nodes;
  expect(node({ nodeType: "ACTION", apiName: "customAction" }).map(hasFunctionForm)).toEqual([false]);
  expect(node({ nodeType: "CORE_ENTITY" }).map(hasFunctionForm)).toEqual([false]);
  expect(node({ nodeType: "ACTION", apiName: "sendEmail" }).map(hasFunctionForm)).toEqual([true]);
});
