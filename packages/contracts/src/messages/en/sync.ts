/** Words of Sync Studio, put together from those of its parts. */
import { syncAddresses } from "./sync/addresses.ts";
import { syncCanvas } from "./sync/graph-editor/canvas.ts";
import { syncActivity } from "./sync/activity.ts";
import { syncConfigure } from "./sync/configure.ts";
import { syncEditor } from "./sync/editor.ts";
import { syncFieldPipeline } from "./sync/field-pipeline.ts";
import { syncFlow } from "./sync/flow.ts";
import { syncLogs } from "./sync/logs.ts";
import { syncMapper } from "./sync/mapper.ts";
import { syncMetrics } from "./sync/metrics.ts";
import { syncNewPipeline } from "./sync/new-pipeline.ts";
import { syncPublishDiff } from "./sync/publish-diff.ts";
import { syncRelationships } from "./sync/relationships.ts";
import { syncSettings } from "./sync/settings.ts";
import { syncTable } from "./sync/table.ts";
import { syncTests } from "./sync/tests.ts";
import { syncTry } from "./sync/try.ts";
import { syncWords } from "./sync/words.ts";
import { syncPalette } from "./sync/palette.ts";

export const sync = {
  title: "Sync studio",
  addresses: syncAddresses,
  flow: syncFlow,
  logs: syncLogs,
  mapper: syncMapper,
  metrics: syncMetrics,
  newPipeline: syncNewPipeline,
  relationships: syncRelationships,
  settings: syncSettings,
  ...syncCanvas,
  ...syncTable,
  ...syncEditor,
  ...syncConfigure,
  ...syncFieldPipeline,
  ...syncActivity,
  ...syncTests,
  ...syncPalette,
  ...syncPublishDiff,
  ...syncTry,
  ...syncWords,
} as const;
