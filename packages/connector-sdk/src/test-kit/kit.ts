/** What the parts of the conformance suite share. */
import { TestRunner } from "vitest";
import type { Connection } from "../connection.ts";
import type { ConnectorDefinition } from "../connector.ts";
import type { Overrides, SystemUnderTest } from "./system.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Type of the connector that the conformance kit is run for. */
    connector?: string;
    /** Why the running test of the kit asks nothing of this system. */
    notApplicable?: string;
  }
}

export interface Kit {
  definition: ConnectorDefinition;
  system(): SystemUnderTest;
  /** A connection closed by itself when the test ends. */
  connect(overrides?: Overrides): Connection;
}

/** Says why the running test asks nothing of this system: `npm run conformance` shows it apart from what passed. */
export function notApplicable(reason: string): void {
  const test = TestRunner.getCurrentTest();
  if (test) test.meta.notApplicable = reason;
}
