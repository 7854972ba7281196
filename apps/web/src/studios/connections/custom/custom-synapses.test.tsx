/** The list of custom synapses of all three kinds: what it shows, finds and offers, and why one is not deleted. */
import { listConnectorTypes } from "@accord/contracts/connections/connectors";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { endpointQuery, keyOf, queryClient } from "../../../app/queries.ts";
import { SDK, sdkSynapse, sdkVersion } from "../sdk/sdk.fixtures.ts";
import { answers, button, openAt, read, refuse, serveSdk, signIn } from "../sdk/sdk-server.fixtures.tsx";

serveSdk();

const PUBLISHED = {
  ...sdkSynapse({
    approvalStatus: "NEW",
    deploymentStatus: "ACTIVE",
    number: 2,
    connectionCount: 3,
    scope: "SUBSCRIPTION",
  }),
  published: sdkVersion({ approvalStatus: "APPROVED" }),
};
const HTTP = {
  ...{
    id: "f".repeat(24),
    connectorMetaDefinitionId: "f".repeat(24),
    metadataId: "f".repeat(24),
    name: "register",
    displayName: "Register",
    description: "",
    synapseType: "http",
  },
  ...{ draftStatus: "NEW", publishedVersion: null, draftVersion: 1, publishedAt: null, iconUri: "api" },
  ...{ shareScope: "PRIVATE", entityCount: 0, connectionCount: 0 },
  ...{ createdAt: "2026-11-01T10:00:00.000Z", updatedAt: "2026-11-01T10:00:00.000Z" },
};
const open = (): Promise<void> => openAt("/synapses/custom-synapses");
const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });

test("[PLT-023] without any, each kind is explained with its way in, by permission", async () => {
  await open();
  await expect.element(page.getByText("No custom synapses yet")).toBeVisible();
  await expect.element(button("HTTP: call a JSON API")).toBeVisible();
  await expect.element(button("Webhook: receive posts")).toBeVisible();
  await button("SDK: upload a program").click();
  await expect.element(page.getByText("New SDK synapse")).toBeVisible();
});

test("[PLT-023] readers see the three ways and no buttons", async () => {
  signIn(["READ_CONNECTOR"]);
  await open();
  await expect.element(page.getByText(/write a program on the template/)).toBeVisible();
  await expect.element(button("SDK: upload a program")).not.toBeInTheDocument();
});

test("[PLT-023] [PLT-105] kind, state with draft, version, sharing and use are shown; the search finds by name and kind", async () => {
  read("/custom-synapses/sdk", { synapses: [PUBLISHED] });
  read("/custom-synapses", { synapses: [HTTP] });
  await open();
  const tasks = row("Task board");
  await expect.element(tasks.getByText("Draft")).toBeVisible();
  await expect.element(tasks.getByText("Version 1 deployed")).toBeVisible();
  await expect.element(tasks.getByText("The organisation")).toBeVisible();
  await expect.element(tasks.getByTitle("3 connections in this instance")).toBeVisible();
  await expect.element(row("Register").getByText("HTTP")).toBeVisible();
  await page.getByRole("searchbox").fill("sdk");
  await expect.element(row("Register")).not.toBeInTheDocument();
  await page.getByRole("searchbox").fill("nothing like it");
  await expect.element(page.getByText("No custom synapse matches “nothing like it”")).toBeVisible();
});

test("[PLT-142] one in use is not deleted: a window says the server's message and what uses it", async () => {
  read("/custom-synapses/sdk", { synapses: [PUBLISHED] });
  answers[`DELETE /custom-synapses/sdk/${SDK}`] = () =>
    refuse(409, "in_use", "This is still in use.", {
      details: { uses: [{ id: "1", name: "Tasks of the office" }], elsewhere: true },
    });
  await open();
  await page.getByRole("button", { name: /: Task board$/ }).click();
  await expect.element(page.getByRole("menuitem", { name: "Connect" })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: "Discard draft" })).toBeVisible();
  await page.getByRole("menuitem", { name: "Delete synapse" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete synapse" }).click();
  const refusal = page.getByRole("dialog", { name: "Unable to delete the synapse" });
  await expect.element(refusal.getByText("This is still in use.")).toBeVisible();
  await expect.element(refusal.getByText("Tasks of the office")).toBeVisible();
  await expect.element(refusal.getByText("Connections of other instances")).toBeVisible();
});

test("[PLT-023] the end of a deployment shows by itself, and makes the kinds of connections old", async () => {
  const deploying = sdkSynapse({ approvalStatus: "APPROVAL_IN_PROGRESS", deploymentStatus: "DEPLOY_IN_PROGRESS" });
  read("/custom-synapses/sdk", { synapses: [deploying] });
  await queryClient.fetchQuery(endpointQuery(listConnectorTypes));
  await open();
  await expect.element(row("Task board").getByText("Deploying")).toBeVisible();
  read("/custom-synapses/sdk", {
    synapses: [sdkSynapse({ approvalStatus: "APPROVED", deploymentStatus: "ACTIVE", hasDraft: false })],
  });
  await expect.element(row("Task board").getByText("Deployed"), { timeout: 5_000 }).toBeVisible();
  await expect.poll(() => queryClient.getQueryState(keyOf(listConnectorTypes, {}))?.isInvalidated).toBe(true);
});
