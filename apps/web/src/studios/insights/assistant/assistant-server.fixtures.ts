/** The wizard's server with an assistant on top: questions are answered by the real rules, about the deals it has. */
import { answerQuestion, cardOfIntent, refineAnswer } from "@accord/cards/questions";
import { CardIntent } from "@accord/contracts/insights/card-assistant";
import { DatasetConfig, type DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { beforeEach } from "vitest";
import { ids } from "../card-wizard/wizard-server.fixtures.ts";

const COLUMNS: DatasetColumn[] = [
  { name: "status", displayName: "Status", dataType: "string" },
  { name: "owner", displayName: "Owner", dataType: "string" },
  { name: "amount", displayName: "Amount", dataType: "decimal" },
  { name: "size", displayName: "Size", dataType: "integer" },
];

/** A draft without cards. */
const BOARD = {
  ...{ id: ids.dashboard, displayName: "Deals", name: "deals", description: "", tags: [], dataCards: [] },
  ...{ variables: [], draftStatus: "NEW", draft: null, parentId: null, seeded: false, isExample: false, version: 1 },
  ...{ createdBy: "Ada", updatedAt: "2026-06-01T08:00:00.000Z" },
};

export interface AssistantServer {
  isEnabled: boolean;
  assistant: "none" | "builtIn" | "model";
  mayConfigure: boolean;
  /** Whether a question is answered with a dataset that is to be made. */
  makesDataset: boolean;
  /** A call that is refused, such as `POST /datacards`. */
  fails: string;
  /** Cards that dashboards were changed to, in order. */
  boards: string[][];
  /** What was asked, and what was saved as the settings. */
  asked: Record<string, unknown>[];
  settings: Record<string, unknown>[];
}

/** Call it after the wizard's server was started for the file. */
export function withAssistant(use: (server: AssistantServer) => void): void {
  beforeEach(() => {
    const server: AssistantServer = {
      ...{ isEnabled: true, assistant: "builtIn", mayConfigure: true, makesDataset: false, asked: [], settings: [] },
      ...{ fails: "", boards: [] },
    };
    use(server);
    const below = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      const path = String(input).split("/api/v1")[1]?.split("?")[0] ?? "";
      const body: Record<string, unknown> = typeof init?.body === "string" ? JSON.parse(init.body) : {};
      return answer(server, `${init?.method ?? "GET"} ${path}`, body) ?? below(input, init);
    };
  });
}

function answer(server: AssistantServer, call: string, body: Record<string, unknown>): Response | null {
  const { assistant, mayConfigure } = server;
  if (call === server.fails) return refused(503, "server_busy");
  switch (call) {
    case `GET /dashboards/${ids.dashboard}`:
      return Response.json({ dashboard: BOARD, cards: [], unpublishedChanges: [], reverts: [] });
    case `PUT /dashboards/${ids.dashboard}`:
      server.boards.push(Array.isArray(body["dataCards"]) ? body["dataCards"].map(({ id }) => String(id)) : []);
      return Response.json(BOARD);
    case "GET /features/InsightsAI":
      return Response.json({ name: "InsightsAI", enabled: server.isEnabled });
    case "GET /card-assistant":
      return Response.json({ assistant, host: "models.example", model: "tiny", mayConfigure });
    case "GET /service-providers": {
      const protocol = assistant === "model" ? "completions" : "builtIn";
      const stored = { endpoint: "", model: "", authentication: { type: "none" }, hasSecret: false, host: "" };
      const provider = {
        service: "cardAssistant",
        configured: assistant !== "none",
        protocol,
        ...stored,
        updatedAt: null,
      };
      return Response.json({ providers: [provider] });
    }
    case "PUT /service-providers/cardAssistant":
      server.settings.push(body);
      server.assistant = body["protocol"] === "completions" ? "model" : "builtIn";
      return Response.json({
        ...{ service: "cardAssistant", configured: true, protocol: body["protocol"], endpoint: "", model: "" },
        ...{ authentication: { type: "none" }, hasSecret: true, host: "", updatedAt: null },
      });
    case "POST /card-assistant/proposals":
      if (!server.isEnabled) return refused(403, "feature_disabled");
      server.asked.push(body);
      return proposal(server, body);
    default:
      return null;
  }
}

const refused = (status: number, code: string): Response =>
  Response.json({ code, message: "Not now.", status }, { status });

function proposal({ makesDataset }: AssistantServer, body: Record<string, unknown>): Response {
  const source = {
    type: makesDataset ? ("ENTITY" as const) : ("DATASET" as const),
    id: makesDataset ? ids.entity : ids.dataset,
  };
  const sources = [{ source, displayName: "Deals", otherNames: ["Deal"], columns: COLUMNS }];
  const previous = body["previous"] === undefined ? undefined : CardIntent.parse(body["previous"]);
  const asked = { question: String(body["question"]), today: "2026-06-01" };
  const found = previous ? refineAnswer(asked, sources, previous) : answerQuestion(asked, sources);
  const refusal = { code: "question_not_understood", message: "Nothing could be made of this question.", status: 422 };
  if (!found?.intent) return Response.json({ ...refusal, description: "It names no column." }, { status: 422 });
  const config = DatasetConfig.parse({
    sources: [{ datasetId: ids.entity, datasetType: "ENTITY", datasourceAlias: "deal" }],
    selectedFields: COLUMNS.map(({ name, displayName, dataType }) => ({
      ...{ alias: name, displayName, apiName: name, dataType, datasourceAlias: "deal" },
    })),
  });
  const datasetId = makesDataset ? "" : ids.dataset;
  return Response.json({
    intent: found.intent,
    ignored: found.ignored,
    dataset: {
      ...{ id: makesDataset ? null : ids.dataset, displayName: "Deals" },
      ...{ datasetConfig: makesDataset ? config : null, columns: COLUMNS },
    },
    card: cardOfIntent(found.intent, { columns: COLUMNS, datasetId, rowCount: "Number of rows" }),
  });
}
