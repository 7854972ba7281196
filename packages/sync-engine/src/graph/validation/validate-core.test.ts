/** Rules of the core node that can't be run are found before publishing. */
import { FieldSchema } from "@accord/contracts/data/schema";
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { coreProblems } from "./validate-core.ts";

const fields = ["name", "email"].map((apiName) => FieldSchema.parse({ apiName, displayName: apiName }));
const equal = (field: string, right: object): object => ({
  type: "condition",
  left: { kind: "field", field },
  operator: "equals",
  right: [right],
});

function problems(configuration: object): unknown[] {
  const graph = Graph.parse({
    nodes: [
      { id: "core-node-000", nodeType: "CORE_ENTITY", label: "Account", configuration },
      { id: "source-node-0", nodeType: "ENTITY_SOURCE", label: "CRM", configuration: {} },
    ],
    edges: [],
  });
  return coreProblems(graph, fields).map(({ code, targetId }) => [code, targetId]);
}

test("a merge needs a rule that names a field to look records up by, over fields that exist", () => {
  const match = equal("email", { kind: "field", field: "email" });
  expect(problems({ deduplicate: true })).toEqual([["input_missing", "merge.match"]]);
  expect(problems({ deduplicate: true, merge: { match } })).toEqual([]);
  const never = equal("email", { kind: "literal", value: "x" });
  expect(problems({ deduplicate: true, merge: { match: never } })).toEqual([["input_invalid", "merge.match"]]);
  const unknown = equal("gone", { kind: "field", field: "email" });
  expect(problems({ deduplicate: true, merge: { match: unknown } })).toEqual([["input_invalid", "merge.match"]]);
  expect(problems({ deduplicate: true, merge: { match, skipWhen: unknown } })).toEqual([
    ["input_invalid", "merge.skipWhen"],
  ]);
  expect(problems({ deduplicate: false, merge: { match: unknown } })).toEqual([]);
});

test("the selected source has to be one of the pipeline, for single fields too", () => {
  expect(problems({ authority: "SELECTED" })).toEqual([["input_missing", "selectedSource"]]);
  expect(problems({ authority: "SELECTED", selectedSource: "source-node-0" })).toEqual([]);
  expect(problems({ fieldAuthority: { name: { authority: "SELECTED", selectedSource: "gone" } } })).toEqual([
    ["input_missing", "selectedSource"],
  ]);
});

test("a configuration of the wrong shape is refused and says where", () => {
  expect(problems({ authority: "LOUDEST" })).toEqual([["input_invalid", "authority"]]);
});
