/** What differs between two versions of a pipeline: nodes and groups by id, connections by their ends. Places don't count. */
import type { Graph, GraphEdge, GraphGroup, GraphNode, GraphNote } from "@accord/contracts/sync/graph";
import { nodeById } from "./elements.ts";

export type NodeAspect = "label" | "description" | "settings" | "group" | "bypassed";

export interface ChangedNode {
  before: GraphNode;
  after: GraphNode;
  aspects: NodeAspect[];
  /** Keys of the configuration that differ. */
  settings: string[];
}

export interface GraphComparison {
  added: GraphNode[];
  removed: GraphNode[];
  changed: ChangedNode[];
  addedEdges: GraphEdge[];
  removedEdges: GraphEdge[];
  addedGroups: GraphGroup[];
  removedGroups: GraphGroup[];
  /** What a group says of itself; who belongs to it is an aspect of its nodes. */
  changedGroups: { before: GraphGroup; after: GraphGroup }[];
  addedNotes: GraphNote[];
  removedNotes: GraphNote[];
  /** Notes with another text or colour; their places and sizes don't count. */
  changedNotes: { before: GraphNote; after: GraphNote }[];
}

/** The same text for the same value, whatever the order of its keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, part]) => part !== undefined && part !== null);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`)
    .join(",")}}`;
}

const wayOf = (edge: GraphEdge): string => `${edge.source.nodeId}>${edge.destination.nodeId}:${edge.edgeType}`;

/** What `after` has that `before` had not, has no longer, and has otherwise. */
export function compareGraphs(before: Graph, after: Graph): GraphComparison {
  const ways = { before: new Set(before.edges.map(wayOf)), after: new Set(after.edges.map(wayOf)) };
  return {
    added: after.nodes.filter((node) => !nodeById(before, node.id)),
    removed: before.nodes.filter((node) => !nodeById(after, node.id)),
    changed: after.nodes.flatMap((node) => {
      const old = nodeById(before, node.id);
      const change = old && compareNodes(old, node);
      return change && change.aspects.length > 0 ? [change] : [];
    }),
    addedEdges: after.edges.filter((edge) => !ways.before.has(wayOf(edge))),
    removedEdges: before.edges.filter((edge) => !ways.after.has(wayOf(edge))),
    ...compareGroups(before.groups, after.groups),
    ...compareNotes(before.notes, after.notes),
  };
}

type GroupComparison = Pick<GraphComparison, "addedGroups" | "removedGroups" | "changedGroups">;

/** Whether a group is folded is a matter of looking at it, as places are. */
const groupText = ({ label, name, description, color, tags }: GraphGroup): string =>
  canonical({ title: label || name, description: description ?? "", color, tags: tags ?? [] });

function compareGroups(before: readonly GraphGroup[], after: readonly GraphGroup[]): GroupComparison {
  const old = new Map(before.map((group) => [group.id, group]));
  const kept = new Set(after.map(({ id }) => id));
  return {
    addedGroups: after.filter(({ id }) => !old.has(id)),
    removedGroups: before.filter(({ id }) => !kept.has(id)),
    changedGroups: after.flatMap((group) => {
      const earlier = old.get(group.id);
      return earlier && groupText(earlier) !== groupText(group) ? [{ before: earlier, after: group }] : [];
    }),
  };
}

type NoteComparison = Pick<GraphComparison, "addedNotes" | "removedNotes" | "changedNotes">;

function compareNotes(before: readonly GraphNote[], after: readonly GraphNote[]): NoteComparison {
  const old = new Map(before.map((note) => [note.id, note]));
  const kept = new Set(after.map(({ id }) => id));
  return {
    addedNotes: after.filter(({ id }) => !old.has(id)),
    removedNotes: before.filter(({ id }) => !kept.has(id)),
    changedNotes: after.flatMap((note) => {
      const earlier = old.get(note.id);
      const isChanged = earlier && (earlier.text !== note.text || earlier.color !== note.color);
      return isChanged ? [{ before: earlier, after: note }] : [];
    }),
  };
}

function compareNodes(before: GraphNode, after: GraphNode): ChangedNode {
  const keys = new Set([...Object.keys(before.configuration), ...Object.keys(after.configuration)]);
  const settings = [...keys].filter(
    (key) => canonical(before.configuration[key] ?? null) !== canonical(after.configuration[key] ?? null),
  );
  const aspects: NodeAspect[] = [];
  if (before.label !== after.label) aspects.push("label");
  if ((before.description ?? "") !== (after.description ?? "")) aspects.push("description");
  if (settings.length > 0 || before.apiName !== after.apiName) aspects.push("settings");
  if ((before.groupId ?? null) !== (after.groupId ?? null)) aspects.push("group");
  if ((before.bypassed ?? false) !== (after.bypassed ?? false)) aspects.push("bypassed");
  return { before, after, aspects, settings };
}

export const isSame = (found: GraphComparison): boolean => Object.values(found).every((list) => list.length === 0);

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
/** What is undefined or null says nothing. */
const saidBy = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, part]) => part !== undefined && part !== null);

/**
 * Whether two graphs, or parts of them, say the same, places included; whatever the order of their keys. Large graphs are
 * compared with each save: parts that are one object are passed over, and no text is made of the others.
 */
export function isSameContent(a: unknown, b: unknown): boolean {
  if (Object.is(a ?? null, b ?? null)) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((part, index) => isSameContent(part, b[index]));
  const others = new Map(saidBy(b));
  const own = saidBy(a);
  return own.length === others.size && own.every(([key, part]) => isSameContent(part, others.get(key)));
}

/** `next` with every node, edge, group and note of `shown` that says the same: what did not change stays the same object. */
export function adoptGraph(shown: Graph, next: Graph): Graph {
  const adopted: Graph = {
    ...next,
    nodes: adoptItems(shown.nodes, next.nodes),
    edges: adoptItems(shown.edges, next.edges),
    groups: adoptItems(shown.groups, next.groups),
    notes: adoptItems(shown.notes, next.notes),
  };
  const isSame =
    adopted.nodes === shown.nodes &&
    adopted.edges === shown.edges &&
    adopted.groups === shown.groups &&
    adopted.notes === shown.notes;
  return isSame ? shown : adopted;
}

function adoptItems<Item extends { id: string }>(shown: Item[], next: Item[]): Item[] {
  const before = new Map(shown.map((item) => [item.id, item]));
  const items = next.map((item) => {
    const old = before.get(item.id);
    return old && isSameContent(old, item) ? old : item;
  });
  return items.length === shown.length && items.every((item, index) => item === shown[index]) ? shown : items;
}
