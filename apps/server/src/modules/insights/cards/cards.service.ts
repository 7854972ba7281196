/** Use cases of data cards. */
import { partsOfCard, variablesOf } from "@accord/analytics-engine";
import { problemsOfCard } from "@accord/cards/definitions";
import type { Id } from "@accord/contracts";
import type { CardConfiguration, DataCard } from "@accord/contracts/insights/cards";
import { insightsChanged } from "@accord/contracts/insights/dashboards";
import type { Dependency, PublishedUse } from "@accord/contracts/insights/datasets";
import type { Variable } from "@accord/contracts/insights/variables";
import type { Caller, Ctx } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { authorName } from "../author.ts";
import type { DatasetsService, FindPublishedUses } from "../datasets/index.ts";
import { type AnalyticsEngine, cardProblem } from "../engine/index.ts";
import { cardAnswers } from "./card-data.ts";
import { cardPreviews } from "./card-previews.ts";
import * as store from "./cards.store.ts";
import { markRecords } from "./mark-records.ts";
import { savedAnswers } from "./saved-answers.ts";

type At = Id<"instance">;
type CardId = Id<"dataCard">;
export type FindCardUses = (at: At, id: CardId) => Promise<Dependency[]>;
export type CardsService = ReturnType<typeof cardsService>;

interface Configured {
  configuration: CardConfiguration;
}
export interface CardBody {
  displayName: string;
  description: string;
  tags: string[];
  contents: { configuration: CardConfiguration };
}

/** Datasets ask here which cards use them, their columns and their variables. */
function registerUses({ appDb }: Deps, datasets: DatasetsService): void {
  datasets.addUses(async (at, datasetId) => {
    const cards = await store.readCards(appDb, at);
    return cards
      .filter(({ contents }) => contents.configuration.datasetId === datasetId)
      .map(({ id, displayName }) => ({ kind: "dataCard", id, displayName }));
  });

  datasets.findUsersOfParts(async (at, datasetIds) => {
    const cards = await store.readCards(appDb, at);
    return cards
      .filter(({ contents }) => datasetIds.has(contents.configuration.datasetId))
      .map(({ id, displayName, contents: { configuration } }) => ({
        datasetId: configuration.datasetId,
        use: { kind: "dataCard", id, displayName },
        ...partsOfCard(configuration),
      }));
  });
}

