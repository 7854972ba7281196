/** Loops and groups as the canvas draws them: frames behind nodes, the outer ones first; a collapsed group as a card. */
import type { Graph, GraphGroup, GraphNode } from "@accord/contracts/sync/graph";
import { nodeById, nodeTitle } from "@accord/sync-engine/graph";
import type { Node } from "@xyflow/react";
import type { Part } from "../../draft/kept-items.ts";
import type { Box } from "../boxes.ts";
import { collapsedCard, type Container, drawnContainers } from "./container-frames.ts";

export interface GroupData extends Record<string, unknown> {
  group: GraphGroup;
  memberIds: readonly string[];
  /** What moves with the area: its nodes, and the areas inside. */
  carriedIds: readonly string[];
  /** Of all members together. */
  errors: number;
  readOnly: boolean;
}

export interface LoopData extends Record<string, unknown> {
  /** Of the loop's start. */
  label: string;
  nodeIds: readonly string[];
  carriedIds: readonly string[];
  /** Room for the label, up to the label of a loop inside. */
  labelWidth: number;
  readOnly: boolean;
}

export type AreaNode = Node<GroupData, "area"> | Node<LoopData, "loop">;

interface AreasInput {
  graph: Graph;
  errors: ReadonlyMap<string, number>;
  readOnly: boolean;
  loopName?: ((label: string) => string) | undefined;
}

export function areaParts(input: AreasInput): Part<AreaNode>[] {
  const { graph } = input;
  const { containers, frames } = drawnContainers(graph);
  const groups = new Map(graph.groups.map((group) => [group.id, group]));
  const members = Map.groupBy(
    graph.nodes.filter((node) => node.groupId),
    (node) => node.groupId,
  );
  const open = containers.flatMap((container): Part<AreaNode>[] => {
    const frame = frames.get(container.id);
    if (!frame) return [];
    if (container.kind === "loop") return loopPart(container, frame, input);
    const group = groups.get(container.id);
    return group ? [groupPart(group, members.get(group.id) ?? [], frame, container, input)] : [];
  });
  const collapsed = graph.groups
    .filter((group) => group.collapsed)
    .map((group) => {
      const inside = members.get(group.id) ?? [];
      return groupPart(group, inside, collapsedCard(inside), undefined, input);
    });
  return [...open, ...collapsed];
}

const carriedBy = ({ nodeIds, inner }: Container): string[] => [...nodeIds, ...inner.map(({ id }) => id)];
const sized = (width: number, height: number) => ({ width, height, measured: { width, height } });
const partsOf = ({ x, y, width, height }: Box) => [x, y, width, height];

function groupPart(
  group: GraphGroup,
  members: readonly GraphNode[],
  frame: Box,
  container: Container | undefined,
  { errors, readOnly }: AreasInput,
): Part<AreaNode> {
  const problems = members.reduce((sum, { id }) => sum + (errors.get(id) ?? 0), 0);
  const memberIds = members.map(({ id }) => id);
  const carriedIds = container ? carriedBy(container) : memberIds;
  return {
    id: group.id,
    from: [group, readOnly, problems, ...members, ...partsOf(frame), ...carriedIds],
    make: () => ({
      id: group.id,
      type: "area",
      position: { x: frame.x, y: frame.y },
      ...sized(frame.width, frame.height),
      ...{ selectable: false, focusable: false, zIndex: group.collapsed ? 0 : -1, ariaLabel: group.name },
      data: { group, memberIds, carriedIds, errors: problems, readOnly },
    }),
  };
}

function loopPart(
  loop: Extract<Container, { kind: "loop" }>,
  frame: Box,
  { graph, readOnly, loopName }: AreasInput,
): Part<AreaNode>[] {
  const start = nodeById(graph, loop.startId);
  if (!start) return [];
  const label = nodeTitle(start);
  const { frames } = drawnContainers(graph);
  const innerLeft = loop.inner.flatMap(({ id }) => frames.get(id)?.x ?? []);
  const labelWidth = Math.min(frame.width, ...innerLeft.map((x) => x - frame.x));
  const carriedIds = carriedBy(loop);
  return [
    {
      id: loop.id,
      from: [label, readOnly, labelWidth, ...partsOf(frame), ...carriedIds],
      make: () => ({
        id: loop.id,
        type: "loop",
        position: { x: frame.x, y: frame.y },
        ...sized(frame.width, frame.height),
        ...{ selectable: false, focusable: false, zIndex: -1, dragHandle: ".ac-loop__title" },
        ariaLabel: loopName ? loopName(label) : label,
        data: { label, nodeIds: [...loop.nodeIds], carriedIds, labelWidth, readOnly },
      }),
    },
  ];
}
