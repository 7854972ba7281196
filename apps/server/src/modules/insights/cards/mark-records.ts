/** Works out the records behind a mark of a card: the filter, and whether it selects exactly them. */
import {
  type Catalogue,
  exactPredicateOf,
  filteredDataset,
  layerValues,
  markFilter,
  NoRecordsError,
  postgres,
  predicateOf,
  recordsCheck,
  resolveDataset,
  UnknownColumnError,
} from "@accord/analytics-engine";
import { problemsOfCard } from "@accord/cards/definitions";
import type { Id } from "@accord/contracts";
import { id } from "@accord/contracts/ids";
import { MAX_FILTER_IN_ADDRESS } from "@accord/contracts/data/predicate";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import type { CardMark, MarkRecords, NoRecordsReason } from "@accord/contracts/insights/mark-records";
import { fieldsOf } from "@accord/expressions";
import type { Clock } from "../../../platform/clock.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import { TIME_ZONE } from "../datasets/index.ts";
import { type AnalyticsEngine, cardProblem, mapDatasetErrors, systemFieldName } from "../engine/index.ts";
import type { CardQuestion } from "./card-data.ts";

export interface MarkQuestion extends Pick<
  CardQuestion,
  "instanceId" | "configuration" | "dataset" | "catalogue" | "values" | "filters" | "caller"
> {
  mark: CardMark;
}

export type FindMarkRecords = (question: MarkQuestion) => Promise<MarkRecords>;

/** @throws AppError `validation_failed` on an incomplete card or a mark that is none of its own, `dataset_invalid`, `query_timeout` */
export function markRecords(engine: AnalyticsEngine, clock: Clock): FindMarkRecords {
  const options = () => ({ dialect: postgres, timeZone: TIME_ZONE, now: clock.now().getTime() });

  const ask = ({ configuration, dataset, catalogue, values, filters = [], mark }: MarkQuestion) => {
    const chosen = layerValues(...values, configuration.variablesMap);
    const all = resolveDataset(dataset, catalogue, { values: chosen, timeZone: TIME_ZONE });
    const query = filteredDataset(all, filters);
    const filter = markFilter(configuration, query, mark);
    const predicate = predicateOf(filter);
    const [system] = (predicate ? fieldsOf(predicate) : []).flatMap((name) => systemFieldName(name) ?? []);
    if (system !== undefined) throw new NoRecordsError("system_field", system);
    return { filter, statement: recordsCheck(filter, options()) };
  };

  async function find(question: MarkQuestion): Promise<MarkRecords> {
    const { filter, statement } = mapDatasetErrors(() => ask(question));
    const { instanceId, caller, dataset, catalogue } = question;
    const columns = statement.cells.map(({ name }) => ({ name, dataType: "integer" as const }));
    const { rows } = await engine.run({ instanceId, statement, columns, caller });
    const counted = (name: string): number => Number(rows[0]?.[name] ?? 0);
    if (counted("wrong") > 0 && counted("wrongExact") > 0) return none("similar_values");
    const predicate = counted("wrong") === 0 ? predicateOf(filter) : exactPredicateOf(filter);
    if (JSON.stringify(predicate).length > MAX_FILTER_IN_ADDRESS) return none("filter_too_long");
    return { kind: "records", entityId: rootEntity(dataset, catalogue), predicate, count: counted("count") };
  }

  return async (question) => {
    const problems = problemsOfCard(question.configuration);
    if (problems.length > 0) throw new AppError("validation_failed", {}, { errors: problems.map(cardProblem) });
    try {
      return await find(question);
    } catch (error) {
      if (error instanceof NoRecordsError) return none(error.reason, error.field);
      if (error instanceof UnknownColumnError)
        throw invalidField("mark", `names the column “${error.column}”, which the card's answer does not have`);
      throw error;
    }
  };
}

const none = (reason: NoRecordsReason, name = ""): MarkRecords => ({ kind: "none", reason, name });

const EntityId = id("entity");

/** The entity whose records a dataset starts from, through the datasets below it. */
function rootEntity({ sources }: DatasetConfig, catalogue: Catalogue): Id<"entity"> {
  const [first] = sources;
  const below = first?.datasetType === "DATASET" ? catalogue.dataset(first.datasetId) : undefined;
  return below ? rootEntity(below.config, catalogue) : EntityId.parse(first?.datasetId);
}
