/** Use cases of stored datasets: list, make, change, delete, and who uses them. */
import { checkDataset, DatasetError, resolveDataset, describeColumns, variablesOf } from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import { insightsChanged } from "@accord/contracts/insights/dashboards";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import type { Dataset, Dependency, PublishedUse } from "@accord/contracts/insights/datasets";
import type { Config } from "../../../config.ts";
import type { Caller, Ctx } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import { authorName } from "../author.ts";
import { datasetInvalid, datasetProblem, demandSqlMode } from "../engine/index.ts";
import { normalised, usesEntity } from "./dataset-config.ts";
import * as store from "./datasets.store.ts";
import { type FindUsersOfParts, removedPartUses } from "./part-uses.ts";
import type { WrittenDatasets } from "./sql/written-datasets.ts";
import type { StoredDatasets } from "./stored-datasets.ts";

type At = Id<"instance">;
type DatasetId = Id<"dataset">;
/** What uses a dataset beside other datasets: asked of whoever registered. */
export type FindDatasetUses = (at: At, id: DatasetId) => Promise<Dependency[]>;
/** The published dashboards that hold a copy of a card or dataset. */
export type FindPublishedUses<DefinitionId> = (instanceId: At, id: DefinitionId) => Promise<PublishedUse[]>;
/** Previews are open to more people than datasets are; a statement of one's own is not. */
export function mustWriteSql(ctx: Pick<Caller, "can">, { sqlMode }: Pick<Config, "sqlMode">): void {
  demandSqlMode(sqlMode);
  if (!ctx.can("CREATE_DATASET") && !ctx.can("UPDATE_DATASET"))
    throw new AppError("forbidden", { permission: "CREATE_DATASET" });
}

/** Longest that checking a statement may take. */
const MAX_CHECK_MS = 30_000;
export type DatasetsService = ReturnType<typeof datasetsService>;

