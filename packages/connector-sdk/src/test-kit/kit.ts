/** What the parts of the conformance suite share. */
import type { Connection } from "../connection.ts";
import type { ConnectorDefinition } from "../connector.ts";
import type { Overrides, SystemUnderTest } from "./system.ts";

export interface Kit {
  definition: ConnectorDefinition;
  system(): SystemUnderTest;
  /** A connection closed by itself when the test ends. */
  connect(overrides?: Overrides): Connection;
}
