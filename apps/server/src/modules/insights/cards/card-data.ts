/** Works out the data of a card: variables, statement, cache, freshness. Staff and people outside come through here. */
import {
  CARD_LIMITS,
  type CardQuery,
  type Catalogue,
  cardQuery,
  type DatasetFilter,
  fillTokens,
  filteredDataset,
  layerValues,
  postgres,
  readVariables,
  reductionOf,
  resolveDataset,
  variablesOf,
  withoutFoldCells,
} from "@accord/analytics-engine";
import { problemsOfCard } from "@accord/cards/definitions";
import type { Id } from "@accord/contracts";
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import type { Variable, VariableValues } from "@accord/contracts/insights/variables";
import type { Clock } from "../../../platform/clock.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { entitiesOf, TIME_ZONE } from "../datasets/index.ts";
import { type AnalyticsEngine, cardProblem, type QueryCaller, mapDatasetErrors } from "../engine/index.ts";
import { cardCache } from "./card-cache.ts";

export interface CardQuestion {
  instanceId: Id<"instance">;
  configuration: CardConfiguration;
  dataset: DatasetConfig;
  catalogue: Catalogue;
  /** Chosen values, the strongest layer first. */
  values: readonly (VariableValues | undefined)[];
  /** Only these rows of the dataset count. */
  filters?: readonly DatasetFilter[];
  principal: string;
  permissionVersion: string;
  refresh: boolean;
  caller: QueryCaller;
}

export interface CardAnswer {
  variables: Variable[];
  data: CardData;
}

const CACHE = { entries: 2_000, bytes: 64_000_000, lifeMs: 5 * 60_000 };

export type AnswerCard = (question: CardQuestion) => Promise<CardAnswer>;

/** @throws AppError `validation_failed` on an incomplete card, `dataset_invalid`, `query_timeout` */
export function cardAnswers(engine: AnalyticsEngine, clock: Clock): AnswerCard {
  const cache = cardCache<{ data: Omit<CardData, "label">; bytes: number }>({
    ...CACHE,
    monotonicMs: () => clock.monotonicMs(),
  });

  return async (question) => {
    const { configuration, dataset, catalogue, instanceId } = question;
    const problems = problemsOfCard(configuration);
    if (problems.length > 0) throw new AppError("validation_failed", {}, { errors: problems.map(cardProblem) });
    const variables = variablesOf(dataset, catalogue);
    const values = layerValues(...question.values, configuration.variablesMap);
    const query = mapDatasetErrors(() => {
      const all = resolveDataset(dataset, catalogue, { values, timeZone: TIME_ZONE });
      const now = clock.now().getTime();
      const rows = filteredDataset(all, question.filters ?? []);
      return cardQuery(configuration, rows, { dialect: postgres, timeZone: TIME_ZONE, now });
    });
    const entities = entitiesOf(dataset, catalogue);
    const key = {
      instanceId,
      principal: question.principal,
      permissionVersion: question.permissionVersion,
      dataVersion: await engine.dataVersion(instanceId, entities),
      question: [query.text, query.params, query.columns],
    };
    const { data } = await cache.get(key, question, async (signal) => {
      const caller = { client: question.caller.client, signal };
      const asked = { instanceId, statement: query, columns: query.columns, entities, caller };
      const { rows, bytes, dataAsOf = null } = await engine.run(asked);
      const isLimited = rows.length > query.rowLimit;
      const totalRows = isLimited ? await countRows(engine, instanceId, query, caller) : null;
      const data = {
        columns: query.columns,
        rows: rows.slice(0, query.rowLimit).map(withoutFoldCells),
        reduction: reductionOf(query.fold, rows, { isLimited, totalRows }),
        asOf: clock.now().toISOString(),
        dataAsOf,
      };
      return { data, bytes };
    });
    const chosen = readVariables(variables, values, TIME_ZONE).values;
    return { variables, data: { ...data, label: fillTokens(configuration.vizLabel, chosen) } };
  };
}

/** How many rows there are without the limit; null when they are too many to count, or counting takes too long. */
async function countRows(
  engine: AnalyticsEngine,
  instanceId: Id<"instance">,
  query: CardQuery,
  caller: QueryCaller,
): Promise<number | null> {
  const statement = query.count();
  try {
    const columns = [{ name: "total", dataType: "integer" }] as const;
    const { rows } = await engine.run({ instanceId, statement, columns, caller });
    const total = Number(rows[0]?.["total"] ?? 0);
    return total > CARD_LIMITS.countedRows ? null : total;
  } catch (error) {
    // The answer is there: it is only not known how much of the whole it is.
    if (error instanceof AppError && error.code === "query_timeout") return null;
    throw error;
  }
}
