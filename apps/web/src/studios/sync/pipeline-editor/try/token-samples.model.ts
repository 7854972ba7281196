/** Values that tokens have at one node for the record that is tried, as far as its result says. Pure. */
import type { Value, Values } from "@accord/contracts/data/values";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import type { TriedRecord } from "@accord/contracts/sync/tests/try-record";
import { readPath, valueAtPath } from "@accord/expressions";
import { restAfter } from "@accord/sync-engine/functions";
import { edgesInto, isSource } from "@accord/sync-engine/graph";
import { passesAt } from "./try.model.ts";

/** Name of a node's own result among its values. */
const RESULT = "value";
const VALUE_FROM = "Value From ";
const PREVIOUS_VALUES = "previous.values.";
const PREVIOUS_VALUE = "previousValue";
const SOURCE = "source.";

export interface SamplesOf {
  result: TriedRecord;
  graph: Graph;
  node: GraphNode;
  /** The source that the record is of, with the names that its tokens begin with. */
  source: { nodeId: string; connector: string; entity: string } | null;
}

/** Undefined: the result doesn't say. */
export function sampleOfToken(token: string, of: SamplesOf): Value | undefined {
  const { result, graph, node } = of;
  if (token === "record.id") return result.core.recordId ?? undefined;
  if (token === "record.externalId") return result.record.externalId;
  if (token.startsWith(PREVIOUS_VALUES)) return memberOf(inputOf(of), token.slice(PREVIOUS_VALUES.length));
  const rest = restAfter(token, PREVIOUS_VALUE);
  if (rest !== null) {
    const before = edgesInto(graph, node.id).map(({ source }) => nodeNamed(graph, ({ id }) => id === source.nodeId));
    return before.length === 1 ? into(resultOf(result, before[0]), rest) : undefined;
  }
  const field = sourceField(token, of);
  if (field !== null) return memberOf(result.record.values, field);
  if (token.startsWith(VALUE_FROM)) {
    const named = longestLabel(graph, token.slice(VALUE_FROM.length));
    return named ? into(resultOf(result, named.node), named.rest) : undefined;
  }
  const named = longestLabel(graph, token);
  if (!named) return undefined;
  if (!isSource(named.node)) return into(passesAt(result, named.node)[0]?.output, named.rest);
  return named.node.id === of.source?.nodeId ? into(result.record.values, named.rest) : undefined;
}

/** Core values as they reach the node. Its first pass stands for all. */
const inputOf = ({ result, node }: SamplesOf): Values | undefined => passesAt(result, node)[0]?.input;

const nodeNamed = (graph: Graph, is: (node: GraphNode) => boolean): GraphNode | undefined => graph.nodes.find(is);

const resultOf = (result: TriedRecord, node: GraphNode | undefined): Value | undefined =>
  node && passesAt(result, node)[0]?.output[RESULT];

function sourceField(token: string, { source }: SamplesOf): string | null {
  if (!source) return null;
  const prefix = [SOURCE, `${source.connector}.${source.entity}.`].find((one) => token.startsWith(one));
  return prefix === undefined ? null : token.slice(prefix.length);
}

/** A label may hold dots: the longest that the token begins with is meant. */
function longestLabel(graph: Graph, token: string): { node: GraphNode; rest: string } | null {
  const found = graph.nodes
    .flatMap((node) => {
      const rest = restAfter(token, node.label);
      return rest === null ? [] : [{ node, rest }];
    })
    .toSorted((a, b) => a.rest.length - b.rest.length);
  return found[0] ?? null;
}

/** A member by its name, which may hold dots, or by a path. */
const memberOf = (values: Values | undefined, name: string): Value | undefined =>
  values === undefined ? undefined : Object.hasOwn(values, name) ? values[name] : into(values, `.${name}`);

function into(value: Value | undefined, rest: string): Value | undefined {
  if (value === undefined || rest === "") return value;
  const path = readPath(rest.startsWith(".") ? rest.slice(1) : rest);
  return path ? (valueAtPath(value, path) ?? undefined) : undefined;
}
