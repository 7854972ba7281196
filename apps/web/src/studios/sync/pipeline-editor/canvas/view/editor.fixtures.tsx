/** The editor of an entity pipeline on a page, with a server that answers what it opens with: for tests by mouse and keys. */
import type { FunctionDescription } from "@accord/contracts/sync/palette";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { Graph } from "@accord/contracts/sync/graph";
import type { ReactNode } from "react";
import { show } from "@accord/ui/test-kit";
import { afterEach, beforeEach } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../../app/queries.ts";
import { showScreens } from "../../../../../app/show-in-router.fixtures.tsx";
import "../../../../../app/words.ts";
import { coreEntity, fieldOf } from "../../../new-pipeline/new-pipeline.fixtures.ts";
import { ENTITY, openedDraft } from "../../draft/opened-draft.fixtures.ts";
import { EditorScreen } from "../../editor-screen.tsx";
import { pipelineRow } from "../../field-pipeline/pipeline-row.fixtures.ts";

const functionOf = (name: string, label: string): FunctionDescription => ({
  ...{ id: name, name, label, family: "text", helpSummary: "", iconPath: "", kind: "FUNCTION" },
  ...{ levels: ["entity"], edgeTypes: null, inputs: [] },
});

/** Nodes that stand side by side, each leading to the next: "Trim 1", "Trim 2" and so on. */
export const row = (count: number): Graph =>
  Graph.parse({
    nodes: Array.from({ length: count }, (_, index) => ({
      ...{ id: `n${index + 1}`, label: `Trim ${index + 1}`, nodeType: "FUNCTION", apiName: "trim" },
      location: { x: index * 300, y: 0 },
    })),
    edges: Array.from({ length: count - 1 }, (_, index) => ({
      ...{ id: `e${index + 1}`, source: { nodeId: `n${index + 1}` }, destination: { nodeId: `n${index + 2}` } },
    })),
  });

const network = globalThis.fetch;
let graph: Graph;
/** Answers of single calls, by method and path: "POST /pipelines/…/validate". */
let answers: Readonly<Record<string, () => Promise<Response>>>;

async function answer(call: string, body: string): Promise<Response> {
  const own = answers[call.replace(ENTITY, ":id")];
  if (own) return own();
  if (call === `GET /pipelines/${ENTITY}`) return Response.json(pipelineRow({ pipelineStatus: "DRAFT" }));
  if (call === `GET /entities/${ENTITY}`) return Response.json(coreEntity([fieldOf("name")], { id: ENTITY }));
  if (call === `GET /pipelines/${ENTITY}/graph/draft`) return Response.json(openedDraft(graph));
  if (call === `PUT /pipelines/${ENTITY}/draft`) return Response.json(openedDraft(JSON.parse(body).graph));
  if (call === `GET /pipelines/${ENTITY}/palette`)
    return Response.json({
      functions: [functionOf("trim", "Trim"), functionOf("lowerCase", "Lower case")],
      actions: [],
    });
  return Response.json({ code: "not_found", message: "Not found" }, { status: 404 });
}

/** Before each test of the file: a browser window of that size, and a server. */
export function serveEditor(size: { width: number; height: number }): void {
  beforeEach(async () => {
    await page.viewport(size.width, size.height);
    queryClient.clear();
    queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["WRITE_STUDIO", "READ_STUDIO"] });
    answers = {};
    globalThis.fetch = async (path, init) => {
      const address = String(path);
      const start = address.indexOf("/api/v1/");
      if (start < 0) return network(path, init);
      const call = address.slice(start + "/api/v1".length).split("?")[0];
      return answer(`${init?.method ?? "GET"} ${call}`, typeof init?.body === "string" ? init.body : "");
    };
  });
  afterEach(() => {
    // Closed, it keeps what isn't saved yet; the next test begins without it.
    show(null);
    localStorage.clear();
    sessionStorage.clear();
    globalThis.fetch = network;
  });
}

/** `beside` stands on the same page. */
export function openEditor(opened: Graph, own: typeof answers = {}, beside?: ReactNode): void {
  [graph, answers] = [opened, own];
  const Screen = () => (
    <div style={{ height: "100vh" }}>
      <EditorScreen />
    </div>
  );
  showScreens(
    { "/sync-studio/entity/$entityId/pipeline/$graphVersion/{-$problems}": Screen },
    `/sync-studio/entity/${ENTITY}/pipeline/draft`,
    beside,
  );
}
