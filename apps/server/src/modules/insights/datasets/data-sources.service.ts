/** What the editor of datasets looks at: the fields of a source, its rows, the result so far, fitting joins, functions. */
import {
  planQuery,
  postgres,
  printQuery,
  type Query,
  resolveDataset,
  suggestJoinsBetween,
  describeColumns,
} from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import {
  DatasetConfig,
  type DatasetSource,
  type DatasourceType,
  type DataSourceField,
  SOURCE_SEPARATOR,
} from "@accord/contracts/insights/dataset-config";
import type { VariableValues } from "@accord/contracts/insights/variables";
import { FORMULA_FUNCTIONS } from "@accord/expressions";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { type AnalyticsEngine, queryCaller, mapDatasetErrors } from "../engine/index.ts";
import { TIME_ZONE } from "./dataset-config.ts";
import { resolveInTurns } from "./resolve-in-turns.ts";
import type { StoredDatasets } from "./stored-datasets.ts";

type DatasetId = Id<"dataset">;

/** A source by what names it in a question. */
interface NamedSource {
  dataSourceId: string;
  dataSourceType: DatasourceType;
}

/** Adds what follows from the rest of a configuration. */
type CompleteConfig = (ctx: Ctx, config: DatasetConfig, id?: DatasetId) => Promise<DatasetConfig>;

/** Rows that stand for a source. */
const SAMPLE_ROWS = 20;
const SAMPLE_COLUMNS = 12;

export function dataSourcesService(
  deps: Pick<Deps, "clock">,
  { engine, stored, complete }: { engine: AnalyticsEngine; stored: StoredDatasets; complete: CompleteConfig },
) {
  const { catalogue, read } = stored;
  const printing = () => ({ dialect: postgres, timeZone: TIME_ZONE, now: deps.clock.now().getTime() });

  return {
    async fields(ctx: Ctx, query: NamedSource & { alias?: string | undefined }) {
      const known = await catalogue(ctx.instanceId);
      const source =
        query.dataSourceType === "ENTITY"
          ? known.entity(query.dataSourceId)?.apiName
          : known.dataset(query.dataSourceId)?.name;
      const datasourceAlias = query.alias ?? source ?? "source";
      const dataSourceFields = await fieldsOf(stored, ctx.instanceId, {
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
      const config = await complete(ctx, body.datasetConfig, body.datasetId);
      const known = await catalogue(ctx.instanceId);
      const query = mapDatasetErrors(() =>
        planQuery(
          resolveDataset(config, known, {
            values: body.variablesMap,
            ...(body.datasetId ? { datasetId: body.datasetId } : {}),
          }),
        ),
      );
      const columns = describeColumns(query);
      const statement = mapDatasetErrors(() => printQuery(query, printing(), body.rows + 1));
      const caller = queryCaller(ctx);
      const { rows } = await engine.run({ instanceId: ctx.instanceId, statement, columns, caller });
      return {
        columns,
        rows: rows.slice(0, body.rows),
        truncated: rows.length > body.rows,
        asOf: deps.clock.now().toISOString(),
        sql: statement.text,
      };
    },

    async suggestJoins(ctx: Ctx, sources: DatasetSource[]) {
      const known = await catalogue(ctx.instanceId);
      const ids = sources.map(({ datasetId }) => datasetId);
      await resolveInTurns(ids, known);
      return suggestJoinsBetween(sources, known);
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

    async sample(ctx: Ctx, source: NamedSource) {
      const at = { datasetId: source.dataSourceId, datasetType: source.dataSourceType, datasourceAlias: "source" };
      const config = sampleOf(at, await fieldsOf(stored, ctx.instanceId, at));
      const known = await catalogue(ctx.instanceId);
      const query = mapDatasetErrors(() => resolveDataset(config, known));
      const columns = describeColumns(query);
      const counted = countOf(query);
      const asked = { instanceId: ctx.instanceId, caller: queryCaller(ctx) };
      const [sample, count] = await Promise.all([
        engine.run({ ...asked, statement: printQuery(query, printing(), SAMPLE_ROWS), columns }),
        engine.run({ ...asked, statement: printQuery(counted, printing()), columns: describeColumns(counted) }),
      ]);
      return { columns, rows: sample.rows, count: Number(count.rows[0]?.["count"] ?? 0) };
    },
  };
}

/** The fields that a source offers, each with the names formulas know it by. */
async function fieldsOf(stored: StoredDatasets, at: Id<"instance">, source: DatasetSource): Promise<DataSourceField[]> {
  const known = await stored.catalogue(at);
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
  const dataset = known.dataset(source.datasetId);
  if (!dataset) throw new AppError("not_found", { what: "Dataset" });
  const { columns } = mapDatasetErrors(() => resolveDataset(dataset.config, known, { datasetId: source.datasetId }));
  return columns.map(({ name, displayName, dataType }) => ({ ...field(name), displayName, dataType }));
}

/** A dataset of the first fields of a source. */
const sampleOf = (source: DatasetSource, fields: readonly DataSourceField[]): DatasetConfig =>
  DatasetConfig.parse({
    sources: [source],
    selectedFields: fields.slice(0, SAMPLE_COLUMNS).map(({ apiName, displayName, dataType }, place) => ({
      alias: `c${place}`,
      displayName: displayName || apiName,
      apiName,
      dataType,
      datasourceAlias: source.datasourceAlias,
    })),
  });

/** How many rows a query has. */
const countOf = (query: Query): Query => ({
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
});
