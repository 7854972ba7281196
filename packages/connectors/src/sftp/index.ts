/** Files on another server, over SFTP: the tables of CSV and JSON Lines files and workbooks, as in a folder here. Read only. */
import { defineConnector } from "@accord/connector-sdk";
import { REMOTE_FILES, readRemoteFiles, remoteFileCapabilities } from "../files/remote-files.ts";
import { SFTP_AUTH_METHODS, SFTP_CONFIG_FIELDS, SftpConfig } from "./config.ts";
import { sftpPlace } from "./place.ts";
import { openSession } from "./session.ts";

export const sftpConnector = defineConnector({
  type: "sftp",
  displayName: "SFTP",
  ...REMOTE_FILES,
  description: "CSV, JSON Lines and Excel files in a folder of another server; new versions are read by themselves.",
  icon: "server",
  config: SftpConfig,
  configFields: SFTP_CONFIG_FIELDS,
  authMethods: SFTP_AUTH_METHODS,
  hosts: ({ host, port }) => [`${host}:${port}`],
  destinations: ({ host, port }) => [`sftp://${host.toLowerCase()}:${port}`],
  capabilitiesOf: (_, entity) => remoteFileCapabilities(entity),
  connect(context, config) {
    const session = openSession(context, config);
    const { host, port, fingerprint, folder, connectSeconds, answerSeconds, ...text } = config;
    const place = sftpPlace(session, folder.replace(/(?<=.)\/+$/, ""), () => context.now());
    return readRemoteFiles(context, place, text, () => session.close());
  },
});
