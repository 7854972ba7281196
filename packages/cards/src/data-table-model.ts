/** Any card's data as a table: the columns of the answer under their names. */
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import { isNumberColumn } from "./definition.ts";
import { formatValue } from "./format.ts";
import type { TableModel } from "./table/model.ts";

export function dataTableModel(card: CardConfiguration, data: CardData, otherWord: string): TableModel {
  const axes = [...card.yaxis, card.value, card.measure, ...card.columns].filter((axis) => axis !== undefined);
  let value = 0;
  const columns = data.columns.map((column) => {
    const isValue = column.name.startsWith("y") || column.name.startsWith("c");
    const axis = isValue
      ? axes[value++]
      : column.name === "series"
        ? (card.series[0] ?? card.subCategory)
        : (card.xaxis ?? card.category ?? card.dataField);
    return { column, format: axis?.displayFormat, grain: axis?.grain };
  });
  return {
    columns: columns.map(({ column }) => ({
      key: column.name,
      title: column.displayName,
      isNumber: isNumberColumn(column),
      color: undefined,
    })),
    rows: data.rows.map((row) => ({
      values: columns.map(({ column }) => row[column.name]),
      texts: columns.map(({ column, format, grain }) => {
        if (column.name === "x" && row["other"] === true) return otherWord;
        if (column.name === "series" && row["otherSeries"] === true) return otherWord;
        return formatValue(row[column.name], { ...column, format, grain });
      }),
    })),
  };
}
