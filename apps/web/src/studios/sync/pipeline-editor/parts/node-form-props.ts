/** What the form of one kind of node is given. */
import type { Id } from "@accord/contracts";
import type { GraphNode, NodeConfiguration } from "@accord/contracts/sync/graph";

export interface NodeFormProps {
  entityId: Id<"entity">;
  node: GraphNode;
  configuration: NodeConfiguration;
  readOnly: boolean;
  onChange: (configuration: NodeConfiguration, words?: { subLabel?: string; connectorEntityName?: string }) => void;
  /** How many inputs are wrong; Save waits for zero. */
  onErrors: (count: number) => void;
}
