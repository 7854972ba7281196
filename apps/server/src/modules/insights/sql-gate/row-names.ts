/**
 * PostgreSQL reads `alias.name` as the function `name` of the whole row where there is no such column. The row of a function
 * after FROM is the plain value it gives, so that any function of one value could be called in this way; other rows are
 * records, which only some functions take.
 */

/** Columns that functions after FROM name themselves. None of these names is a function. */
const OWN_COLUMNS = ["ordinality", "key", "value"];

/** Functions of any row: they would make one text or list of whole tables. */
const RECORD_FUNCTIONS: ReadonlySet<string> = new Set([
  ...["array_agg", "any_value", "hash_record", "json_agg", "json_agg_strict", "jsonb_agg", "jsonb_agg_strict"],
  ...["pg_column_compression", "pg_column_size", "pg_typeof", "record_out", "record_send", "row_to_json", "to_json"],
  "to_jsonb",
]);

interface NamedColumn {
  table: string;
  name: string;
  /** In UTF-16 units. */
  at: number;
}

/** Of a whole statement: where one alias stands for several sources, only what is a column of each of them is one. */
export class RowNames {
  readonly #columns: NamedColumn[] = [];
  readonly #sources = new Map<string, ReadonlySet<string>>();

  /** A column that is named with its table. */
  column(column: NamedColumn): void {
    this.#columns.push(column);
  }

  /** A function after FROM, and the columns that its rows have for sure. */
  source(alias: string, columns: readonly string[]): void {
    const known = this.#sources.get(alias);
    this.#sources.set(alias, new Set(known ? columns.filter((name) => known.has(name)) : columns));
  }

  /** The first that is, or may be, the call of a function. A column without a name is all of them (`alias.*`). */
  call(): NamedColumn | undefined {
    return this.#columns.find(({ table, name }) => {
      if (name === "") return false;
      const columns = this.#sources.get(table);
      return columns ? !columns.has(name) && !OWN_COLUMNS.includes(name) : RECORD_FUNCTIONS.has(name);
    });
  }
}
