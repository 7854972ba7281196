/** Problems of function and action nodes: unknown, misplaced, badly configured, leading nowhere. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import type { FunctionFacts, GraphCatalogue } from "./catalogue.ts";
import { isBypassed } from "../bypass.ts";
import { edgesInto, edgesOutOf, functionName, isCode, isPredicate, nodeById } from "../elements.ts";
import { ANY_CASE, casesLeadingNowhere, OTHERWISE_PORT, outPorts } from "../ports.ts";
import { nodeProblem, type GraphProblem } from "./problem.ts";
import { sidesOf } from "../walk.ts";

export function functionProblems(graph: Graph, catalogue: GraphCatalogue): GraphProblem[] {
  const sides = sidesOf(graph);
  return graph.nodes.flatMap((node): GraphProblem[] => {
    const name = functionName(node);
    if (name === "" || isBypassed(node)) return [];
    const facts = catalogue.functionFacts(name);
    if (!facts) return [nodeProblem("function_unknown", node, { name })];
    const found = inputProblems(node, facts, catalogue);
    if (!facts.levels.includes(catalogue.scope))
      found.push(nodeProblem("function_wrong_level", node, { name: facts.label }));
    if (facts.sourceSideOnly && sides.get(node.id) === "destination") {
      found.push(nodeProblem("function_wrong_side", node, { name: facts.label }));
    }
    for (const token of catalogue.unknownTokens(graph, node))
      found.push(nodeProblem("token_unknown", node, { token: `{{${token}}}` }));
    for (const text of isCode(node) ? [] : unclosedTokens(node.configuration))
      found.push({ ...nodeProblem("token_unclosed", node, { text }), severity: "warning" });
    for (const name of casesLeadingNowhere(graph, node))
      found.push({ ...nodeProblem("case_leads_nowhere", node, { name }), severity: "warning" });
    return [...found, ...wayProblems(graph, node, facts)];
  });
}

function inputProblems(node: GraphNode, facts: FunctionFacts, catalogue: GraphCatalogue): GraphProblem[] {
  const missing = facts.inputs
    .filter((input) => input.required === true && !input.implicit && isEmpty(node.configuration[input.name]))
    .filter((input) => isAskedFor(input.requiredValue, node))
    .map((input) => nodeProblem("input_missing", node, { input: input.label }, input.name));
  if (missing.length > 0) return missing;
  return facts
    .check(node, catalogue.coreEntity.fields)
    .map((wrong) =>
      nodeProblem("input_invalid", node, { input: labelOf(facts, wrong.input), reason: wrong.reason }, wrong.input),
    );
}

/** Most of an unclosed token that a problem shows. */
const SHOWN_LENGTH = 30;

/** What begins like a token in the texts of a configuration and never ends: it is written as it stands. */
function unclosedTokens(value: unknown): string[] {
  if (typeof value === "string") {
    const begin = value.lastIndexOf("{{");
    return begin < 0 || value.includes("}}", begin) ? [] : [value.slice(begin, begin + SHOWN_LENGTH)];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(unclosedTokens) : [];
}

const labelOf = (facts: FunctionFacts, name: string): string =>
  facts.inputs.find((input) => input.name === name)?.label ?? name;

/** An input that is shown only for one value of another input is asked for only then. */
function isAskedFor(when: { field: string; value: unknown } | undefined, node: GraphNode): boolean {
  return when === undefined || node.configuration[when.field] === when.value;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

function wayProblems(graph: Graph, node: GraphNode, facts: FunctionFacts): GraphProblem[] {
  const out = edgesOutOf(graph, node.id);
  if (isPredicate(node) && out.length === 0) return [nodeProblem("decision_without_edges", node)];
  // Edges out of a Case follow its cases; "Any" takes every record, as the default does.
  const ways = functionName(node) === "case" ? [...outPorts(node), ANY_CASE] : facts.edgeTypes;
  const strange = ways
    ? out
        .filter((edge) => !ways.includes(edge.edgeType))
        .map((edge) => nodeProblem("edge_type_unknown", node, { edgeType: edge.edgeType }, edge.id))
    : [];
  return functionName(node) === "caseBranch" ? [...strange, ...branchProblems(graph, node)] : strange;
}

/** A case branch must name a case of the Case node before it, `Default` or `Any`. */
function branchProblems(graph: Graph, node: GraphNode): GraphProblem[] {
  const name = String(node.configuration["case"] ?? "");
  if (name === OTHERWISE_PORT || name === ANY_CASE) return [];
  const cases = edgesInto(graph, node.id)
    .map((edge) => nodeById(graph, edge.source.nodeId))
    .filter((before): before is GraphNode => before !== undefined && functionName(before) === "case")
    .flatMap((before) => before.configuration["cases"])
    .flatMap((item) => (typeof item === "object" && item !== null && "name" in item ? [String(item.name)] : []));
  return cases.includes(name) ? [] : [nodeProblem("case_branch_unknown", node, { name })];
}
