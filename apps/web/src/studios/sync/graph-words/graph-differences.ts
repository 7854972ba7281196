/** What differs between two graphs in words: every node, connection and group with each setting before and after. */
import type { Graph, GraphEdge, GraphGroup, GraphNode, GraphNote } from "@accord/contracts/sync/graph";
import {
  type ChangedNode,
  compareGraphs,
  type GraphComparison,
  isBypassed,
  nodeById,
  nodeTitle,
} from "@accord/sync-engine/graph";
import type { Mark } from "../pipeline-editor/canvas/canvas.model.ts";
import type { GraphWords, Setting } from "./graph-words.ts";
import { labelOf, SECRET, settingsOf, titleOfGroup, valueWords } from "./setting-words.ts";

/** One setting; null where there is none on that side. */
export interface ChangedSetting {
  label: string;
  before: string | null;
  after: string | null;
}

export interface GraphDifference {
  key: string;
  mark: Mark;
  kind: "node" | "connection" | "group" | "note";
  title: string;
  /** Only of what is still there. */
  nodeId: string | null;
  settings: ChangedSetting[];
}

/** Nodes first, then connections, groups and notes; of each what came, what changed and what went. */
export function graphDifferences(before: Graph, after: Graph, words: GraphWords): GraphDifference[] {
  const found = compareGraphs(before, after);
  const sides = { before: wordsOf(before, words), after: wordsOf(after, words) };
  const node = (mark: Mark, { id, ...of }: GraphNode, settings: ChangedSetting[]): GraphDifference => ({
    key: `${mark} ${id}`,
    mark,
    kind: "node",
    title: nodeTitle({ id, ...of }),
    nodeId: mark === "removed" ? null : id,
    settings,
  });
  return [
    ...found.added.map((each) => node("added", each, paired([], settingsOf(each, sides.after)))),
    ...found.changed.map((each) => node("changed", each.after, changedSettings(each, before, after, sides))),
    ...found.removed.map((each) => node("removed", each, paired(settingsOf(each, sides.before), []))),
    ...connections(found, before, after, words),
    ...found.addedGroups.map((each) => group("added", each, paired([], groupSettings(each, words)))),
    ...found.changedGroups.map((each) =>
      group("changed", each.after, paired(groupSettings(each.before, words), groupSettings(each.after, words))),
    ),
    ...found.removedGroups.map((each) => group("removed", each, paired(groupSettings(each, words), []))),
    ...found.addedNotes.map((each) => note("added", each, paired([], noteSettings(each, words)), words)),
    ...found.changedNotes.map((each) =>
      note("changed", each.after, paired(noteSettings(each.before, words), noteSettings(each.after, words)), words),
    ),
    ...found.removedNotes.map((each) => note("removed", each, paired(noteSettings(each, words), []), words)),
  ];
}

/** Titles are those of the graph that is spoken of. */
const wordsOf = (graph: Graph, words: GraphWords): GraphWords => ({
  ...words,
  title: (nodeId) => {
    const node = nodeById(graph, nodeId);
    return node ? nodeTitle(node) : nodeId;
  },
});

function changedSettings(
  { before: old, after: now, settings: keys }: ChangedNode,
  before: Graph,
  after: Graph,
  sides: { before: GraphWords; after: GraphWords },
): ChangedSetting[] {
  const { t } = sides.after;
  const general = (node: GraphNode, graph: Graph): Setting[] =>
    [
      { label: t("configure.label"), value: nodeTitle(node) },
      { label: t("configure.description"), value: node.description ?? "" },
      { label: t("node.group"), value: titleOfGroup(graph.groups.find(({ id }) => id === node.groupId)) },
      { label: t("flow.bypass.state"), value: t(isBypassed(node) ? "flow.bypass.disabled" : "flow.bypass.enabled") },
      { label: t("node.function"), value: sides.after.definition(node.apiName)?.label ?? node.apiName },
    ].filter(({ value }) => value !== "");
  // Apart: an input of a function may be called as one of these.
  const said = [
    ...paired(general(old, before), general(now, after)),
    ...paired(settingsOf(old, sides.before), settingsOf(now, sides.after)),
  ];
  // What the words don't show still differs, and is shown as it is stored.
  const unsaid = keys.filter(
    (key) => !changesWords(old, key, now, sides.before) && !changesWords(now, key, old, sides.after),
  );
  return [
    ...said,
    ...unsaid.map((key) => unsaidSetting(key, { node: old, words: sides.before }, { node: now, words: sides.after })),
  ];
}

interface Side {
  node: GraphNode;
  words: GraphWords;
}

/** In words where those differ, else as it is stored; a password as neither. */
function unsaidSetting(key: string, old: Side, now: Side): ChangedSetting {
  const said = ({ node, words }: Side): string | null =>
    valueWords(node.configuration[key], words, inputOf(node, key, words)) || null;
  const stored = ({ node: { configuration } }: Side): string | null =>
    configuration[key] === undefined ? null : JSON.stringify(configuration[key]);
  const [before, after] = [said(old), said(now)];
  const isSaid = before !== after || before === SECRET;
  return {
    label: labelOf(key, inputOf(now.node, key, now.words)),
    before: isSaid ? before : stored(old),
    after: isSaid ? after : stored(now),
  };
}

