/** The mapper stays open with its lines while the fields of the system can't be read again. */
import { getConnectorEntity } from "@accord/contracts/connections/connectors";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { Graph } from "@accord/contracts/sync/graph";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient, refresh } from "../../../../app/queries.ts";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { buyers, coreEntity, fieldOf, SHOP, shop } from "../../new-pipeline/new-pipeline.fixtures.ts";
import { ENTITY, openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { FIRST_NODE, MapperDialog } from "./mapper-dialog.tsx";

const network = globalThis.fetch;
let entity: () => Response;
function answer(call: string): Response {
  if (call === "/connectors") return Response.json({ connectors: [shop()] });
  if (call === `/connectors/${SHOP}/entities/buyers`) return entity();
  if (call === `/entities/${ENTITY}`) return Response.json(coreEntity([fieldOf("name")], { id: ENTITY }));
  return Response.json({ code: "not_found", message: "Not found" }, { status: 404 });
}
beforeEach(() => {
  queryClient.clear();
  entity = () => Response.json(buyers());
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["WRITE_STUDIO"] });
  globalThis.fetch = async (path, init) => {
    const address = String(path);
    const start = address.indexOf("/api/v1/");
    return start < 0 ? network(path, init) : answer(address.slice(start + "/api/v1".length).split("?")[0] ?? "");
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

test("when the fields of the system can't be read again, that is said and the mapping stays on the screen", async () => {
  const source = {
    id: "source",
    label: "Buyers",
    nodeType: "ENTITY_SOURCE",
    configuration: { connectorId: SHOP, entityDefinition: "buyers", fieldMappings: [] },
  };
  const store = createEditorStore(openedDraft(Graph.parse({ nodes: [source], edges: [] })));
  showInRouter(
    () => (
      <EditorProvider value={store}>
        <MapperDialog entityId={ENTITY} />
      </EditorProvider>
    ),
    `/?mapper=${FIRST_NODE}`,
  );
  const field = page.getByText("E-mail").first();
  await expect.element(field).toBeVisible();
  entity = () => Response.json({ code: "internal_error", message: "The disk is full." }, { status: 500 });
  await refresh(getConnectorEntity);
  await expect.element(page.getByText("The disk is full.")).toBeVisible();
  await expect.element(field).toBeVisible();
});
