/** Whether a node says the same in two graphs, wherever it stands, whatever group it is in and however it is described. Pure. */
import type { GraphNode } from "@accord/contracts/sync/graph";

export const saysSame = (before: GraphNode | undefined, node: GraphNode): boolean =>
  before === node ||
  (before !== undefined &&
    before.configuration === node.configuration &&
    before.label === node.label &&
    before.apiName === node.apiName);
