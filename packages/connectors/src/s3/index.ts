/** Files in S3-compatible object storage: the tables of CSV and JSON Lines files and workbooks, as in a folder here. Read only. */
import { defineConnector, type Capability } from "@accord/connector-sdk";
import { readTables } from "../files/read-tables.ts";
import { destinationOf, hostsOf, S3_AUTH_METHODS, S3_CONFIG_FIELDS, S3Config } from "./config.ts";
import { bucketPlace } from "./place.ts";
import { openStorage } from "./storage.ts";

const S3_CAPABILITIES: Capability[] = [
  "read",
  "readChanges",
  "readByWatermark",
  "userEditableId",
  "userEditableWatermark",
];

export const s3Connector = defineConnector({
  type: "s3",
  displayName: "Object storage (S3)",
  category: "files",
  description:
    "CSV, JSON Lines and Excel files in a bucket of Amazon S3 or of storage that speaks its protocol; new versions are read by themselves.",
  icon: "bucket",
  backgroundColor: "gold",
  config: S3Config,
  configFields: S3_CONFIG_FIELDS,
  authMethods: S3_AUTH_METHODS,
  capabilities: S3_CAPABILITIES,
  readPageSize: 2000,
  writeBatchSize: 1,
  readDelaySeconds: 0,
  hosts: hostsOf,
  destinations: (config) => [destinationOf(config)],
  capabilitiesOf: (_, entity) =>
    S3_CAPABILITIES.filter(
      (capability) => capability !== "readByWatermark" || entity.fields.some((field) => field.isWatermarkField),
    ),
  connect(context, config) {
    const storage = openStorage(context, config);
    const { header, delimiter, encoding, dates, numbers } = config;
    const place = bucketPlace(storage, config.bucket, config.folder, () => context.now());
    const { check, discover, read, close } = readTables(context, place, () => ({
      ...{ header, delimiter, encoding, dates, numbers },
      idColumn: null,
      isExact: true,
    }));
    return {
      check,
      discover,
      read,
      async close() {
        await close();
        storage.close();
      },
    };
  },
});
