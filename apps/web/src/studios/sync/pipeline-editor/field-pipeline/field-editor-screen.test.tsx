/** The screen of a field pipeline keeps its editor, with what was saved in it, while the entity pipeline beside it changes. */
import { id } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import type { OpenedFieldGraph } from "@accord/contracts/sync/field-pipelines";
import { getFieldGraph } from "@accord/contracts/sync/field-pipelines";
import { Graph } from "@accord/contracts/sync/graph";
import { getPipeline } from "@accord/contracts/sync/pipelines";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient, refresh } from "../../../../app/queries.ts";
import { showScreens } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { coreEntity, fieldOf } from "../../new-pipeline/new-pipeline.fixtures.ts";
import { ENTITY, openedDraft } from "../draft/opened-draft.fixtures.ts";
import { FieldEditorScreen } from "./field-editor-screen.tsx";
import { openedFieldDraft } from "./opened-field-draft.fixtures.ts";
import { pipelineRow } from "./pipeline-row.fixtures.ts";

const entity = coreEntity([fieldOf("name")], { id: ENTITY });
const FIELD = id("field").parse(`0`.padStart(24, "f"));
const graph = Graph.parse({
  nodes: [{ id: "trim", label: "Trim", nodeType: "FUNCTION", apiName: "trim", description: "as opened" }],
  edges: [],
});
const opened = openedFieldDraft(graph, { fieldId: FIELD });
const NO_GRAPH = Graph.parse({ nodes: [], edges: [] });

const network = globalThis.fetch;
/** State of the entity pipeline, revisions that were saved over, and calls that wait for `release`. */
let state: "PUBLISHED" | "PUBLISHED_WITH_DRAFT";
let savedOver: number[];
let release: (() => void)[];

const missing = () => Response.json({ code: "not_found", message: "Not found" }, { status: 404 });
async function answer(call: string, body: string): Promise<Response> {
  if (call === `GET /pipelines/${ENTITY}`) return Response.json(pipelineRow({ pipelineStatus: state }));
  if (call === `GET /entities/${ENTITY}`) return Response.json(entity);
  if (call.startsWith(`GET /pipelines/${ENTITY}/fields/${FIELD}/graph/draft`)) return Response.json(opened);
  if (call === `PUT /pipelines/${ENTITY}/fields/${FIELD}/draft`) {
    const sent = JSON.parse(body);
    savedOver.push(sent.revision);
    return Response.json({ ...opened, graph: sent.graph, revision: sent.revision + 1 });
  }
  if (call === `GET /pipelines/${ENTITY}/graph/draft`) return Response.json(openedDraft(NO_GRAPH));
  if (call !== `GET /pipelines/${ENTITY}/graph/published`) return missing();
  await new Promise<void>((resolve) => release.push(resolve));
  return Response.json(openedDraft(NO_GRAPH, { graphVersion: "published", hasPublished: true }));
}

beforeEach(() => {
  queryClient.clear();
  [state, savedOver, release] = ["PUBLISHED_WITH_DRAFT", [], []];
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["WRITE_STUDIO", "READ_STUDIO"] });
  globalThis.fetch = async (path, init) => {
    const address = String(path);
    const start = address.indexOf("/api/v1/");
    if (start < 0) return network(path, init);
    const call = address.slice(start + "/api/v1".length).split("?")[0];
    return answer(`${init?.method ?? "GET"} ${call}`, typeof init?.body === "string" ? init.body : "");
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

function openScreen(): void {
  showScreens(
    { "/sync-studio/entity/$entityId/field/$fieldId/pipeline/$graphVersion": FieldEditorScreen },
    `/sync-studio/entity/${ENTITY}/field/${FIELD}/pipeline/draft?view=list`,
  );
}

test("what was saved stays on the screen while the entity pipeline's draft vanishes, and the next edit is saved over it", async () => {
  openScreen();
  await page.getByText("Trim", { exact: true }).first().click();
  const description = page.getByRole("textbox", { name: "Description" });
  await description.fill("first edit");
  await expect.poll(() => savedOver).toEqual([7]);
  const savedNow = () =>
    queryClient.getQueryData<OpenedFieldGraph>(
      keyOf(getFieldGraph, { params: { entityId: ENTITY, fieldId: FIELD, graphVersion: "draft" } }),
    );
  state = "PUBLISHED";
  await refresh(getPipeline);
  await expect.poll(() => release.length).toBe(1);
  await expect.element(description).toHaveValue("first edit");
  release.forEach((go) => go());
  await description.fill("second edit");
  await expect.poll(() => savedOver).toEqual([7, 8]);
  await expect.poll(savedNow).toMatchObject({ revision: 9, graph: { nodes: [{ description: "second edit" }] } });
});
