/** The graph as a table with the same actions, for keyboards and screen readers. */
import { DataTable, StatusTag, type Column } from "@accord/ui";
import { Select } from "@mantine/core";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import {
  addEdge,
  edgesOutOf,
  isBypassed,
  isCore,
  mayBypass,
  nodeById,
  nodeTitle,
  sidesOf,
  toggleBypass,
  topologicalOrder,
  type Side,
  edgeViolation,
} from "@accord/sync-engine/graph";
import { useMemo } from "react";
import { useWords } from "../../../../app/words.ts";
import { nodeKind } from "./canvas.model.ts";
import { useEditor, useEditorStore, useLocked } from "../editor-context.tsx";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import { newElementId } from "./new-node.ts";
import { removeNodesOf } from "../removal/remove-items.ts";
import { NoteList } from "./notes/note-list.tsx";
import { NodeFlow } from "../cards/node-flow.tsx";
import { TryTag } from "../try/node-try.tsx";
import { NodeHealth } from "../cards/node-health.tsx";

const SIDES = ["source", "core", "destination", "unconnected"] as const;

/** Nodes as a record passes them: the source side first, then the core, then destinations. */
function inFlowOrder(graph: Graph, sides: ReadonlyMap<string, Side>): GraphNode[] {
  const order = topologicalOrder(graph) ?? graph.nodes;
  return SIDES.flatMap((side) => order.filter((node) => (sides.get(node.id) ?? "unconnected") === side));
}

interface ListState {
  readOnly: boolean;
  hasPanel: boolean;
  /** A field pipeline is open. */
  isField: boolean;
}

/** Beside a panel there is room for what a node is and where it leads. */
function isShown(column: string, { readOnly, hasPanel, isField }: ListState): boolean {
  if (column === "connect") return !readOnly;
  // Neither is counted for single fields.
  if (isField && (column === "health" || column === "flow")) return false;
  return !hasPanel || (column !== "kind" && column !== "side");
}

export function ListView() {
  const { t } = useWords("sync");
  const readOnly = useLocked();
  const store = useEditorStore();
  const graph = useEditor((state) => state.graph);
  const selected = useEditor((state) => (state.selected.length === 1 ? state.selected[0] : undefined));
  const panel = useEditor((state) => state.panel);
  const isField = useFieldScope() !== null;
  const sides = useMemo(() => sidesOf(graph), [graph]);
  const rows = useMemo(() => inFlowOrder(graph, sides), [graph, sides]);
  const configure = (node: GraphNode) => {
    store.getState().select([node.id]);
    store.getState().show("configure");
  };
  const columns: Column<GraphNode>[] = [
    {
      id: "node",
      header: t("list.node"),
      cell: (node) => <span data-node-id={node.id}>{nodeTitle(node)}</span>,
      sortValue: nodeTitle,
      always: true,
      grow: 2,
      minWidth: 160,
    },
    { id: "health", header: t("table.health"), cell: (node) => <NodeHealth nodeId={node.id} /> },
    { id: "flow", header: t("flow.column"), cell: (node) => <NodeOutcome node={node} /> },
    {
      id: "kind",
      header: t("list.kind"),
      cell: (node) => t(node.nodeType === "CORE_ATTRIBUTE" ? "node.coreField" : `node.${nodeKind(node)}`),
      sortValue: nodeKind,
    },
    { id: "side", header: t("list.side"), cell: (node) => t(`list.side_${sides.get(node.id) ?? "unconnected"}`) },
    {
      id: "leadsTo",
      header: t("list.leadsTo"),
      grow: 2,
      cell: (node) =>
        edgesOutOf(graph, node.id)
          .map((edge) => nodeById(graph, edge.destination.nodeId))
          .flatMap((target) => (target ? [nodeTitle(target)] : []))
          .join(", "),
    },
    {
      id: "connect",
      header: t("list.connectTo"),
      minWidth: 150,
      cell: (node) => <ConnectTo node={node} />,
    },
  ];
  return (
    <div className="ac-list-view">
      <DataTable
        label={t("editor.listView")}
        columns={columns.filter(({ id }) => isShown(id, { readOnly, hasPanel: panel !== "none", isField }))}
        rows={rows}
        rowId={(node) => node.id}
        rowLabel={nodeTitle}
        onRowOpen={configure}
        activeRow={selected}
        rowMenu={(node) => [
          { label: t("list.configure"), onSelect: () => configure(node) },
          !readOnly &&
            mayBypass(node) && {
              label: t(isBypassed(node) ? "flow.bypass.enable" : "flow.bypass.disable"),
              onSelect: () => store.getState().edit((before) => toggleBypass(before, new Set([node.id]))),
            },
          !readOnly &&
            !isCore(node) && {
              label: t("configure.remove"),
              danger: true,
              onSelect: () => removeNodesOf(store, new Set([node.id])),
            },
        ]}
      />
      <NoteList />
    </div>
  );
}

function BypassTag({ node }: { node: GraphNode }) {
  const { t } = useWords("sync");
  return isBypassed(node) ? (
    <StatusTag tone="idle" title={t("flow.bypass.card")}>
      {t("flow.bypass.disabled")}
    </StatusTag>
  ) : null;
}

const NodeOutcome = ({ node }: { node: GraphNode }) => (
  <>
    <BypassTag node={node} />
    <TryTag nodeId={node.id} />
    <NodeFlow node={node} />
  </>
);

function ConnectTo({ node }: { node: GraphNode }) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const graph = useEditor((state) => state.graph);
  const targets = graph.nodes.filter(
    (target) => edgeViolation(graph, { source: node.id, target: target.id }, "drawn") === null,
  );
  if (targets.length === 0) return null;
  return (
    <Select
      aria-label={`${t("list.connectTo")} ${nodeTitle(node)}`}
      placeholder={t("list.connectTo")}
      size="xs"
      value={null}
      data={targets.map((target) => ({ value: target.id, label: nodeTitle(target) }))}
      onChange={(target) => {
        if (!target) return;
        const made = addEdge(graph, { id: newElementId(), source: node.id, target }, "drawn");
        if (made.ok) store.getState().edit(() => made.graph);
      }}
    />
  );
}
