/** Use cases of datasets, and what cards need of them: the catalogue, the resolved query, the variables. */
import {
  type Catalogue,
  checkDataset,
  DatasetError,
  joinIdOf,
  planQuery,
  postgres,
  printQuery,
  type Query,
  resolveDataset,
  suggestJoinsBetween,
  toldColumns,
  variablesOf,
} from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import { FORMULA_FUNCTIONS } from "@accord/expressions";
import {
  type Dataset,
  DatasetConfig,
  DATASET_LIMITS,
  type DatasetSource,
  type DatasourceType,
  type Dependency,
  type DataSourceField,
  SOURCE_SEPARATOR,
} from "@accord/contracts/insights/datasets";
import { insightsChanged } from "@accord/contracts/insights/dashboards";
import type { VariableValues } from "@accord/contracts/insights/variables";
import type { Caller, Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import { authorName } from "../author.ts";
import {
  type AnalyticsEngine,
  datasetInvalid,
  datasetProblem,
  instanceCatalogue,
  sayingProblems,
} from "../engine/index.ts";
import * as store from "./datasets.store.ts";

type At = Id<"instance">;
type DatasetId = Id<"dataset">;
/** What uses a dataset beside other datasets: asked of whoever registered. */
export type FindDatasetUses = (at: At, id: DatasetId) => Promise<Dependency[]>;
export type DatasetsService = ReturnType<typeof datasetsService>;

export const TIME_ZONE = "UTC";

export function datasetsService(deps: Deps, needs: { schema: SchemaService; engine: AnalyticsEngine }) {
  const { appDb } = deps;
  const uses: FindDatasetUses[] = [];
  const now = () => deps.clock.now().toISOString();
  const printing = () => ({ dialect: postgres, timeZone: TIME_ZONE, now: deps.clock.now().getTime() });

  needs.schema.addUses(async (at, entity, field) => {
    const datasets = await store.readDatasets(appDb, at);
    return datasets
      .filter(({ datasetConfig }) => usesEntity(datasetConfig, entity.id, field?.apiName))
      .map(({ id, displayName }) => ({
        kind: "dataset" as const,
        name: `Dataset ${displayName}`,
        href: `/insights-studio/datasets/${id}`,
      }));
  });

  async function catalogue(at: At): Promise<Catalogue> {
    const [entities, datasets] = await Promise.all([
      needs.schema.listEntities(at, "published"),
      store.readDatasets(appDb, at),
    ]);
    return instanceCatalogue(
      at,
      entities,
      datasets.map(({ datasetConfig: config, ...dataset }) => ({ ...dataset, config })),
    );
  }

  async function read(at: At, id: DatasetId): Promise<Dataset> {
    const dataset = await store.readDataset(appDb, at, id);
    if (!dataset) throw new AppError("not_found", { what: "Dataset" });
    return dataset;
  }

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

  /** Refuses a configuration that could not run. */
  async function check(at: At, config: DatasetConfig, id?: DatasetId): Promise<DatasetConfig> {
    const sane = normalised(config);
    const problems = checkDataset(sane, await catalogue(at), id ? { datasetId: id } : {});
    // A required variable without a default is chosen by whoever looks; that does not make the dataset wrong.
    const standing = problems.filter(({ code }) => code !== "variable_required");
    if (standing.length > 0) throw datasetInvalid(standing);
    return sane;
  }

  async function changed(ctx: Caller, id: DatasetId, action: "created" | "updated" | "deleted"): Promise<void> {
    await deps.realtime.publish(ctx.instanceId, insightsChanged, { kind: "dataset", id, action });
  }

  async function fieldsOf(at: At, source: DatasetSource): Promise<DataSourceField[]> {
    const known = await catalogue(at);
    const base = {
      datasetId: source.datasetId,
      datasetType: source.datasetType,
      datasourceAlias: source.datasourceAlias,
    };
    const field = (apiName: string) => ({
      ...base,
      apiName,
      fieldId: `${source.datasetId}${SOURCE_SEPARATOR}${apiName}`,
      fieldAlias: `${source.datasourceAlias}.${apiName}`,
    });
    if (source.datasetType === "ENTITY") {
      const entity = known.entity(source.datasetId);
      if (!entity) throw new AppError("not_found", { what: "Entity" });
      return entity.fields.map(({ apiName, displayName, dataType, referenceTo, isMultiValueField }) => ({
        ...field(apiName),
        displayName,
        dataType,
        ...(referenceTo ? { referenceTo } : {}),
        ...(isMultiValueField ? { isMultiValueField } : {}),
      }));
    }
    const dataset = await read(at, source.datasetId as DatasetId);
    const { columns } = sayingProblems(() => resolveDataset(dataset.datasetConfig, known, { datasetId: dataset.id }));
    return columns.map(({ name, displayName, dataType }) => ({ ...field(name), displayName, dataType }));
  }

  return {
    catalogue,
    read,
    dependencies,
    /** Cards say here which of them use a dataset. */
    addUses: (find: FindDatasetUses): void => void uses.push(find),

    async list(ctx: Caller, countCards: (at: At) => Promise<ReadonlyMap<string, number>>) {
      const at = ctx.instanceId;
      const [entities, datasets, cards] = await Promise.all([
        needs.schema.listEntities(at, "published"),
        store.readDatasets(appDb, at),
        countCards(at),
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
          columns: toldColumns(resolveDataset(dataset.datasetConfig, known, { datasetId: id })),
          problems: [],
        };
      } catch (error) {
        if (!(error instanceof DatasetError)) throw error;
        return { dataset, columns: [], problems: error.problems.map(datasetProblem) };
      }
    },

    async create(ctx: Caller, body: store.DatasetText & { name: string }): Promise<Dataset> {
      const datasetConfig = await check(ctx.instanceId, body.datasetConfig);
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
    ): Promise<Dataset> {
      await read(ctx.instanceId, id);
      const datasetConfig = await check(ctx.instanceId, body.datasetConfig, id);
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

    async remove(ctx: Ctx, id: DatasetId): Promise<void> {
      await read(ctx.instanceId, id);
      const dependents = await dependencies(ctx.instanceId, id);
      if (dependents.length > 0) throw new AppError("in_use", { uses: dependents });
      await store.deleteDataset(appDb, ctx.instanceId, id);
      await changed(ctx, id, "deleted");
    },

    async variables(ctx: Ctx, id: DatasetId) {
      const dataset = await read(ctx.instanceId, id);
      return variablesOf(dataset.datasetConfig, await catalogue(ctx.instanceId));
    },

    async fields(
      ctx: Ctx,
      query: { dataSourceId: string; dataSourceType: DatasourceType; alias?: string | undefined },
    ) {
      const known = await catalogue(ctx.instanceId);
      const source =
        query.dataSourceType === "ENTITY"
          ? known.entity(query.dataSourceId)?.apiName
          : known.dataset(query.dataSourceId)?.name;
      const datasourceAlias = query.alias ?? source ?? "source";
      const dataSourceFields = await fieldsOf(ctx.instanceId, {
        datasetId: query.dataSourceId,
        datasetType: query.dataSourceType,
        datasourceAlias,
      });
      return { dataSourceFields, dataSourceAlias: datasourceAlias };
    },

    async preview(
      ctx: Ctx,
      body: {
        datasetConfig: DatasetConfig;
        variablesMap: VariableValues;
        datasetId?: DatasetId | undefined;
        rows: number;
      },
    ) {
      if (body.datasetId) await read(ctx.instanceId, body.datasetId);
      const known = await catalogue(ctx.instanceId);
      const query = sayingProblems(() =>
        planQuery(
          resolveDataset(normalised(body.datasetConfig), known, {
            values: body.variablesMap,
            ...(body.datasetId ? { datasetId: body.datasetId } : {}),
          }),
        ),
      );
      const columns = toldColumns(query);
      const statement = printQuery(query, printing(), body.rows + 1);
      const { rows } = await needs.engine.run({ instanceId: ctx.instanceId, statement, columns });
      return {
        columns,
        rows: rows.slice(0, body.rows),
        truncated: rows.length > body.rows,
        asOf: now(),
        sql: statement.text,
      };
    },

    async suggestJoins(ctx: Ctx, sources: DatasetSource[]) {
      return suggestJoinsBetween(sources, await catalogue(ctx.instanceId));
    },

    functions: () =>
      [...FORMULA_FUNCTIONS].map(({ name, category, signature, help, returns }) => ({
        name,
        category,
        signature,
        returnType: String(returns),
        help,
        aggregate: category === "aggregate",
      })),

    async sample(ctx: Ctx, source: { dataSourceId: string; dataSourceType: DatasourceType }) {
      const at = { datasetId: source.dataSourceId, datasetType: source.dataSourceType, datasourceAlias: "source" };
      const fields = await fieldsOf(ctx.instanceId, at);
      const shown = fields.slice(0, 12);
      const config = DatasetConfig.parse({
        sources: [at],
        selectedFields: shown.map(({ apiName, displayName, dataType }, place) => ({
          alias: `c${place}`,
          displayName: displayName || apiName,
          apiName,
          dataType,
          datasourceAlias: "source",
        })),
      });
      const known = await catalogue(ctx.instanceId);
      const query = sayingProblems(() => resolveDataset(config, known));
      const columns = toldColumns(query);
      const counted: Query = {
        ...query,
        grouped: true,
        columns: [
          {
            name: "count",
            displayName: "count",
            dataType: "integer",
            expr: { kind: "aggregate", fn: "count", of: null, dataType: "integer" },
          },
        ],
      };
      const [sample, count] = await Promise.all([
        needs.engine.run({ instanceId: ctx.instanceId, statement: printQuery(query, printing(), 20), columns }),
        needs.engine.run({
          instanceId: ctx.instanceId,
          statement: printQuery(counted, printing()),
          columns: toldColumns(counted),
        }),
      ]);
      return { columns, rows: sample.rows, count: Number(count.rows[0]?.["count"] ?? 0) };
    },
  };
}

/** The parts of a configuration that follow from its other parts. */
function normalised(config: DatasetConfig): DatasetConfig {
  const first = config.sources[0];
  return {
    ...config,
    fromDataset: first ? `${first.datasetId}${SOURCE_SEPARATOR}${first.datasourceAlias}` : "",
    joins: config.joins.map((join) => ({ ...join, joinId: joinIdOf(join) })),
    limit: typeof config.limit === "number" ? Math.min(config.limit, DATASET_LIMITS.maxRows) : config.limit,
  };
}

function usesEntity(config: DatasetConfig, entityId: string, field?: string): boolean {
  const aliases = config.sources
    .filter((source) => source.datasetType === "ENTITY" && source.datasetId === entityId)
    .map(({ datasourceAlias }) => datasourceAlias);
  if (aliases.length === 0 || field === undefined) return aliases.length > 0;
  const text = JSON.stringify([config.filter ?? null, config.calculatedFields]);
  return (
    config.selectedFields.some((one) => aliases.includes(one.datasourceAlias) && one.apiName === field) ||
    config.joins.some((join) =>
      [join.field1, join.field2].some((side) => aliases.includes(side.datasourceAlias) && side.apiName === field),
    ) ||
    aliases.some((alias) => text.includes(`${alias}.${field}`)) ||
    text.includes(`"${field}"`)
  );
}

/** Api names of the entities a dataset reads, through the datasets below it too. */
export function entitiesOf(config: DatasetConfig, catalogue: Catalogue, depth = 0): string[] {
  if (depth > DATASET_LIMITS.depth) return [];
  const names = config.sources.flatMap((source) => {
    if (source.datasetType === "ENTITY") return catalogue.entity(source.datasetId)?.apiName ?? [];
    const below = catalogue.dataset(source.datasetId);
    return below ? entitiesOf(below.config, catalogue, depth + 1) : [];
  });
  return [...new Set(names)];
}
