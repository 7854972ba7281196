/** Which tokens a node may use: what stands before it in the graph provides them. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import type { Token } from "@accord/contracts/sync/pipelines";
import { tokensIn } from "@accord/expressions";
import { isSource, nodeTitle } from "../graph/elements.ts";
import { type Side, sidesOf, upstreamOf } from "../graph/walk.ts";
import { functionByName } from "./registry.ts";

export const TOKEN_GROUPS = {
  previous: "Previous step",
  functions: "Functions",
  core: "Core fields",
  source: "Source fields",
  variables: "Variables",
  system: "System",
  others: "Others",
} as const;

/** A source of the graph with the fields its connector entity has. */
export interface TokenSource {
  nodeId: string;
  connector: string;
  entity: string;
  fields: readonly FieldSchema[];
}

export interface TokenWorld {
  coreFields: readonly FieldSchema[];
  sources: readonly TokenSource[];
}

const SYSTEM: readonly (readonly [token: string, label: string, datatype: string])[] = [
  ["record.id", "Record id", "string"],
  ["record.externalId", "External id", "string"],
  ["record.change", "Incoming change", "string"],
  ["record.isDeleted", "Is deleted", "boolean"],
  ["system.now", "Present moment", "datetime"],
  ["system.instance.name", "Instance name", "string"],
  ["pipeline.name", "Pipeline name", "string"],
];

function make(token: string, label: string, group: string, datatype: string, shortLabel = label): Token {
  return { token, label, shortLabel, group, datatype, value: `{{${token}}}` };
}

const fieldType = (field: FieldSchema): string => (field.isMultiValueField ? "list" : field.dataType);

/** Tokens a node may use, in the order of the picker. Unknown ones that it uses already come last, in “Others”. */
export function tokensFor(graph: Graph, nodeId: string, world: TokenWorld): Token[] {
  const node = graph.nodes.find((one) => one.id === nodeId);
  const known = provided(graph, nodeId, world);
  const names = new Set(known.map((token) => token.token));
  const strange = node ? tokensOf(node).filter((token) => !names.has(token) && !isSourceAlias(token, world)) : [];
  return [...known, ...strange.map((token) => make(token, token, TOKEN_GROUPS.others, "object"))];
}

/** Token names a node uses that nothing before it provides. */
export function unknownTokensOf(graph: Graph, node: GraphNode, world: TokenWorld): string[] {
  return tokensFor(graph, node.id, world)
    .filter((token) => token.group === TOKEN_GROUPS.others)
    .map((token) => token.token);
}

function provided(graph: Graph, nodeId: string, world: TokenWorld): Token[] {
  const before = upstreamOf(graph, nodeId);
  before.delete(nodeId);
  const sides = sidesOf(graph);
  const side = sides.get(nodeId);
  const upstream = graph.nodes.filter((node) => before.has(node.id) && isOnSameSide(sides.get(node.id), side));
  const functions = upstream.filter((node) => functionByName(node.apiName)?.output);
  const core = world.coreFields.filter((field) => field.status === "ACTIVE");
  return [
    ...(functions.length > 0
      ? [make("previousValue", "Result of the step before", TOKEN_GROUPS.previous, "object", "Previous value")]
      : []),
    ...functions.map((node) => functionToken(node)),
    ...core.map((field) =>
      make(`previous.values.${field.apiName}`, field.displayName, TOKEN_GROUPS.core, fieldType(field)),
    ),
    ...(side === "destination" ? [] : sourceTokens(upstream, world)),
    ...upstream.flatMap(variableToken),
    ...SYSTEM.map(([token, label, datatype]) => make(token, label, TOKEN_GROUPS.system, datatype)),
  ];
}

/** Results are known on their own side only: the core stands between. */
const isOnSameSide = (one: Side | undefined, other: Side | undefined): boolean =>
  one === other || (one !== "destination" && other !== "destination");

function functionToken(node: GraphNode): Token {
  const label = nodeTitle(node);
  return make(
    `Value From ${node.label}`,
    `Value from ${label}`,
    TOKEN_GROUPS.functions,
    functionByName(node.apiName)?.output ?? "object",
    label,
  );
}

function sourceTokens(upstream: readonly GraphNode[], world: TokenWorld): Token[] {
  const ids = new Set(upstream.filter(isSource).map((node) => node.id));
  return world.sources
    .filter((source) => ids.has(source.nodeId))
    .flatMap((source) =>
      source.fields
        .filter((field) => field.status === "ACTIVE")
        .map((field) =>
          make(
            `${source.connector}.${source.entity}.${field.apiName}`,
            `${source.connector} › ${source.entity} › ${field.displayName}`,
            TOKEN_GROUPS.source,
            fieldType(field),
            field.displayName,
          ),
        ),
    );
}

function variableToken(node: GraphNode): Token[] {
  const { target, variable, dataType } = node.configuration;
  if (node.apiName !== "setValue" || target !== "variable" || typeof variable !== "string" || variable === "")
    return [];
  return [make(variable, variable, TOKEN_GROUPS.variables, typeof dataType === "string" ? dataType : "string")];
}

const ALIAS = "source.";
const isSourceAlias = (token: string, world: TokenWorld): boolean =>
  token.startsWith(ALIAS) &&
  world.sources.some((source) => source.fields.some((field) => field.apiName === token.slice(ALIAS.length)));

/** Names of all tokens in a node's configuration: in texts, and as operands of conditions. */
export function tokensOf(node: GraphNode): string[] {
  const found = new Set(tokensIn(node.configuration));
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) return part.forEach(visit);
    if (typeof part !== "object" || part === null) return;
    if ("kind" in part && part.kind === "token" && "token" in part && typeof part.token === "string")
      found.add(part.token);
    Object.values(part).forEach(visit);
  };
  visit(node.configuration);
  return [...found];
}
