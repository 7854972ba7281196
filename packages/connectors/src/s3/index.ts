/** Files in S3-compatible object storage: the tables of CSV and JSON Lines files and workbooks, as in a folder here. Read only. */
import { defineConnector } from "@accord/connector-sdk";
import { REMOTE_FILES, readRemoteFiles, remoteFileCapabilities } from "../files/remote-files.ts";
import { destinationOf, hostsOf, S3_AUTH_METHODS, S3_CONFIG_FIELDS, S3Config } from "./config.ts";
import { bucketPlace } from "./place.ts";
import { openStorage } from "./storage.ts";

export const s3Connector = defineConnector({
  type: "s3",
  displayName: "Object storage (S3)",
  ...REMOTE_FILES,
  description:
    "CSV, JSON Lines and Excel files in a bucket of Amazon S3 or of storage that speaks its protocol; new versions are read by themselves.",
  icon: "bucket",
  config: S3Config,
  configFields: S3_CONFIG_FIELDS,
  authMethods: S3_AUTH_METHODS,
  hosts: hostsOf,
  destinations: (config) => [destinationOf(config)],
  capabilitiesOf: (_, entity) => remoteFileCapabilities(entity),
  connect(context, config) {
    const storage = openStorage(context, config);
    const { endpoint, region, bucket, folder, pathStyle, answerSeconds, ...text } = config;
    const place = bucketPlace(storage, bucket, folder, () => context.now());
    return readRemoteFiles(context, place, text, () => storage.close());
  },
});
