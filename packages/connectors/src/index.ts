/** The connectors that come with Accord, in the order the library shows them. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { filesConnector } from "./files/index.ts";
import { httpConnector } from "./http/index.ts";
import { postgresConnector } from "./postgres/index.ts";
import { webhookConnector } from "./webhook/index.ts";

export const CONNECTORS: readonly ConnectorDefinition[] = [
  // One to a line, so that `npm run new -- connector` can add its own.
  postgresConnector,
  httpConnector,
  filesConnector,
  webhookConnector,
];

export const findConnectorType = (type: string): ConnectorDefinition | undefined =>
  CONNECTORS.find((definition) => definition.type === type);
export { filesConnector } from "./files/index.ts";
export { httpConnector } from "./http/index.ts";
export { postgresConnector } from "./postgres/index.ts";
export { readTable, type Table } from "./files/table.ts";
export { lastPostRead, recordsIn, WebhookConfig } from "./webhook/index.ts";
export { previewEntity, type EntityPreview } from "./http/index.ts";