export function datasetsService(
  deps: Deps,
  { schema, stored, written }: { schema: SchemaService; stored: StoredDatasets; written: WrittenDatasets },
) {
  const { appDb } = deps;
  const { catalogue, catalogueWith, read, readWithSources } = stored;
  const uses: FindDatasetUses[] = [];
  const published: FindPublishedUses<DatasetId>[] = [];
  const usersOfParts: FindUsersOfParts[] = [];
  const now = () => deps.clock.now().toISOString();

  schema.addUses(async (at, entity, field) => {
    const datasets = await store.readDatasets(appDb, at);
    return datasets
      .filter(({ datasetConfig }) => usesEntity(datasetConfig, entity.id, field?.apiName))
      .map(({ id, displayName }) => ({
        kind: "dataset" as const,
        name: `Dataset ${displayName}`,
        href: `/insights-studio/datasets/${id}`,
      }));
  });

  async function dependencies(at: At, id: DatasetId): Promise<Dependency[]> {
    const datasets = await store.readDatasets(appDb, at);
    const above = datasets
      .filter(({ datasetConfig }) =>
        datasetConfig.sources.some((source) => source.datasetType === "DATASET" && source.datasetId === id),
      )
      .map(({ id: other, displayName }): Dependency => ({ kind: "dataset", id: other, displayName }));
    const others = await Promise.all(uses.map((find) => find(at, id)));
    return [...above, ...others.flat()];
  }

  const publishedOn = async (at: At, id: DatasetId): Promise<PublishedUse[]> =>
    (await Promise.all(published.map((find) => find(at, id)))).flat();

  /** With what follows from its statement, when it is written in SQL. */
  const complete = async (
    ctx: Caller & Partial<Pick<Ctx, "exchange">>,
    config: DatasetConfig,
    datasetId?: DatasetId,
  ): Promise<DatasetConfig> => {
    if (config.configMode !== "SQL") return normalised(config);
    mustWriteSql(ctx, deps.config);
    const leaving = ctx.exchange ? [ctx.exchange.signal] : [];
    const signal = AbortSignal.any([AbortSignal.timeout(MAX_CHECK_MS), ...leaving]);
    const caller = { client: ctx.actor.userId, signal };
    try {
      return normalised(await written.complete(config, { instanceId: ctx.instanceId, datasetId, caller }));
    } catch (error) {
      throw error instanceof DatasetError ? datasetInvalid(error.problems) : error;
    }
  };

  /** Refuses a configuration that could not run. */
  async function check(ctx: Caller, config: DatasetConfig, id?: DatasetId): Promise<DatasetConfig> {
    const at = ctx.instanceId;
    const sane = await complete(ctx, config, id);
    const problems = checkDataset(sane, await catalogue(at), id ? { datasetId: id } : {});
    // A required variable without a default is chosen by whoever looks; that does not make the dataset wrong.
    const standing = problems.filter(({ code }) => code !== "variable_required");
    if (standing.length > 0) throw datasetInvalid(standing);
    return sane;
  }

  async function refuseRemovalOfUsedParts(at: At, before: Dataset, after: DatasetConfig): Promise<void> {
    const known = { at, datasets: await store.readDatasets(appDb, at), finders: usersOfParts };
    const parts = await removedPartUses(known, before, after);
    if (parts.length > 0) throw new AppError("dataset_parts_in_use", { parts });
  }

  async function changed(ctx: Caller, id: DatasetId, action: "created" | "updated" | "deleted"): Promise<void> {
    await deps.realtime.publish(ctx.instanceId, insightsChanged, { kind: "dataset", id, action });
  }

  return {
    catalogue,
    catalogueWith,
    read,
    readWithSources,
    complete,
    dependencies,
    publishedOn,
    changed,
    /** Cards say here which of them use a dataset. */
    addUses: (find: FindDatasetUses): void => void uses.push(find),
    /** Cards and dashboards say here which columns and variables they use. */
    findUsersOfParts: (find: FindUsersOfParts): void => void usersOfParts.push(find),
    /** Dashboards say here which published ones hold a copy of a dataset. */
    findPublishedUses: (find: FindPublishedUses<DatasetId>): void => void published.push(find),

    async list(ctx: Caller, countCards: (at: At) => Promise<ReadonlyMap<string, number>>) {
      const at = ctx.instanceId;
      const [entities, datasets, cards, owners] = await Promise.all([
        schema.listEntities(at, "published"),
        store.readDatasets(appDb, at),
        countCards(at),
        store.readOwners(appDb, at),
      ]);
      const names = new Map<string, string>([
        ...entities.map(({ id, displayName }) => [id, displayName] as const),
        ...datasets.map(({ id, displayName }) => [id, displayName] as const),
      ]);
      return {
        datasets: datasets.map(({ datasetConfig, version: _, ...dataset }) => ({
          ...dataset,
          sources: datasetConfig.sources.map(
            ({ datasetId, datasourceAlias }) => names.get(datasetId) ?? datasourceAlias,
          ),
          cards: cards.get(dataset.id) ?? 0,
          ...(owners.get(dataset.id) ?? { createdBy: "", updatedBy: "" }),
        })),
        entities: entities.map(({ id, apiName, displayName, fields }) => ({
          id,
          apiName,
          displayName,
          fields: fields.length,
        })),
      };
    },

    async get(ctx: Ctx, id: DatasetId) {
      const dataset = await read(ctx.instanceId, id);
      const known = await catalogue(ctx.instanceId);
      try {
        return {
          dataset,
          columns: describeColumns(resolveDataset(dataset.datasetConfig, known, { datasetId: id })),
          problems: [],
        };
      } catch (error) {
        if (!(error instanceof DatasetError)) throw error;
        return { dataset, columns: [], problems: error.problems.map(datasetProblem) };
      }
    },

    async create(ctx: Caller, body: store.DatasetText & { name: string }): Promise<Dataset> {
      const datasetConfig = await check(ctx, body.datasetConfig);
      const id = deps.newId<"dataset">();
      const inserted = await store.insertDataset(appDb, ctx.instanceId, {
        ...body,
        datasetConfig,
        id,
        by: authorName(ctx),
        now: now(),
      });
      if (!inserted) throw new AppError("name_taken", { name: body.name });
      await changed(ctx, id, "created");
      return read(ctx.instanceId, id);
    },

    async update(
      ctx: Ctx,
      id: DatasetId,
      { version, ...body }: store.DatasetText & { version: number },
      { confirmed }: { confirmed: boolean },
    ): Promise<Dataset> {
      const before = await read(ctx.instanceId, id);
      const datasetConfig = await check(ctx, body.datasetConfig, id);
      if (!confirmed) await refuseRemovalOfUsedParts(ctx.instanceId, before, datasetConfig);
      const saved = await store.updateDataset(appDb, ctx.instanceId, id, version, {
        ...body,
        datasetConfig,
        by: authorName(ctx),
        now: now(),
      });
      if (!saved) throw new AppError("stale_version", { newest: await read(ctx.instanceId, id) });
      await changed(ctx, id, "updated");
      return read(ctx.instanceId, id);
    },

    /** Sets a dataset back to an earlier definition; whoever commits the transaction says that it changed. */
    async revert(
      db: Db,
      at: At,
      { id, displayName, config }: { id: DatasetId; displayName: string; config: DatasetConfig },
      written: store.Written,
    ): Promise<void> {
      const stored = await store.readDataset(db, at, id);
      if (!stored) throw new AppError("not_found", { what: "Dataset" });
      const { description, tags, version } = stored;
      const text = { displayName, description, tags, datasetConfig: config, ...written };
      if (!(await store.updateDataset(db, at, id, version, text))) throw new AppError("stale_version");
    },

    async remove(ctx: Ctx, id: DatasetId, { confirmed }: { confirmed: boolean }): Promise<void> {
      await read(ctx.instanceId, id);
      const dependents = await dependencies(ctx.instanceId, id);
      if (dependents.length > 0) throw new AppError("in_use", { uses: dependents });
      const copies = confirmed ? [] : await publishedOn(ctx.instanceId, id);
      if (copies.length > 0) throw new AppError("in_published_dashboards", { uses: copies });
      await store.deleteDataset(appDb, ctx.instanceId, id);
      await changed(ctx, id, "deleted");
    },

    async variables(ctx: Ctx, id: DatasetId) {
      const dataset = await read(ctx.instanceId, id);
      return variablesOf(dataset.datasetConfig, await catalogue(ctx.instanceId));
    },
  };
}
