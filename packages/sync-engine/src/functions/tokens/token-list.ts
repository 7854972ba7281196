/** Which tokens a node may use: what stands before it in the graph provides them. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import type { Token } from "@accord/contracts/sync/palette";
import { isBypassed } from "../../graph/bypass.ts";
import { isSource, nodeTitle } from "../../graph/elements.ts";
import { loopsAround } from "../../graph/loops.ts";
import { type Side, sidesOf, upstreamOf } from "../../graph/walk.ts";
import { variableOf } from "../context.ts";
import { functionByName } from "../registry.ts";
import { tokensOf } from "./token-names.ts";
import { restAfter } from "./token-names.ts";

export const TOKEN_GROUPS = {
  loopItem: "Loop item",
  previous: "Previous node",
  functions: "Functions",
  lookups: "Lookups",
  actions: "Actions",
  core: "Core fields",
  source: "Source fields",
  nodes: "Records at nodes",
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

export interface TokenContext {
  coreFields: readonly FieldSchema[];
  sources: readonly TokenSource[];
  /** Fields of core entities that lookups may read, by entity. */
  entities?: ReadonlyMap<string, readonly FieldSchema[]>;
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
export function tokensFor(graph: Graph, nodeId: string, world: TokenContext): Token[] {
  const node = graph.nodes.find((one) => one.id === nodeId);
  const known = provided(graph, nodeId, world);
  const strange = node ? tokensOf(node).filter((token) => !isKnown(token, known) && !isSourceAlias(token, world)) : [];
  return [...known, ...strange.map((token) => make(token, token, TOKEN_GROUPS.others, "object"))];
}

/**
 * Whether a token means something where these are offered. Short names of source fields are not judged: the offered
 * ones have their long names.
 */
export const isOffered = (token: string, offered: readonly OfferedToken[]): boolean =>
  token.startsWith(ALIAS) ||
  isKnown(
    token,
    offered.filter(({ group }) => group !== TOKEN_GROUPS.others),
  );
export type OfferedToken = Pick<Token, "token" | "datatype" | "group">;

/** The token itself, or a path into one that holds more than a single value. */
const isKnown = (token: string, known: readonly OfferedToken[]): boolean =>
  known.some((one) => {
    const rest = restAfter(token, one.token);
    return rest === "" || (rest !== null && HOLDS_MORE.has(one.datatype));
  });
/** Results of functions may be objects whatever their data type says: that of a Case is its case's. */
const HOLDS_MORE: ReadonlySet<string> = new Set(["object", "complex", "child", "list"]);

/** Token names a node uses that nothing before it provides. */
export function unknownTokensOf(graph: Graph, node: GraphNode, world: TokenContext): string[] {
  if (tokensOf(node).length === 0) return [];
  return tokensFor(graph, node.id, world)
    .filter((token) => token.group === TOKEN_GROUPS.others)
    .map((token) => token.token);
}

function provided(graph: Graph, nodeId: string, world: TokenContext): Token[] {
  const before = upstreamOf(graph, nodeId);
  before.delete(nodeId);
  const sides = sidesOf(graph);
  const side = sides.get(nodeId);
  const upstream = graph.nodes.filter(
    (node) => before.has(node.id) && !isBypassed(node) && isOnSameSide(sides.get(node.id), side),
  );
  const functions = upstream.filter((node) => functionByName(node.apiName)?.output);
  const isFieldGraph = graph.nodes.some((one) => one.nodeType === "CORE_ATTRIBUTE");
  const core = world.coreFields.filter((field) => field.status === "ACTIVE");
  const loops = loopsAround(graph, nodeId).flatMap((id) => upstream.filter((one) => one.id === id));
  return [
    ...loops.flatMap(itemTokens),
    ...(functions.length > 0
      ? [make("previousValue", "Result of the step before", TOKEN_GROUPS.previous, "object", "Previous value")]
      : []),
    ...(isFieldGraph
      ? [make("previous", "Output of the node before", TOKEN_GROUPS.previous, "object", "Previous")]
      : []),
    ...functions.filter((one) => !loops.includes(one)).flatMap((node) => functionTokens(node, world)),
    ...upstream.flatMap(actionTokens),
    ...core.map((field) =>
      make(`previous.values.${field.apiName}`, field.displayName, TOKEN_GROUPS.core, fieldType(field)),
    ),
    ...(side === "destination" ? [] : sourceTokens(upstream, world)),
    ...upstream.filter((one) => !loops.includes(one)).flatMap(variableToken),
    ...upstream.flatMap(recordToken),
    ...SYSTEM.map(([token, label, datatype]) => make(token, label, TOKEN_GROUPS.system, datatype)),
  ];
}

