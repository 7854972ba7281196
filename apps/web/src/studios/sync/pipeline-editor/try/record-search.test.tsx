/** The list of records to try follows what cycles read, and stays as it is once it has some. */
import { Graph } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import { openFakeStream } from "../../../../app/stream.fixtures.ts";
import "../../../../app/words.ts";
import { ENTITY } from "../draft/opened-draft.fixtures.ts";
import { RecordSearch } from "./record-search.tsx";

const network = globalThis.fetch;
let stream: ReturnType<typeof openFakeStream>;
let names: string[];
let asked: number;

const [source] = Graph.parse({
  nodes: [
    {
      id: "crm",
      label: "CRM",
      nodeType: "ENTITY_SOURCE",
      configuration: { connectorId: "f".repeat(24), entityDefinition: "company" },
    },
  ],
  edges: [],
}).nodes;

beforeAll(() => {
  stream = openFakeStream();
});
afterAll(() => stream.close());
beforeEach(() => {
  queryClient.clear();
  names = [];
  asked = 0;
  globalThis.fetch = async (path, init) => {
    if (!String(path).startsWith("/api/")) return network(path, init);
    if (!String(path).includes("/records?")) return Response.json({ connectors: [] });
    asked += 1;
    const records = names.map((name, index) => ({
      recordId: String(index).padStart(24, "0"),
      externalId: String(index),
      name,
    }));
    return Response.json({ records });
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

const announceCycle = (entityId: string): void =>
  stream.current()?.event("pipelineStatusChanged", {
    entityId,
    syncStatus: "RUNNING",
    currentActivity: "",
    read: 1,
    changed: 1,
    delivered: 0,
  });

test("a search that was opened before the first cycle lists its records as soon as they are stored, and keeps them in their places", async () => {
  if (!source) throw new Error("the graph has no source");
  show(
    <QueryClientProvider client={queryClient}>
      <RecordSearch entityId={ENTITY} source={source} onChoose={() => {}} />
    </QueryClientProvider>,
  );
  await expect.element(page.getByText("No records of this source are stored yet")).toBeInTheDocument();
  await expect.poll(() => stream.current()?.onmessage).toBeTypeOf("function");
  names = ["Acme", "Borealis"];
  await expect
    .poll(() => {
      announceCycle(ENTITY);
      return page.getByRole("button", { name: /Acme/ }).query();
    })
    .not.toBeNull();
  const before = asked;
  names = ["Zenith", "Acme", "Borealis"];
  announceCycle(ENTITY);
  await page.getByRole("textbox", { name: "Search records of the source" }).fill("bor");
  await expect.poll(() => asked).toBe(before + 1);
});
