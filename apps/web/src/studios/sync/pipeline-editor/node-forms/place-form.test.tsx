/** The entity of a source: naming the present one again keeps its field mapping, another one begins anew. */
import { getConnectorEntity, listConnectorEntities, listConnectors } from "@accord/contracts/connections/connectors";
import { Graph } from "@accord/contracts/sync/graph";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import { buyers, fieldOf, SHOP, shop } from "../../new-pipeline/new-pipeline.fixtures.ts";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";
import { createEditorStore } from "../editor.model.ts";
import { showForm } from "./closable-form.fixtures.tsx";
import { PlaceForm } from "./place-form.tsx";

const network = globalThis.fetch;
beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(keyOf(listConnectors, {}), { connectors: [shop()] });
  queryClient.setQueryData(keyOf(listConnectorEntities, { params: { connectorId: SHOP } }), {
    entities: ["Addresses", "Buyers", "Visits"].map((name) => ({ apiName: name.toLowerCase(), displayName: name })),
  });
  // What a mapping is drawn from never comes.
  globalThis.fetch = () => new Promise(() => {});
});
afterEach(() => {
  globalThis.fetch = network;
  queryClient.clear();
});

test("typing the name of the present entity with Enter keeps the field mapping; another name takes that entity", async () => {
  const mappings = [{ connectorField: "name", coreField: "name" }];
  const configuration = { connectorId: SHOP, entityDefinition: "buyers", fieldMappings: mappings };
  const nodes = [{ id: "source", label: "Shop Buyers", nodeType: "ENTITY_SOURCE", configuration }];
  const store = createEditorStore(openedDraft(Graph.parse({ nodes, edges: [] })));
  const stored = () => store.getState().graph.nodes[0]?.configuration;
  showForm(store, (props) => <PlaceForm {...props} side="source" />);
  const entity = page.getByRole("combobox", { name: "Entity" });
  await entity.click();
  await userEvent.keyboard("Buyers{Enter}");
  await expect.element(entity).toHaveAttribute("aria-expanded", "false");
  await expect.element(entity).toHaveValue("Buyers");
  expect(stored()).toMatchObject({ entityDefinition: "buyers", fieldMappings: mappings });
  await userEvent.keyboard("{Control>}a{/Control}visits{Enter}");
  await expect.poll(stored).toMatchObject({ entityDefinition: "visits", fieldMappings: [] });
});

test("existing records are found by a field that is called by its name", async () => {
  const fields = [fieldOf("size_class", { displayName: "Size class" }), fieldOf("mail", { displayName: "E-mail" })];
  queryClient.setQueryData(
    keyOf(getConnectorEntity, { params: { connectorId: SHOP, entityApiName: "buyers" } }),
    buyers(fields),
  );
  const fieldMappings = ["size_class", "mail", "mail"].map((name) => ({ connectorField: name, coreField: name }));
  const configuration = { connectorId: SHOP, entityDefinition: "buyers", fieldMappings, matchOn: "size_class" };
  const nodes = [{ id: "sink", label: "Shop Buyers", nodeType: "ENTITY_SINK", configuration }];
  const store = createEditorStore(openedDraft(Graph.parse({ nodes, edges: [] })));
  showForm(store, (props) => <PlaceForm {...props} side="sink" />);
  const matchOn = page.getByRole("combobox", { name: "Find existing records by" });
  await expect.element(matchOn).toHaveValue("Size class");
  await matchOn.click();
  await page.getByRole("option", { name: "E-mail" }).click();
  await expect.poll(() => store.getState().graph.nodes[0]?.configuration).toMatchObject({ matchOn: "mail" });
});
