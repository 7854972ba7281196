/** Brings a connector into use: signed in to, activated, its schema read. */
import type { Id } from "@accord/contracts";
import * as connectors from "@accord/contracts/connections/connectors";
import { eventually } from "../sync-world/working-world.ts";
import type { TestApp } from "../test-app.ts";

/** Needs an application with a worker. */
export async function makeActive(
  caller: ReturnType<TestApp["as"]>,
  connectorId: Id<"connector">,
  name: string,
): Promise<void> {
  const params = { connectorId };
  await caller.call(connectors.authenticateConnector, { params });
  await caller.call(connectors.activateConnector, { params });
  await eventually(`${name} to be active`, async () => {
    const found = await caller.call(connectors.getConnector, { params });
    if (found.status === "ERROR") throw new Error(String(found.errorMessage));
    return found.status === "ACTIVE" ? found : undefined;
  });
}
