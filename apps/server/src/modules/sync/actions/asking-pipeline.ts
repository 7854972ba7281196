/** On whose behalf something is asked or done. */
import type { Connection } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";

export interface AskingPipeline {
  instanceId: Id<"instance">;
  pipelineId: Id<"entity">;
  versionNumber: number;
  /** Connections of the cycle, opened once. */
  connect(connectorId: string): Promise<Connection>;
}
