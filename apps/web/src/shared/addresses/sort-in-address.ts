/** The order of a table in addresses: the id of a column, `-` before it for descending. */
import type { Sort } from "@accord/ui";

export const readSort = (text: string | undefined): Sort | undefined =>
  text === undefined || text === ""
    ? undefined
    : { column: text.replace(/^-/, ""), direction: text.startsWith("-") ? "descending" : "ascending" };

export const writeSort = (sort: Sort | undefined): string | undefined =>
  sort && `${sort.direction === "descending" ? "-" : ""}${sort.column}`;
