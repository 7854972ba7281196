/** What pipelines need of other modules. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { CustomAction } from "@accord/contracts/sync/actions";
import type { MergeConfig, PipelineSettings } from "@accord/contracts/sync/pipelines";
import type { Graph } from "@accord/contracts/sync/graph";
import type { SyncState } from "@accord/contracts/sync/monitoring/runs";
import type { Caller } from "../../../platform/ctx.ts";
import type { ConnectorsService } from "../../connections/connectors/index.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import type { InstancesService } from "../../identity/instances/index.ts";

type InstanceId = Id<"instance">;
type EntityId = Id<"entity">;
type VersionId = Id<"pipelineVersion">;

export interface PipelineDependencies {
  limits: Pick<InstancesService, "demandWithinLimits">;
  schema: Pick<SchemaService, "listEntities" | "getEntity" | "createEntity" | "addUses">;
  connectors: Pick<
    ConnectorsService,
    "listConnectors" | "getConnector" | "listEntities" | "entitySchema" | "registerUses" | "registerSecretFields"
  >;
  customActions: { list(instanceId: InstanceId): Promise<CustomAction[]> };
}

/** The engine's side: told what runs, asked how it goes. Registers itself, since it needs this module in turn. */
export interface PipelineRuns {
  published(change: {
    instanceId: InstanceId;
    entityId: EntityId;
    versionId: VersionId;
    bringInExisting: boolean;
  }): Promise<void>;
  unpublished(change: { instanceId: InstanceId; entityId: EntityId }): Promise<void>;
  /** States of the published pipelines. */
  states(instanceId: InstanceId): Promise<SyncState[]>;
}

/** What a test runs. */
export interface TestedVersion {
  entity: CoreEntity;
  graphVersion: "draft" | "published";
  version: PublishedVersion;
}

/** The tests of pipelines. They register themselves, since they need this module in turn. */
export interface PipelineTests {
  /** Whether a test of the pipeline is running. */
  isTesting(instanceId: InstanceId, entityId: EntityId): Promise<boolean>;
  /** Runs all tests of a pipeline and of its fields on a version; the names of those that did not pass. */
  runAll(ctx: Caller, tested: TestedVersion, runName: string): Promise<string[]>;
}

/** A version as the engine runs it. */
export interface PublishedVersion {
  versionId: VersionId;
  number: number;
  name: string;
  graph: Graph;
  /** Field pipelines by core field. */
  fieldGraphs?: { [field: string]: Graph };
  settings: PipelineSettings;
  /** Merge policy of the pipeline's row; it is not versioned. */
  mergeConfig?: MergeConfig;
  /** Nodes whose records its log counts; not versioned either. */
  loggedNodes?: readonly string[];
  publishedAt: string;
}
