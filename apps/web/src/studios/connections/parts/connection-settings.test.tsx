/** Settings of a saved synapse: what a form proposes for new ones changes nothing that is stored. */
import { InputDefinition } from "@accord/contracts/config/inputs";
import { listConnectorTypes, updateConnector, type ConnectorType } from "@accord/contracts/connections/connectors";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { notifications } from "@mantine/notifications";
import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { connectorDetail } from "../files/connector.fixtures.ts";
import { ConnectionSettings } from "./connection-settings.tsx";

const FILES: ConnectorType = {
  ...{ id: "files", displayName: "Files", category: "files", capabilities: [], description: "" },
  ...{ icon: "files", backgroundColor: "gold", authMethods: [{ type: "none", label: "None", fields: [] }] },
  configFields: [
    InputDefinition.parse({
      ...{ name: "place", label: "Where the files are", datatype: "picklist", required: true },
      defaultValue: "uploaded",
      values: [
        { id: "uploaded", label: "Uploaded in the browser" },
        { id: "folder", label: "In a folder on the server" },
      ],
    }),
    InputDefinition.parse({
      ...{ name: "folder", label: "Folder", datatype: "string" },
      requiredValue: { field: "place", value: "folder" },
    }),
  ],
};
const network = globalThis.fetch;
afterEach(async () => {
  globalThis.fetch = network;
  notifications.clean();
  await page.viewport(414, 896);
});

test("a files synapse that reads a folder goes on reading it when another setting is changed", async () => {
  queryClient.clear();
  await page.viewport(1280, 900);
  const stored = { place: "folder", folder: "orders", files: { a: { dates: "dayFirst" } } };
  const connector = { ...connectorDetail, config: stored };
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["WRITE_CONNECTOR"], orgName: "Org" });
  queryClient.setQueryData(keyOf(listConnectorTypes, {}), { types: [FILES] });
  const sent: unknown[] = [];
  globalThis.fetch = async (path, init) => {
    if (init?.method !== updateConnector.method) return network(path, init);
    sent.push(JSON.parse(String(init.body)));
    return Response.json({ ...connector, version: 2 });
  };
  showInRouter(() => <ConnectionSettings connector={connector} />);
  await expect
    .element(page.getByRole("combobox", { name: "Where the files are" }))
    .toHaveValue("In a folder on the server");
  const folder = page.getByRole("textbox", { name: "Folder" });
  await expect.element(folder).toHaveValue("orders");
  await folder.fill("orders/2026");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => sent).toMatchObject([{ config: { ...stored, folder: "orders/2026" } }]);
});