/** Whether the words of a node are others once it has one setting as the other node has it. */
function changesWords(node: GraphNode, key: string, other: GraphNode, words: GraphWords): boolean {
  const { [key]: _replaced, ...rest } = node.configuration;
  const configuration = key in other.configuration ? { ...rest, [key]: other.configuration[key] } : rest;
  return paired(settingsOf(node, words), settingsOf({ ...node, configuration }, words)).length > 0;
}

const inputOf = (node: GraphNode, key: string, words: GraphWords) =>
  words.definition(node.apiName)?.inputs.find(({ name }) => name === key);

/** Settings by their label, those that say the same left out. */
function paired(before: readonly Setting[], after: readonly Setting[]): ChangedSetting[] {
  const old = new Map(before.map(({ label, value }) => [label, value]));
  const now = new Map(after.map(({ label, value }) => [label, value]));
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((label) => ({ label, before: old.get(label) ?? null, after: now.get(label) ?? null }))
    .filter((each) => each.before !== each.after);
}

/** One that leaves by another branch than it did is the same connection, changed. */
function connections(found: GraphComparison, before: Graph, after: Graph, words: GraphWords): GraphDifference[] {
  const waysOf = (edges: readonly GraphEdge[]) =>
    Map.groupBy(edges, ({ source, destination }) => `${source.nodeId} ${destination.nodeId}`);
  const [added, removed] = [waysOf(found.addedEdges), waysOf(found.removedEdges)];
  const moved = [...added].flatMap(([way, [now, ...others]]) => {
    const [was, ...further] = removed.get(way) ?? [];
    const isOne = others.length === 0 && further.length === 0;
    return now && was && isOne ? [{ now, was }] : [];
  });
  const isMoved = (edge: GraphEdge): boolean => moved.some(({ now, was }) => now === edge || was === edge);
  const line = (
    mark: Mark,
    edge: GraphEdge,
    graph: Graph,
    branches: [string | null, string | null],
  ): GraphDifference => ({
    key: `${mark} ${edge.id}`,
    mark,
    kind: "connection",
    title: endsOf(edge, graph),
    nodeId: null,
    settings:
      branches[0] === branches[1] ? [] : [{ label: words.t("words.branch"), before: branches[0], after: branches[1] }],
  });
  const branch = (edge: GraphEdge, graph: Graph) => branchOf(edge, graph, words);
  return [
    ...found.addedEdges
      .filter((edge) => !isMoved(edge))
      .map((edge) => line("added", edge, after, [null, branch(edge, after)])),
    ...moved.map(({ now, was }) => line("changed", now, after, [branch(was, before), branch(now, after)])),
    ...found.removedEdges
      .filter((edge) => !isMoved(edge))
      .map((edge) => line("removed", edge, before, [branch(edge, before), null])),
  ];
}

function endsOf({ source, destination }: GraphEdge, graph: Graph): string {
  const [from = "?", to = "?"] = [source.nodeId, destination.nodeId].map((id) => {
    const node = nodeById(graph, id);
    return node ? nodeTitle(node) : id;
  });
  return `${from} → ${to}`;
}

/** Null where it needs no name. */
function branchOf(edge: GraphEdge, graph: Graph, { portName }: GraphWords): string | null {
  const source = nodeById(graph, edge.source.nodeId);
  return (source && portName(source, edge.edgeType)) || null;
}

const groupSettings = (group: GraphGroup, { t }: GraphWords): Setting[] =>
  [
    { label: t("group.name"), value: titleOfGroup(group) },
    { label: t("configure.description"), value: group.description ?? "" },
    { label: t("words.color"), value: group.color ?? "" },
    { label: t("words.tags"), value: (group.tags ?? []).join(", ") },
  ].filter(({ value }) => value !== "");

const noteSettings = ({ text, color }: GraphNote, { t }: GraphWords): Setting[] =>
  [
    { label: t("note.text"), value: text },
    { label: t("words.color"), value: t(`note.color_${color}`) },
  ].filter(({ value }) => value !== "");

/** Of a note's text so much is its title. */
const NOTE_TITLE = 60;

const note = (mark: Mark, of: GraphNote, settings: ChangedSetting[], { t }: GraphWords): GraphDifference => ({
  key: `${mark} ${of.id}`,
  mark,
  kind: "note",
  title: of.text.trim().slice(0, NOTE_TITLE) || t("note.empty"),
  nodeId: null,
  settings,
});

const group = (mark: Mark, of: GraphGroup, settings: ChangedSetting[]): GraphDifference => ({
  key: `${mark} ${of.id}`,
  mark,
  kind: "group",
  title: titleOfGroup(of),
  nodeId: null,
  settings,
});