/** Results are known on their own side only: the core stands between. */
const isOnSameSide = (one: Side | undefined, other: Side | undefined): boolean =>
  one === other || (one !== "destination" && other !== "destination");

/** The lookup whose entity is one of the core; that of others is an object of a system. */
const CORE_LOOKUP = "lookupRecord";

function functionTokens(node: GraphNode, world: TokenContext): Token[] {
  const label = nodeTitle(node);
  const definition = functionByName(node.apiName);
  const isLookup = definition?.family === "lookup";
  const group = isLookup ? TOKEN_GROUPS.lookups : TOKEN_GROUPS.functions;
  const name = `Value From ${node.label}`;
  const entity = node.configuration["entity"];
  const fields = node.apiName === CORE_LOOKUP && typeof entity === "string" ? (world.entities?.get(entity) ?? []) : [];
  return [
    make(name, `Value from ${label}`, group, definition?.output ?? "object", label),
    ...fields
      .filter((field) => field.status === "ACTIVE")
      .map((field) =>
        make(`${name}.${field.apiName}`, `${label} › ${field.displayName}`, group, fieldType(field), field.displayName),
      ),
  ];
}

function actionTokens(node: GraphNode): Token[] {
  if (node.nodeType !== "ACTION") return [];
  const label = nodeTitle(node);
  return [
    make(`Action Result From ${node.label}`, `Result of ${label}`, TOKEN_GROUPS.actions, "object"),
    make(`Status of Action ${node.label}`, `Status of ${label}`, TOKEN_GROUPS.actions, "boolean"),
  ];
}

/** The whole record as it left a node that may have changed it. */
function recordToken(node: GraphNode): Token[] {
  const changes = isSource(node) || functionByName(node.apiName)?.family === "record";
  if (!changes || node.label === "") return [];
  return [make(node.label, `Record at ${nodeTitle(node)}`, TOKEN_GROUPS.nodes, "object", nodeTitle(node))];
}

function sourceTokens(upstream: readonly GraphNode[], world: TokenContext): Token[] {
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

function variableType({ apiName, configuration: { dataType } }: GraphNode): string {
  return typeof dataType === "string" ? dataType : apiName === "forEach" ? "object" : "string";
}

const variableToken = (node: GraphNode): Token[] =>
  variableOf(node).map((name) => make(name, name, TOKEN_GROUPS.variables, variableType(node)));

/** What a loop hands to the nodes inside it is what most of them are about: it comes first. */
function itemTokens(start: GraphNode): Token[] {
  const title = nodeTitle(start);
  const named = variableOf(start).map((name) =>
    make(name, `${name}: item of ${title}`, TOKEN_GROUPS.loopItem, variableType(start), name),
  );
  return [
    ...named,
    make(`Value From ${start.label}`, `Item of ${title}`, TOKEN_GROUPS.loopItem, "object", `Item of ${title}`),
  ];
}

const ALIAS = "source.";
const isSourceAlias = (token: string, world: TokenContext): boolean =>
  token.startsWith(ALIAS) &&
  world.sources.some((source) => source.fields.some((field) => field.apiName === token.slice(ALIAS.length)));
