/** Names under which systems retain changes for the sources of pipelines: publications and slots of PostgreSQL. */
import { createHash } from "node:crypto";

const hash = (text: string, length: number): string => createHash("sha256").update(text).digest("hex").slice(0, length);

/** With what the names of a connector's readers begin, in whichever system: others on the same server have others. */
export const readerPrefix = (connectorId: string): string => `accord_${hash(connectorId, 12)}_`;

/** The same in each cycle; letters, digits and underscores, at most 63. */
export const readerName = (connectorId: string, pipelineId: string, nodeId: string): string =>
  readerPrefix(connectorId) + hash(`${pipelineId}/${nodeId}`, 16);
