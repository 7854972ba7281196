/** The statement of an export: of a saved dataset as it is now, with the values of its variables. */
import {
  describeColumns,
  MAX_CELL_LENGTH,
  planQuery,
  postgres,
  printQuery,
  type Query,
  resolveDataset,
  type Statement,
} from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import type { Dataset } from "@accord/contracts/insights/datasets";
import type { VariableValues } from "@accord/contracts/insights/variables";
import type { Deps } from "../../../../platform/deps.ts";
import { mapDatasetErrors, type RawRow } from "../../engine/index.ts";
import { normalised, TIME_ZONE } from "../dataset-config.ts";
import type { StoredDatasets } from "../stored-datasets.ts";
import { ExportRefusal, readable } from "./export-file.ts";

export interface CompiledExport {
  dataset: Dataset;
  columns: DatasetColumn[];
  statement: Statement;
  /** @throws ExportRefusal for a text that was cut while it was computed. */
  check(rows: readonly RawRow[]): void;
}

export type CompileExport = (
  instanceId: Id<"instance">,
  datasetId: Id<"dataset">,
  values: VariableValues,
) => Promise<CompiledExport>;

/** @throws AppError `not_found`, `dataset_invalid` */
export const exportCompiler =
  ({ clock }: Pick<Deps, "clock">, stored: StoredDatasets): CompileExport =>
  async (instanceId, datasetId, values) => {
    const dataset = await stored.read(instanceId, datasetId);
    const known = await stored.catalogue(instanceId);
    return mapDatasetErrors(() => {
      const query = planQuery(resolveDataset(normalised(dataset.datasetConfig), known, { values, datasetId }));
      const columns = describeColumns(query);
      const printing = { dialect: postgres, timeZone: TIME_ZONE, now: clock.now().getTime() };
      const check = computesTexts(query) ? (rows: readonly RawRow[]) => refuseCutTexts(rows, columns) : () => {};
      return { dataset, columns, statement: printQuery(query, printing), check };
    });
  };

/** Whether a formula or a list of texts makes values, here or in a dataset below. */
function computesTexts({ columns, from, joins }: Query): boolean {
  const tables = [from, ...joins.map(({ table }) => table)];
  if (tables.some((table) => "statement" in table)) return true;
  const below = tables.flatMap((table) => ("query" in table ? [table.query] : []));
  const isComputed = columns.some(
    ({ expr }) => expr.kind === "formula" || (expr.kind === "aggregate" && expr.fn === "textList"),
  );
  return isComputed || below.some(computesTexts);
}

/** Computing goes on with one character more than is kept: a text of that length was longer. */
function refuseCutTexts(rows: readonly RawRow[], columns: readonly DatasetColumn[]): void {
  for (const row of rows)
    row.forEach((text, index) => {
      if (text === null || text.length <= MAX_CELL_LENGTH) return;
      if (Array.from(text).length !== MAX_CELL_LENGTH + 1) return;
      const column = columns[index]?.displayName ?? "";
      throw new ExportRefusal("computed_text", { column, limit: readable(MAX_CELL_LENGTH) });
    });
}
