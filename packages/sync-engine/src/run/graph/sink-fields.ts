/** Which core fields decide what a destination is told: changes of others are no news there. */
import type { Graph } from "@accord/contracts/sync/graph";
import { isBypassed } from "../../graph/bypass.ts";

/** Nodes that let a record pass as it is, or not at all. */
const ONLY_ROUTES: ReadonlySet<string> = new Set(["predicate", "filter", "mergePaths"]);

/**
 * Fields that the nodes on a sink path look at. Null when that can't be told, or when a node may change values:
 * then every change may matter, and what stands there can't be compared with the core.
 */
export function fieldsReadOnPath(graph: Graph, nodeIds: ReadonlySet<string>): ReadonlySet<string> | null {
  const fields = new Set<string>();
  for (const node of graph.nodes) {
    if (!nodeIds.has(node.id) || node.nodeType !== "FUNCTION" || isBypassed(node)) continue;
    if (!ONLY_ROUTES.has(node.apiName ?? "") || !collectFields(node.configuration, fields)) return null;
  }
  return fields;
}

/** False when something in the settings may stand for any field. */
function collectFields(settings: unknown, fields: Set<string>): boolean {
  if (typeof settings === "string") return !settings.includes("{{");
  if (Array.isArray(settings)) return settings.every((item) => collectFields(item, fields));
  if (typeof settings !== "object" || settings === null) return true;
  const kind = "kind" in settings ? settings.kind : null;
  if (kind === "token") return false;
  if (kind === "field" && "field" in settings && typeof settings.field === "string") fields.add(settings.field);
  return Object.values(settings).every((item) => collectFields(item, fields));
}
