/** Two published versions compared, as the API answers it. */
import { Value } from "@accord/contracts/data/values";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import type { VersionComparison, VersionRow } from "@accord/contracts/sync/pipeline-versions";
import { compareGraphs, nodeTitle } from "@accord/sync-engine/graph";

type OpenedVersion = VersionRow & { graph: Graph };

export function versionComparison(before: OpenedVersion, after: OpenedVersion): VersionComparison {
  const { added, removed, changed, ...others } = compareGraphs(before.graph, after.graph);
  return {
    before: rowOf(before),
    after: rowOf(after),
    ...others,
    added: added.map(named),
    removed: removed.map(named),
    changed: changed.map(({ before: old, after: node, aspects, settings }) => ({
      ...named(node),
      aspects,
      settings: settings.map((name) => ({ name, before: settingOf(old, name), after: settingOf(node, name) })),
    })),
  };
}

const rowOf = ({ graph: _left, ...row }: OpenedVersion): VersionRow => row;

const named = (node: GraphNode) => ({ nodeId: node.id, label: nodeTitle(node) });

/** Configurations are stored as JSON, so every setting is a value. */
const settingOf = (node: GraphNode, name: string): Value => Value.parse(node.configuration[name] ?? null);
