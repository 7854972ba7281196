/** The connectors that come with Accord, in the order the library shows them. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { postgresConnector } from "./postgres/index.ts";

export const CONNECTORS: readonly ConnectorDefinition[] = [postgresConnector];

export const findConnectorType = (type: string): ConnectorDefinition | undefined =>
  CONNECTORS.find((definition) => definition.type === type);
