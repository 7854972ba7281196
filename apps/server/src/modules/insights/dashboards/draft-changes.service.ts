/** How a draft differs from what is published, and how deleting it sets cards and datasets back to that. */
import {
  type CardDefinition,
  dashboardChanges,
  type DatasetDefinition,
  sameCard,
  sameDataset,
} from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import type { DraftRevert, UnpublishedChange } from "@accord/contracts/insights/dashboard-changes";
import type { Caller, Ctx } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { Deps } from "../../../platform/deps.ts";
import type { CardsService } from "../cards/index.ts";
import type { DatasetsService } from "../datasets/index.ts";
import type { DashboardBase } from "./dashboard-base.ts";
import * as store from "./dashboards.store.ts";
import { type Publication, type PublishedCard, type PublishedDataset, readPublications } from "./publications.store.ts";
import type { PublicationsService } from "./publications.service.ts";

type StoredDashboard = store.StoredDashboard;
type InstanceId = Id<"instance">;
export type DraftChangesService = ReturnType<typeof draftChangesService>;

export interface DraftChangesNeeds {
  base: DashboardBase;
  cards: CardsService;
  datasets: DatasetsService;
  publications: PublicationsService;
}

export function draftChangesService(
  { appDb }: Pick<Deps, "appDb">,
  { base, cards, datasets, publications }: DraftChangesNeeds,
) {
  /** What publishing would change: of a draft, or of a published dashboard whose cards and datasets changed. */
  async function changes(instanceId: InstanceId, dashboard: StoredDashboard): Promise<UnpublishedChange[]> {
    const publishedId = dashboard.draftStatus === "APPROVED" ? dashboard.id : dashboard.parentId;
    if (publishedId === null) return [];
    const [published, publication, current] = await Promise.all([
      base.read(instanceId, publishedId),
      publications.read(instanceId, publishedId),
      publications.currentDefinitions(instanceId, dashboard),
    ]);
    return dashboardChanges({ dashboard: published, ...publication }, { dashboard, ...current });
  }

  /** Cards and datasets whose stored definition is not the published one any more. */
  async function changedDefinitions(instanceId: InstanceId, publishedId: string): Promise<ChangedDefinitions> {
    const publication = await publications.read(instanceId, publishedId);
    const current = await currentOf(instanceId, publication);
    const [cardsNow, datasetsNow] = [byId(current.cards), byId(current.datasets)];
    return {
      cards: publication.cards.filter((one) => differs(one, cardsNow, sameCard)),
      datasets: publication.datasets.filter((one) => differs(one, datasetsNow, sameDataset)),
    };
  }

  /** The cards and datasets that a publication holds, as they are stored now. */
  async function currentOf(instanceId: InstanceId, publication: Publication): Promise<Publication> {
    const { cards: placed } = await publications.currentDefinitions(instanceId, { dataCards: publication.cards });
    const below = await datasets.readWithSources(
      instanceId,
      publication.datasets.map(({ id }) => id),
    );
    return {
      cards: placed,
      datasets: below.map(({ datasetConfig: config, ...one }) => ({ ...one, config })),
    };
  }

  async function draftContents(instanceId: InstanceId) {
    const drafts = (await store.readDashboards(appDb, instanceId)).filter(({ draftStatus }) => draftStatus === "NEW");
    return Promise.all(
      drafts.map(async (one) => ({ one, contents: await publications.currentDefinitions(instanceId, one) })),
    );
  }

  /** The other dashboards that need a definition as it is stored: drafts that show it, and later publications of it. */
  async function findNeeds(instanceId: InstanceId, draft: StoredDashboard): Promise<FindNeeds> {
    const [contents, held] = await Promise.all([draftContents(instanceId), readPublications(appDb, instanceId)]);
    const drafts = contents.filter(({ one }) => one.id !== draft.id);
    const others = held.filter(({ id }) => id !== draft.parentId);
    return (kind, definition) => {
      const isHeld = (contents: Publication): boolean => contents[kind].some(({ id }) => id === definition.id);
      const names = [
        ...drafts.filter(({ contents }) => isHeld(contents)).map(({ one }) => one.displayName),
        ...others.filter((one) => isHeld(one) && !holdsSame(one, kind, definition)).map((one) => one.displayName),
      ];
      return [...new Set(names)];
    };
  }

  async function withNeeds(ctx: Pick<Ctx, "instanceId" | "can">, draft: StoredDashboard): Promise<Needed> {
    if (draft.draftStatus !== "NEW" || draft.parentId === null) return { cards: [], datasets: [] };
    const changed = await changedDefinitions(ctx.instanceId, draft.parentId);
    if (changed.cards.length + changed.datasets.length === 0) return { cards: [], datasets: [] };
    const needs = await findNeeds(ctx.instanceId, draft);
    const { cards: changedCards, datasets: changedDatasets } = changed;
    return {
      cards: ctx.can("UPDATE_DATACARD")
        ? changedCards.map((definition) => ({ definition, neededBy: needs("cards", definition) }))
        : [],
      datasets: ctx.can("UPDATE_DATASET")
        ? changedDatasets.map((definition) => ({ definition, neededBy: needs("datasets", definition) }))
        : [],
    };
  }

  return {
    changes,

    /** Names of the dashboards that use each card and dataset, in their draft or published. */
    async dashboardNames(instanceId: InstanceId): Promise<Map<string, string[]>> {
      const [drafts, held] = await Promise.all([draftContents(instanceId), readPublications(appDb, instanceId)]);
      const names = new Map<string, Map<string, string>>();
      const uses = [
        ...held.map((one) => ({ dashboard: one.id, name: one.displayName, contents: one })),
        ...drafts.map(({ one, contents }) => ({ dashboard: one.parentId ?? one.id, name: one.displayName, contents })),
      ];
      for (const { dashboard, name, contents } of uses)
        for (const { id } of [...contents.cards, ...contents.datasets]) {
          const known = names.get(id) ?? new Map<string, string>();
          if (!known.has(dashboard)) known.set(dashboard, name);
          names.set(id, known);
        }
      return new Map([...names].map(([id, dashboards]) => [id, [...dashboards.values()].toSorted()]));
    },

    /** What deleting the draft sets back, and what it leaves because other dashboards need it. */
    async reverts(ctx: Pick<Ctx, "instanceId" | "can">, draft: StoredDashboard): Promise<DraftRevert[]> {
      const needed = await withNeeds(ctx, draft);
      return [
        ...needed.cards.map(({ definition: { id, displayName }, neededBy }): DraftRevert => ({
          ...{ kind: "dataCard", id, displayName, neededBy },
        })),
        ...needed.datasets.map(({ definition: { id, displayName }, neededBy }): DraftRevert => ({
          ...{ kind: "dataset", id, displayName, neededBy },
        })),
      ];
    },

    /** What deleting the draft sets back, and the writing of it: within the transaction that deletes the draft. */
    async prepareRevert(ctx: Ctx, draft: StoredDashboard) {
      const needed = await withNeeds(ctx, draft);
      const free = {
        cards: needed.cards.filter(({ neededBy }) => neededBy.length === 0).map(({ definition }) => definition),
        datasets: needed.datasets.filter(({ neededBy }) => neededBy.length === 0).map(({ definition }) => definition),
      };
      return {
        count: free.cards.length + free.datasets.length,
        async write(db: Db, caller: Caller): Promise<void> {
          const stamp = base.stamp(caller);
          for (const one of free.datasets) await datasets.revert(db, caller.instanceId, one, stamp);
          for (const one of free.cards) await cards.revert(db, caller.instanceId, one, stamp);
        },
        async announce(caller: Caller): Promise<void> {
          for (const { id } of free.datasets) await datasets.changed(caller, id, "updated");
          for (const { id } of free.cards) await cards.changed(caller, id, "updated");
        },
      };
    },
  };
}

interface ChangedDefinitions {
  cards: PublishedCard[];
  datasets: PublishedDataset[];
}
interface Needed {
  cards: { definition: PublishedCard; neededBy: string[] }[];
  datasets: { definition: PublishedDataset; neededBy: string[] }[];
}
type FindNeeds = (kind: "cards" | "datasets", definition: PublishedCard | PublishedDataset) => string[];

function holdsSame(
  { cards, datasets }: Publication,
  kind: "cards" | "datasets",
  definition: CardDefinition | DatasetDefinition,
): boolean {
  if (kind === "cards")
    return cards.some((one) => one.id === definition.id && "configuration" in definition && sameCard(one, definition));
  return datasets.some((one) => one.id === definition.id && "config" in definition && sameDataset(one, definition));
}

const byId = <One extends { id: string }>(list: readonly One[]): Map<string, One> =>
  new Map(list.map((one) => [one.id, one]));

function differs<One extends { id: string }>(
  one: One,
  now: ReadonlyMap<string, One>,
  isSame: (a: One, b: One) => boolean,
): boolean {
  const current = now.get(one.id);
  return current !== undefined && !isSame(one, current);
}
