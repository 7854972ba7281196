/** The page of a new pipeline keeps what was typed while its source can't be read again. */
import { getConnectorEntity, listConnectors } from "@accord/contracts/connections/connectors";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient, refresh } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { pipelineRow } from "../pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import { BUYER_FIELDS, buyers, coreEntity, fieldOf, SHOP, shop } from "./new-pipeline.fixtures.ts";
import { NewPipelineScreen } from "./new-pipeline-screen.tsx";

const network = globalThis.fetch;
let connector: ReturnType<typeof shop>;
let entity: () => Response;

const SUMMARY = { total: 0, draft: 0, resyncing: 0, running: 0, paused: 0, error: 0, warning: 0 };
let published: CoreEntity[];

/** Entities without a pipeline, page by page as the server answers them. */
function unmapped(query: URLSearchParams): Response {
  const [number = 1, size = 25] = ["page", "pageSize"].map((name) => Number(query.get(name)));
  const rows = published
    .slice((number - 1) * size, number * size)
    .map(({ id, displayName: name }) => pipelineRow({ id, name, pipelineStatus: "UNMAPPED" }));
  return Response.json({ rows, total: published.length, page: number, unmapped: published.length, summary: SUMMARY });
}

function answer(address: string): Response {
  const { pathname: call, searchParams: query } = new URL(address, location.href);
  if (call === "/connectors") return Response.json({ connectors: [connector] });
  if (call === `/connectors/${SHOP}/entities/buyers`) return entity();
  if (call === "/entities") return Response.json({ entities: query.get("version") === "published" ? published : [] });
  if (call === "/pipelines") return unmapped(query);
  if (call.includes("sample-records")) return Response.json({ fields: BUYER_FIELDS, records: [], bad: [] });
  return Response.json({ code: "not_found", message: "Not found" }, { status: 404 });
}
beforeEach(() => {
  queryClient.clear();
  connector = shop();
  published = [];
  entity = () => Response.json(buyers());
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["WRITE_STUDIO", "READ_STUDIO"] });
  globalThis.fetch = async (path, init) => {
    const address = String(path);
    const start = address.indexOf("/api/v1/");
    return start < 0 ? network(path, init) : answer(address.slice(start + "/api/v1".length));
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

/** Opens the page with Shop's buyers as the source, and names the core entity. */
async function typeName() {
  const address = `/sync-studio/new-pipeline?connectorId=%22${SHOP}%22&entity=buyers`;
  showScreens({ "/sync-studio/new-pipeline": NewPipelineScreen }, address);
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Customer");
  return name;
}

test("when the source's fields can't be read again, that is said and what was typed stays", async () => {
  const name = await typeName();
  entity = () => Response.json({ code: "internal_error", message: "The disk is full." }, { status: 500 });
  await refresh(getConnectorEntity);
  await expect.element(page.getByText("The disk is full.")).toBeVisible();
  await expect.element(name).toHaveValue("Customer");
});

test("when the source's system stops being active, or its entity is gone, that is said and what was typed stays", async () => {
  const name = await typeName();
  connector = { ...shop(), status: "ERROR" };
  await refresh(listConnectors);
  await expect.element(page.getByText(/^It can't be read: its status is/)).toBeVisible();
  await expect.element(name).toHaveValue("Customer");
  entity = () => Response.json(buyers(undefined, { status: "INACTIVE" }));
  await refresh(getConnectorEntity);
  await expect.element(page.getByText("It is no longer in the system.")).toBeVisible();
  await expect.element(name).toHaveValue("Customer");
});

test("each of 230 entities without a pipeline can be chosen, the last one as well", async () => {
  published = Array.from({ length: 230 }, (_, index) =>
    coreEntity([fieldOf("name")], {
      ...{ id: index.toString(16).padStart(24, "0"), apiName: `entity${index}`, displayName: `Entity ${index}` },
      version: 1,
    }),
  );
  await typeName();
  await page.getByRole("radio", { name: "An entity without a pipeline" }).click();
  await page.getByRole("combobox", { name: "Entity" }).fill("Entity 229");
  await expect.element(page.getByRole("option", { name: "Entity 229", exact: true })).toBeInTheDocument();
});
