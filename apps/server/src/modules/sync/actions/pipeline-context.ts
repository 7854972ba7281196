/** On whose behalf something is asked or done. */
import type { Connection } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { SendPermit } from "../../../platform/lease-deadline.ts";

export interface PipelineContext {
  instanceId: Id<"instance">;
  pipelineId: Id<"entity">;
  versionNumber: number;
  /** Connections of the cycle, opened once. */
  connect(connectorId: string): Promise<Connection>;
  /** Leave to perform actions: the cycle's lease. Absent: nothing limits it. */
  permit?: SendPermit;
}
