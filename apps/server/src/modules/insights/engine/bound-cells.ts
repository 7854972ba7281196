/** Bounds each value of an answer where the database makes it: a few long texts would fill the memory of this process. */
import { MAX_CELL_LENGTH, type Statement } from "@accord/analytics-engine";
import { fixedSql, identifier, joinSql, type SqlFragment, sql } from "@accord/expressions";

type Cell = Statement["cells"][number];

/** The statement with longer texts cut to `MAX_CELL_LENGTH` characters, of which the last is an ellipsis. */
export function boundCells({ text, params, cells }: Statement): { text: string; params: unknown[] } {
  const columns = joinSql(cells.map(cellSql), ", ").strings.join("");
  return { text: `SELECT ${columns} FROM (\n${text}\n) AS "answer"`, params };
}

const MAX = fixedSql(String(MAX_CELL_LENGTH));
const SHOWN = fixedSql(String(MAX_CELL_LENGTH - 1));
const ELLIPSIS = fixedSql("'…'");

function cellSql({ name, type }: Cell): SqlFragment {
  const value = identifier(name);
  switch (type) {
    case "text":
      // Bytes first: they are known without reading the text.
      return sql`CASE WHEN octet_length(${value}) > ${MAX} AND char_length(${value}) > ${MAX} THEN left(${value}, ${SHOWN}) || ${ELLIPSIS} ELSE ${value} END AS ${value}`;
    case "json":
      return sql`CASE WHEN octet_length(${value}::text) > ${MAX} THEN to_jsonb(left(${value}::text, ${SHOWN}) || ${ELLIPSIS}) ELSE ${value} END AS ${value}`;
    case "plain":
      return value;
  }
}
