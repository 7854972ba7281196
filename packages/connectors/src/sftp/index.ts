/** Files on another server, over SFTP: the tables of CSV and JSON Lines files and workbooks, as in a folder here. Read only. */
import { defineConnector, type Capability } from "@accord/connector-sdk";
import { readTables } from "../files/read-tables.ts";
import { SFTP_AUTH_METHODS, SFTP_CONFIG_FIELDS, SftpConfig } from "./config.ts";
import { sftpPlace } from "./place.ts";
import { openSession } from "./session.ts";

const SFTP_CAPABILITIES: Capability[] = [
  "read",
  "readChanges",
  "readByWatermark",
  "userEditableId",
  "userEditableWatermark",
];

export const sftpConnector = defineConnector({
  type: "sftp",
  displayName: "SFTP",
  category: "files",
  description: "CSV, JSON Lines and Excel files in a folder of another server; new versions are read by themselves.",
  icon: "server",
  backgroundColor: "gold",
  config: SftpConfig,
  configFields: SFTP_CONFIG_FIELDS,
  authMethods: SFTP_AUTH_METHODS,
  capabilities: SFTP_CAPABILITIES,
  readPageSize: 2000,
  writeBatchSize: 1,
  readDelaySeconds: 0,
  hosts: ({ host, port }) => [`${host}:${port}`],
  destinations: ({ host, port }) => [`sftp://${host.toLowerCase()}:${port}`],
  capabilitiesOf: (_, entity) =>
    SFTP_CAPABILITIES.filter(
      (capability) => capability !== "readByWatermark" || entity.fields.some((field) => field.isWatermarkField),
    ),
  connect(context, config) {
    const session = openSession(context, config);
    const { host, port, fingerprint, folder, connectSeconds, answerSeconds, ...text } = config;
    const place = sftpPlace(session, folder.replace(/(?<=.)\/+$/, ""), () => context.now());
    const { check, discover, read, close } = readTables(context, place, () => ({
      ...text,
      idColumn: null,
      isExact: true,
    }));
    return {
      check,
      discover,
      read,
      async close() {
        await close();
        session.close();
      },
    };
  },
});
