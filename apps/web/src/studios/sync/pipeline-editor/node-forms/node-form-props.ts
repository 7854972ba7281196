/** What the form of one kind of node is given. */
import type { Id } from "@accord/contracts";
import type { GraphNode, NodeConfiguration } from "@accord/contracts/sync/graph";

export interface NodeFormProps {
  entityId: Id<"entity">;
  node: GraphNode;
  configuration: NodeConfiguration;
  readOnly: boolean;
  /** Applies at once. Changes of the same `field` in a row are one undo step. */
  onChange: (
    configuration: NodeConfiguration,
    about?: { field?: string; words?: { subLabel?: string; connectorEntityName?: string } },
  ) => void;
  /** Number of inputs of a part of the form that report an error now. */
  onErrors?: ((part: string, count: number) => void) | undefined;
  /** Shows what is missing in inputs that nobody has touched: after a press on Save. */
  showAll?: boolean | undefined;
}
