/** A compiled pipeline: what each source's records go through on their way to the core, and each destination's from it. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import type { SourceSchedule } from "@accord/contracts/sync/schedules";
import type { CompiledAttach } from "../../functions/record/attach-record.ts";
import type { CompiledPath } from "../graph/compiled-path.ts";
import type { AuthorityPlan } from "../merge/authority/authority.ts";
import type { MergePlan } from "../merge/duplicates/merge-plan.ts";

/** One graph version of one pipeline, ready to run. Made by `compilePipeline`; immutable. */
export interface Plan {
  pipelineId: string;
  /** Graph version this plan was compiled from; a run stays on it. */
  versionId: string;
  versionNumber: number;
  /** Fields of the core entity, by api name. */
  coreFields: ReadonlyMap<string, FieldSchema>;
  authority: AuthorityPlan;
  /** Null: duplicates are not looked for. */
  merge: MergePlan | null;
  /** Whether any mapping is a reference: else nothing has to be looked for when a cycle begins. */
  hasReferences: boolean;
  sources: readonly SourcePlan[];
  sinks: readonly SinkPlan[];
  places: ReadonlyMap<number, EndpointPlan>;
}

/** A connector entity as this pipeline knows it. The same place may be read and written. */
export interface EndpointPlan {
  id: number;
  connectorId: string;
  entity: string;
  /** Fields read there, in the order of the `seen` fingerprint. */
  readFields: readonly string[];
  /** Indexes of fields among them that only earlier versions read: what stands there is unknown until one does again. */
  lapsed?: ReadonlySet<number>;
  /** Fields written there, in the order of the `lastWritten` fingerprint. */
  writeFields: readonly string[];
  /** Where a field stands in both lists. */
  shared: readonly { read: number; writeIndex: number }[];
}

export interface SourcePlan {
  nodeId: string;
  label: string;
  place: EndpointPlan;
  /** Names this source path and mapping: when it changes, records are looked at again though unchanged. */
  program: string;
  mappings: readonly SourceMapping[];
  path: CompiledPath;
  /** No node lies between it and the core that may hold records back. */
  letsAllPass: boolean;
  attach: readonly AttachPlan[];
  acceptDeletes: boolean;
  schedule: SourceSchedule;
  /** Pages of one cycle: all until drained, or a single one. */
  readMode: "drain" | "single";
  /** Whether a destination of this pipeline writes to the same place. */
  isAlsoSink: boolean;
  /** How long what was done there may stay invisible to reads. */
  readDelayMs: number;
  /** Its records can be read one by one, by their ids. */
  canGetById: boolean;
  /** It can't say what changed: each reading brings all records. */
  listsAll: boolean;
}

export interface SourceMapping {
  connectorField: string;
  /** Index in the place's `readFields`. */
  readIndex: number;
  coreField: string;
  convert: Convert;
  /** For references: the place whose links turn the external id into a record id. */
  reference: ReferencePlan | null;
  /** Only for the nodes on its path: the field's own pipeline has the last word on its value. */
  isProvisional: boolean;
  /** The system had no such field when its schema was last refreshed. */
  isMissing?: boolean;
}

export interface ReferencePlan {
  connectorId: string;
  /** Connector entity the value is an id of. */
  entity: string;
}

/** Turns a value into the target field's type. A failure is an object of its own kind, so that success costs nothing. */
export type Convert = (value: Value) => Value | ConversionError;

export class ConversionError {
  readonly code: string;
  constructor(code: string) {
    this.code = code;
  }
}

/** An attach rule: candidates are all that its equalities find, `matches` decides. */
export type AttachPlan = CompiledAttach;

export interface SinkPlan {
  nodeId: string;
  label: string;
  place: EndpointPlan;
  mappings: readonly SinkMapping[];
  path: CompiledPath;
  /** Nothing is written there: it stands for the actions behind the core that lead to no destination. */
  isActionsOnly: boolean;
  /** Nothing but mappings between the core and this destination. */
  isPlain: boolean;
  /** Core fields that decide what it is told; values arrive as the core has them. Null: any, or changed on the way. */
  reads: ReadonlySet<string> | null;
  create: boolean;
  update: boolean;
  delete: boolean;
  recreate: boolean;
  onlyChangedFields: boolean;
  /** Connector field to look the record up by before creating it there; null = never look. */
  matchOn: string | null;
  writeBatchSize: number;
  /** How long a fresh write may stay invisible to reads and look-ups there. */
  readDelayMs: number;
  /** A repeated create with the same key is done once there. */
  idempotentCreate: boolean;
  canLookup: boolean;
  /** Names what its fields are given and take: once it is another, values that did not fit are tried again. */
  fits: string;
}

export interface SinkMapping {
  coreField: string;
  connectorField: string;
  /** Index in the place's `writeFields`. */
  writeIndex: number;
  convert: Convert;
  reference: ReferencePlan | null;
  /** Only sent when the record is created there. */
  createOnly: boolean;
  /** Made on the path by a field pipeline: not a value of the core record. */
  isComputed: boolean;
  /** The system had no such field when its schema was last refreshed. */
  isMissing?: boolean;
  /** Its values are secret: nothing is kept that says how long they are or how they begin. */
  isSecret?: true;
}

export const findSource = (plan: Plan, nodeId: string): SourcePlan => {
  const source = plan.sources.find((candidate) => candidate.nodeId === nodeId);
  if (!source) throw new Error(`no source ${nodeId} in version ${plan.versionId}`);
  return source;
};

export const findSinkAt = (plan: Plan, placeId: number): SinkPlan | null =>
  plan.sinks.find((candidate) => candidate.place.id === placeId) ?? null;
