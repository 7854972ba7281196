/** CSV and JSON Lines files and XLSX workbooks: an entity for each table, types found out from the data. Read only. */
import { type Capability, defineConnector } from "@accord/connector-sdk";
import type { TextRules } from "./cells.ts";
import { FILES_CONFIG_FIELDS, FilesConfig, settingsOf } from "./config.ts";
import { placeOf } from "./places/index.ts";
import { readTables } from "./read-tables.ts";

const FILES_CAPABILITIES: Capability[] = [
  "read",
  "readChanges",
  "readByWatermark",
  "listIds",
  "userEditableId",
  "userEditableWatermark",
];

export const filesConnector = defineConnector({
  type: "files",
  displayName: "Files",
  category: "files",
  description:
    "CSV, JSON Lines and Excel files, uploaded in the browser or in a folder of this server; new versions are read by themselves.",
  icon: "files",
  backgroundColor: "gold",
  config: FilesConfig,
  configFields: FILES_CONFIG_FIELDS,
  authMethods: [{ type: "none", label: "None", fields: [] }],
  capabilities: FILES_CAPABILITIES,
  readPageSize: 2000,
  writeBatchSize: 1,
  readDelaySeconds: 0,
  // Forms propose the other place: what is saved has to name the one that is meant.
  complete: ({ place = "folder", ...rest }) => ({ place, ...rest }),
  hosts: () => [],
  destinations: () => [],
  capabilitiesOf: ({ place }, entity) =>
    FILES_CAPABILITIES.filter((capability) => {
      if (capability === "readByWatermark") return entity.fields.some((field) => field.isWatermarkField);
      // Files that were read are moved out of a folder: that deletes nothing.
      return capability !== "listIds" || place === "uploaded";
    }),

  connect(context, config) {
    // What was read before anybody could say anything about single files is read by the rules of then.
    const rulesOf = (entity: string): TextRules => ({
      ...settingsOf(config, entity),
      isExact: config.place === "uploaded" || Object.hasOwn(config.files, entity),
    });
    return readTables(context, placeOf(config, context), rulesOf);
  },
});