export function cardsService(deps: Deps, needs: { datasets: DatasetsService; engine: AnalyticsEngine }) {
  const { appDb } = deps;
  const { datasets } = needs;
  const answer = cardAnswers(needs.engine, deps.clock);
  const findMarkRecords = markRecords(needs.engine, deps.clock);
  const uses: FindCardUses[] = [];
  const published: FindPublishedUses<CardId>[] = [];
  const now = () => deps.clock.now().toISOString();

  registerUses(deps, datasets);

  async function read(at: At, id: CardId): Promise<store.StoredCard> {
    const card = await store.readCard(appDb, at, id);
    if (!card) throw new AppError("not_found", { what: "Data card" });
    return card;
  }

  async function withMeta(at: At, card: store.StoredCard): Promise<DataCard> {
    const variables = await variablesOfCard(at, card.contents.configuration);
    return {
      ...card,
      configurationMeta: variables.map(({ apiName, displayName, datatype, required }) => ({
        name: apiName,
        displayName,
        helpSummary: required ? "required" : "",
        datatype,
      })),
    };
  }

  async function variablesOfCard(at: At, { datasetId }: CardConfiguration): Promise<Variable[]> {
    if (!datasetId) return [];
    const catalogue = await datasets.catalogue(at);
    const dataset = catalogue.dataset(datasetId);
    return dataset ? variablesOf(dataset.config, catalogue) : [];
  }

  /** A saved card is complete and stands on a dataset of this instance. */
  async function check(at: At, configuration: CardConfiguration): Promise<void> {
    const problems = problemsOfCard(configuration).map(cardProblem);
    if (!configuration.datasetId)
      problems.unshift({ path: "datasetId", message: "Select existing Data set cannot be empty." });
    if (problems.length > 0) throw new AppError("validation_failed", {}, { errors: problems });
    await datasets.read(at, configuration.datasetId as Id<"dataset">);
  }

  async function changed(ctx: Caller, id: CardId, action: "created" | "updated" | "deleted"): Promise<void> {
    await deps.realtime.publish(ctx.instanceId, insightsChanged, { kind: "dataCard", id, action });
  }

  async function dependencies(at: At, id: CardId): Promise<Dependency[]> {
    return (await Promise.all(uses.map((find) => find(at, id)))).flat();
  }

  const publishedOn = async (at: At, id: CardId): Promise<PublishedUse[]> =>
    (await Promise.all(published.map((find) => find(at, id)))).flat();

  return {
    read,
    dependencies,
    publishedOn,
    variablesOfCard,
    answer,
    findMarkRecords,
    ...cardPreviews({ datasets, answer, findMarkRecords }),
    ...savedAnswers({ datasets, answer, read }),
    changed,
    readMany: (at: At, ids: readonly string[]) => store.readCards(appDb, at, ids),
    countByDataset: (at: At) => store.countByDataset(appDb, at),
    /** Dashboards say here which drafts show a card. */
    addUses: (find: FindCardUses): void => void uses.push(find),
    /** And which published ones hold a copy of it. */
    findPublishedUses: (find: FindPublishedUses<CardId>): void => void published.push(find),

    async list(ctx: Ctx, dashboards: ReadonlyMap<string, readonly string[]>) {
      const at = ctx.instanceId;
      const [cards, catalogue, owners] = await Promise.all([
        store.readCards(appDb, at),
        datasets.catalogue(at),
        store.readOwners(appDb, at),
      ]);
      return cards.map(({ contents, configuration: _, version: __, ...card }) => ({
        ...card,
        datasetId: contents.configuration.datasetId,
        datasetName: catalogue.dataset(contents.configuration.datasetId)?.displayName ?? "",
        dashboards: [...(dashboards.get(card.id) ?? [])],
        ...(owners.get(card.id) ?? { createdBy: "", updatedBy: "" }),
      }));
    },

    get: async (ctx: Ctx, id: CardId): Promise<DataCard> => withMeta(ctx.instanceId, await read(ctx.instanceId, id)),

    async create(ctx: Caller, body: CardBody & { name: string }): Promise<DataCard> {
      const { contents, ...text } = body;
      await check(ctx.instanceId, contents.configuration);
      const id = deps.newId<"dataCard">();
      const card = { ...text, configuration: contents.configuration, id, by: authorName(ctx), now: now() };
      if (!(await store.insertCard(appDb, ctx.instanceId, card))) throw new AppError("name_taken", { name: body.name });
      await changed(ctx, id, "created");
      return withMeta(ctx.instanceId, await read(ctx.instanceId, id));
    },

    async update(
      ctx: Ctx,
      id: CardId,
      { version, contents, ...text }: CardBody & { version: number },
    ): Promise<DataCard> {
      await read(ctx.instanceId, id);
      await check(ctx.instanceId, contents.configuration);
      const card = { ...text, configuration: contents.configuration, by: authorName(ctx), now: now() };
      const saved = await store.updateCard(appDb, ctx.instanceId, id, version, card);
      const newest = await withMeta(ctx.instanceId, await read(ctx.instanceId, id));
      if (!saved) throw new AppError("stale_version", { newest });
      await changed(ctx, id, "updated");
      return newest;
    },

    /** Sets a card back to an earlier definition; whoever commits the transaction says that it changed. */
    async revert(
      db: Db,
      at: At,
      { id, ...definition }: Pick<DataCard, "displayName" | "description"> & { id: CardId } & Configured,
      written: { by: string; now: string },
    ): Promise<void> {
      const stored = await store.readCard(db, at, id);
      if (!stored) throw new AppError("not_found", { what: "Data card" });
      const { displayName, description, configuration } = definition;
      const card = { displayName, description, configuration, tags: stored.tags, ...written };
      if (!(await store.updateCard(db, at, id, stored.version, card))) throw new AppError("stale_version");
    },

    async remove(ctx: Ctx, id: CardId, { confirmed }: { confirmed: boolean }): Promise<void> {
      await read(ctx.instanceId, id);
      const dependents = await dependencies(ctx.instanceId, id);
      if (dependents.length > 0) throw new AppError("in_use", { uses: dependents });
      const copies = confirmed ? [] : await publishedOn(ctx.instanceId, id);
      if (copies.length > 0) throw new AppError("in_published_dashboards", { uses: copies });
      await store.deleteCard(appDb, ctx.instanceId, id);
      await changed(ctx, id, "deleted");
    },
  };
}
