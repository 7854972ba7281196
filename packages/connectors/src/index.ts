/** The connectors that come with Accord, in the order the library shows them. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { filesConnector } from "./files/index.ts";
import { googleSheetsConnector } from "./google-sheets/index.ts";
import { httpConnector } from "./http/index.ts";
import { manifestConnector } from "./manifest/index.ts";
import { mysqlConnector } from "./mysql/index.ts";
import { postgresConnector } from "./postgres/index.ts";
import { s3Connector } from "./s3/index.ts";
import { sftpConnector } from "./sftp/index.ts";
import { SYSTEMS } from "./systems/index.ts";
import { webhookConnector } from "./webhook/index.ts";

export const CONNECTORS: readonly ConnectorDefinition[] = [
  // One to a line, so that `npm run new -- connector` can add its own.
  postgresConnector,
  mysqlConnector,
  httpConnector,
  filesConnector,
  sftpConnector,
  s3Connector,
  webhookConnector,
  manifestConnector,
  googleSheetsConnector,
  ...SYSTEMS,
];

export const findConnectorType = (type: string): ConnectorDefinition | undefined =>
  CONNECTORS.find((definition) => definition.type === type);
export { filesConnector } from "./files/index.ts";
export { httpConnector } from "./http/index.ts";
export {
  describeManifest,
  manifestConnector,
  readInputs,
  splitInputs,
  SUPPORTED_TYPES,
  type ManifestDescription,
} from "./manifest/index.ts";
export { mysqlConnector } from "./mysql/index.ts";
export { postgresConnector } from "./postgres/index.ts";
export { readTable, type Table } from "./files/formats/table.ts";
export { webhookConnector } from "./webhook/index.ts";
export { lastPostRead, pickRecords, recordsIn, tryPayload, WebhookConfig } from "./webhook/index.ts";
export { sftpConnector } from "./sftp/index.ts";
export { previewEntity, proposeFrom, type EntityPreview } from "./http/index.ts";
export {
  compileSynapse,
  entityProblems,
  lostSynapseType,
  settingsProblems,
  synapseConnectorType,
  synapseProblems,
  recordExchanges,
  trySynapseCall,
  type SynapseFacts,
} from "./http-synapse/index.ts";
export { HttpConfig } from "./http/config.ts";
export { HTTP_AUTH_METHODS } from "./http/sign-in/inputs.ts";
export { entitiesIn, type EntityInFile } from "./files/entities-in.ts";
export { previewFile } from "./files/preview/index.ts";
export { askedOf, DESCRIPTION_MEMBER, originsFor, UPLOADED_TYPE, uploadedType, uploadedTypeOf } from "./sdk/index.ts";
