/** What the card wizard works on: its steps, what keeps one from being left, and how all of it is saved. */
import { placeNewCard } from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import {
  CARD_DEFINITIONS,
  type CardProblemCode,
  type CardSlot,
  type KeptSetup,
  problemsOfCard,
} from "@accord/cards/definitions";
import { type CardConfiguration, createDataCard, updateDataCard } from "@accord/contracts/insights/cards";
import { getDashboard, updateDashboard } from "@accord/contracts/insights/dashboards";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { createDataset } from "@accord/contracts/insights/datasets";
import { call } from "../../../app/api.ts";
import { endpointQuery, queryClient } from "../../../app/queries.ts";
import { asGroup, completeOnly } from "../../../shared/predicate-builder/predicate.model.ts";
import { runnable } from "../dataset-editor/dataset-editor.tsx";
import { toApiName } from "../parts/to-api-name.ts";
import { asDashboardId, asDatasetId } from "../parts/queries.ts";

export type Step = "basic" | "dataset" | "card";

/** What is being made, before anything is saved. */
export interface Work {
  displayName: string;
  description: string;
  existing: boolean;
  datasetId: string;
  config: DatasetConfig;
  /** Of a new dataset; that of the card when absent. */
  datasetName?: string | undefined;
  card: CardConfiguration | null;
  /** What was set up for other types of chart; it is not saved. */
  kept?: KeptSetup | undefined;
}

/** The card as it was when it was opened. */
export interface Before {
  id: Id<"dataCard">;
  version: number;
  displayName: string;
  description: string;
  configuration: CardConfiguration;
}

export const STEPS: readonly Step[] = ["basic", "dataset", "card"];

export interface Refusal {
  key:
    | "wizard.nameEmpty"
    | "wizard.datasetEmpty"
    | "wizard.vizTypeEmpty"
    | "problem.sources_missing"
    | "problem.fields_missing"
    | `cardProblem.${CardProblemCode}`;
  facts: Record<string, string | number>;
  /** The part of the setup that it is about. */
  slot?: CardSlot["path"] | undefined;
}

/** The word for what keeps a step from being left. */
export function refusalOf(step: Step, work: Work): Refusal | null {
  if (work.displayName.trim() === "") return { key: "wizard.nameEmpty", facts: {} };
  if (step === "basic") return null;
  if (work.existing && !work.datasetId) return { key: "wizard.datasetEmpty", facts: {} };
  if (!work.existing && work.config.sources.length === 0) return { key: "problem.sources_missing", facts: {} };
  if (!work.existing && work.config.selectedFields.length + work.config.calculatedFields.length === 0)
    return { key: "problem.fields_missing", facts: {} };
  if (step !== "card") return null;
  if (!work.card) return { key: "wizard.vizTypeEmpty", facts: {} };
  const [first] = problemsOfCard(work.card);
  if (!first) return null;
  const slot = CARD_DEFINITIONS[work.card.vizType].slots.find(({ path }) => path === first.path.split(".")[0]);
  return { key: `cardProblem.${first.code}`, facts: first.facts, slot: slot?.path };
}

/** What of a card is saved already when the rest of it failed: saving again goes on from there. */
export interface SaveProgress {
  /** `madeOf` says of what: something else is saved anew. */
  dataset?: { id: string; madeOf: string } | undefined;
  card?: { id: Id<"dataCard">; version: number; madeOf: string; words: string } | undefined;
}

interface Saving {
  before?: Before | undefined;
  copy?: string | undefined;
  dashboardId: string | null;
  progress: SaveProgress;
  onProgress: (progress: SaveProgress) => void;
}

type WholeWork = Work & { card: CardConfiguration };

const datasetMadeOf = ({ config }: WholeWork): string => JSON.stringify(runnable(config));
const cardMadeOf = (work: WholeWork): string =>
  JSON.stringify({ ...work.card, datasetId: work.existing ? work.datasetId : datasetMadeOf(work) });

/** The part that is saved of this work: the last one, when both are. */
export function savedPart(work: WholeWork, { dataset, card }: SaveProgress): "card" | "dataset" | null {
  if (card?.madeOf === cardMadeOf(work)) return "card";
  return !work.existing && dataset?.madeOf === datasetMadeOf(work) ? "dataset" : null;
}

/** Saves the dataset when it is new, then the card, then puts it on the dashboard; what is saved already is not again. */
export async function save(work: WholeWork, saving: Saving): Promise<void> {
  const { before, copy, dashboardId } = saving;
  let { progress } = saving;
  const remember = (saved: SaveProgress): void => {
    progress = { ...progress, ...saved };
    saving.onProgress(progress);
  };
  if (!work.existing && progress.dataset?.madeOf !== datasetMadeOf(work)) remember(await makeDataset(work));
  const datasetId = work.existing ? work.datasetId : (progress.dataset?.id ?? "");
  const { displayName, description } = work;
  const { filter } = work.card;
  const configuration = {
    ...{ ...work.card, datasetId: asDatasetId(datasetId) },
    ...(filter ? { filter: completeOnly(asGroup(filter)) } : {}),
  };
  const body = { displayName, description, contents: { configuration } };
  if (before && !copy) {
    await call(updateDataCard, { params: { id: before.id }, body: { ...body, version: before.version } });
    return;
  }
  const words = JSON.stringify([displayName, description]);
  const saved = progress.card?.madeOf === cardMadeOf(work) ? progress.card : undefined;
  if (saved?.words !== words) {
    const { id, version } = saved
      ? await call(updateDataCard, { params: { id: saved.id }, body: { ...body, version: saved.version } })
      : await call(createDataCard, { body: { ...body, name: `${toApiName(displayName)}_${suffix()}` } });
    remember({ card: { id, version, madeOf: cardMadeOf(work), words } });
  }
  if (dashboardId && progress.card) await addToDashboard(dashboardId, progress.card.id);
}

async function makeDataset(work: WholeWork): Promise<SaveProgress> {
  const displayName = work.datasetName ?? work.displayName;
  const { id } = await call(createDataset, {
    body: { displayName, name: `${toApiName(displayName)}_${suffix()}`, datasetConfig: runnable(work.config) },
  });
  return { dataset: { id, madeOf: datasetMadeOf(work) } };
}

async function addToDashboard(dashboardId: string, id: Id<"dataCard">): Promise<void> {
  const dashboard = await draftOf(dashboardId);
  // Its reply may have been lost.
  if (dashboard.dataCards.some((card) => card.id === id)) return;
  const layout = placeNewCard(dashboard.dataCards, id);
  const { displayName, description, tags, variables, version } = dashboard;
  await call(updateDashboard, {
    params: { id: asDashboardId(dashboard.id) },
    body: {
      ...{ displayName, description, tags, variables, version },
      dataCards: [...dashboard.dataCards, { id, layout }],
    },
  });
}

async function draftOf(dashboardId: string) {
  const { dashboard } = await queryClient.fetchQuery({
    ...endpointQuery(getDashboard, { params: { id: asDashboardId(dashboardId) } }),
    staleTime: 0,
  });
  if (dashboard.draftStatus === "NEW" || !dashboard.draft) return dashboard;
  return (
    await queryClient.fetchQuery({
      ...endpointQuery(getDashboard, { params: { id: asDashboardId(dashboard.draft) } }),
      staleTime: 0,
    })
  ).dashboard;
}

/** Two cards may carry one display name; their API names differ. */
const suffix = (): string => crypto.randomUUID().slice(0, 6);
