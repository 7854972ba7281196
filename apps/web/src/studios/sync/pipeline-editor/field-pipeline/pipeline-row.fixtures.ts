/** The row of an entity pipeline as the server answers it: for tests of what works beside one. */
import { PipelineRow } from "@accord/contracts/sync/pipelines";
import { ENTITY } from "../draft/opened-draft.fixtures.ts";

export const pipelineRow = (more: Partial<PipelineRow> = {}): PipelineRow =>
  PipelineRow.parse({
    id: ENTITY,
    name: "Buyers",
    apiName: "buyers",
    pipelineStatus: "PUBLISHED",
    pipelineStatusTagData: [],
    pipelineStateTagData: [],
    syncStatus: "RUNNING",
    health: null,
    warningCount: 0,
    errorCount: 0,
    currentActivity: "",
    lastCompletedSync: null,
    lastCycleDuration: null,
    transactionsInLastCycle: 0,
    recentCycles: [],
    sources: [],
    destinations: [],
    fieldsMapped: 0,
    numberOfVersions: 1,
    mergeConfig: {},
    settings: {},
    lastModifiedOn: null,
    lastModifiedBy: null,
    lastPublishedOn: null,
    lastPublishedBy: null,
    lagInSeconds: null,
    pausedBy: null,
    resyncDetails: null,
    ...more,
  });
