/** How changes of an entity are found: what the system says of itself, else what its connector is able to do. */
import type { Capability, Connection } from "@accord/connector-sdk";
import type { ChangeDetection, EntityChanges } from "@accord/contracts/connections/change-detection";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { readerName, readerPrefix } from "../reader-names.ts";

export interface ChangeSource {
  connection: Connection;
  connectorId: string;
  schema: EntitySchema;
  capabilities: readonly Capability[];
  /** The system posts its changes. */
  isPosted: boolean;
  /** The node that reads it; null: none in particular. */
  node: { pipelineId: string; nodeId: string } | null;
}

/** Throws `ConnectorError` when the system can't be asked. */
export async function entityChanges(source: ChangeSource): Promise<EntityChanges> {
  const { connection, connectorId, schema, node } = source;
  const prefix = readerPrefix(connectorId);
  const reader = node ? readerName(connectorId, node.pipelineId, node.nodeId) : prefix;
  const detection = (await connection.changeDetection?.({ entity: schema, reader })) ?? byCapabilities(source);
  const slots = detection.replication ? ((await connection.listReaders?.(reader)) ?? []) : [];
  return {
    ...detection,
    // The publication that is missing is that of a node.
    ...(detection.replication && !node && { replication: withoutName(detection.replication) }),
    slots: slots.map(({ name, retainedBytes, level }) => ({ name, retainedBytes, level })),
  };
}

/** Whether changes that reading by time passes over are found by the complete list, and asked for by their ids. */
export const isCheckedByList = (capabilities: readonly Capability[]): boolean =>
  (["readByWatermark", "listIds", "getById"] as const).every((needed) => capabilities.includes(needed));

function byCapabilities({ capabilities, isPosted }: ChangeSource): ChangeDetection {
  const found = (): ChangeDetection["method"] => {
    if (isPosted) return "posts";
    if (capabilities.includes("readByWatermark"))
      return isCheckedByList(capabilities) ? "listedWatermark" : "watermark";
    return capabilities.includes("readChanges") ? "position" : "comparison";
  };
  return { method: found(), tableBytes: null, replication: null };
}

const withoutName = (replication: NonNullable<ChangeDetection["replication"]>) => ({
  ...replication,
  sql: replication.problem === "publication" ? null : replication.sql,
});
