/** The connectors that come with Accord, in the order the library shows them. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { httpConnector } from "./http/index.ts";
import { postgresConnector } from "./postgres/index.ts";

export const CONNECTORS: readonly ConnectorDefinition[] = [postgresConnector, httpConnector];

export const findConnectorType = (type: string): ConnectorDefinition | undefined =>
  CONNECTORS.find((definition) => definition.type === type);
export { previewEntity, type EntityPreview } from "./http/index.ts";
