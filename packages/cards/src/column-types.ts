/** What a column of a dataset may stand for on a card, by its type. */
import type { DataType } from "@accord/contracts/data/values";
import type { DisplayFormat } from "@accord/contracts/insights/cards";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";

const NUMBERS: ReadonlySet<DataType> = new Set(["integer", "double", "decimal"]);

/** Whether a column may stand where a number is wanted. */
export const isNumberColumn = (column: Pick<DatasetColumn, "dataType">): boolean => NUMBERS.has(column.dataType);

const DATES: ReadonlySet<DataType> = new Set(["date", "datetime", "timestamp"]);

export const isDateColumn = (column: Pick<DatasetColumn, "dataType">): boolean => DATES.has(column.dataType);

/** The format a freshly chosen column gets. */
export const formatOf = (column: Pick<DatasetColumn, "dataType">): DisplayFormat =>
  isNumberColumn(column) ? "number" : "text";
