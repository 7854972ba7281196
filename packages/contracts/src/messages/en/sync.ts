/** Words of Sync Studio, put together from those of its parts. */
import { syncAddresses } from "./sync-addresses.ts";
import { syncActivity } from "./sync-activity.ts";
import { syncConfigure } from "./sync-configure.ts";
import { syncEditor } from "./sync-editor.ts";
import { syncFlow } from "./sync-flow.ts";
import { syncRelationships } from "./sync-relationships.ts";
import { syncTable } from "./sync-table.ts";
import { syncTests } from "./sync-tests.ts";
import { syncWords } from "./sync-words.ts";

export const sync = {
  title: "Sync studio",
  addresses: syncAddresses,
  flow: syncFlow,
  relationships: syncRelationships,
  ...syncTable,
  ...syncEditor,
  ...syncConfigure,
  ...syncActivity,
  ...syncTests,
  ...syncWords,
} as const;
