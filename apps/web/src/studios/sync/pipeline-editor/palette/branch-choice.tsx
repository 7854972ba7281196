/** By which way out of a node what is added follows: chosen by name, where there are several. */
import { NativeSelect } from "@mantine/core";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { edgesOutOf, freePort, nodeById, nodeTitle, outPorts } from "@accord/sync-engine/graph";
import { type KeyboardEvent, useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { usePortNames } from "../canvas/port-names.ts";
import type { ItemPlace } from "../canvas/place-item.ts";
import { useEditor } from "../editor-context.tsx";

interface Branches {
  node: GraphNode;
  ports: readonly string[];
}

const branchesOf = (graph: Graph, afterId: string | undefined): Branches | undefined => {
  const node = nodeById(graph, afterId ?? "");
  const ports = node ? outPorts(node) : [];
  return node && ports.length > 1 ? { node, ports } : undefined;
};

/**
 * The place with its way out: the one asked for, else the first that nothing leaves by. Without several there is nothing
 * to choose, and the place stays as it is.
 */
export function useBranch(place: ItemPlace): { where: ItemPlace; choose: (port: string) => void; step: Step } {
  const graph = useEditor((state) => state.graph);
  const branches = branchesOf(graph, place.afterId);
  const [chosen, choose] = useState(place.port);
  const port = chosen ?? (branches && freePort(graph, branches.node));
  const step: Step = (event) => {
    const by = event.altKey ? { ArrowDown: 1, ArrowUp: -1 }[event.key] : undefined;
    if (by === undefined || !branches) return false;
    event.preventDefault();
    const next = branches.ports.at((branches.ports.indexOf(port ?? "") + by) % branches.ports.length);
    if (next !== undefined) choose(next);
    return true;
  };
  return { where: port === undefined ? place : { ...place, port }, choose, step };
}

/** Alt with an arrow takes the next branch; whether it was that. */
type Step = (event: KeyboardEvent) => boolean;

export function BranchChoice({ where, onChoose }: { where: ItemPlace; onChoose: (port: string) => void }) {
  const { t } = useWords("sync");
  const nameOf = usePortNames();
  const graph = useEditor((state) => state.graph);
  const branches = branchesOf(graph, where.afterId);
  if (!branches) return null;
  const { node, ports } = branches;
  const edges = edgesOutOf(graph, node.id);
  const labelOf = (port: string): string => {
    const [edge, ...others] = edges.filter(({ edgeType }) => edgeType === port);
    const next = edge && others.length === 0 ? nodeById(graph, edge.destination.nodeId) : undefined;
    const branch = nameOf(node, port);
    return next ? t("palette.branchTo", { branch, label: nodeTitle(next) }) : branch;
  };
  return (
    <NativeSelect
      size="xs"
      label={t("palette.branch", { label: nodeTitle(node) })}
      title={t("palette.branchKeys")}
      value={where.port ?? ""}
      data={ports.map((port) => ({ value: port, label: labelOf(port) }))}
      onChange={(event) => onChoose(event.currentTarget.value)}
      // Arrows choose here, and don't walk through what is found.
      onKeyDown={(event) => {
        if (event.key !== "Escape" && !event.altKey) event.stopPropagation();
      }}
    />
  );
}
