/** The groups that a columnar engine gives, as it is asked for them and as PostgreSQL takes them in. */
import { column, fixedSql, identifier, joinSql, sql, type SqlFragment } from "@accord/expressions";
import type { Aggregate } from "@accord/contracts/insights/dataset-config";
import type { Given } from "../query.ts";
import type { MirrorType } from "./can-mirror.ts";

/** A value of the records as DuckDB has it. */
export interface Typed {
  sql: SqlFragment;
  /** Of a text: in small letters. */
  folded: SqlFragment;
  /** Of a decimal: how many digits it is written with after the point. */
  scale: SqlFragment;
  type: MirrorType;
  /** References are ordered by their bytes. */
  isId: boolean;
}

const POSTGRES: Readonly<Record<MirrorType, string>> = {
  text: "text",
  bigint: "bigint",
  decimal: "numeric",
  boolean: "boolean",
  date: "date",
  timestamp: "timestamptz",
};

interface Part {
  /** In DuckDB. */
  computed: SqlFragment;
  isKey: boolean;
  /** In PostgreSQL, when its text arrives there. */
  type: string;
  /** The part that says how many digits this one is shown with. */
  scaleOf?: number;
}

const ALIAS = "given";
const nameOf = (index: number): string => `v${index}`;

export class GivenRows {
  readonly #parts: Part[] = [];
  readonly #columns: SqlFragment[] = [];
  readonly having: Given["having"] = [];
  /** Columns of the query; more are read by conditions alone. */
  count = 0;

  addKey({ sql: of, type, isId }: Typed): SqlFragment {
    const value = this.#part({ computed: of, isKey: true, type: POSTGRES[type] });
    return this.#column(isId && type === "text" ? sql`(${value} COLLATE "C")` : value);
  }

  addCount(of: SqlFragment): SqlFragment {
    return this.#column(this.#part({ computed: of, isKey: false, type: "bigint" }));
  }

  addAggregate(fn: Aggregate, of: Typed): SqlFragment {
    switch (fn) {
      case "count":
        return this.addCount(sql`count(${of.sql})`);
      case "countDistinct":
        return this.addCount(sql`count(DISTINCT ${of.sql})`);
      case "sum":
        return this.#column(this.#sum(of));
      case "avg": {
        // As PostgreSQL makes a mean: the exact sum by the count, then the nearest double.
        const total = this.#sum(of);
        const count = this.#part({ computed: sql`count(${of.sql})`, isKey: false, type: "bigint" });
        return this.#column(sql`(${total} / nullif(${count}, 0)::numeric)::double precision`);
      }
      case "min":
      case "max":
        return this.#column(
          this.#part({ computed: sql`${fixedSql(fn)}(${of.sql})`, isKey: false, type: POSTGRES[of.type] }),
        );
      default:
        throw new Error(`${fn} has no columnar form`);
    }
  }

  #sum(of: Typed): SqlFragment {
    const total: Part = { computed: sql`sum(${of.sql})`, isKey: false, type: "numeric" };
    if (of.type === "decimal") {
      // Shown with as many digits as the value that was written with the most of them.
      this.#part({ computed: sql`max(${of.scale})`, isKey: false, type: "integer" });
      total.scaleOf = this.#parts.length - 1;
    }
    return this.#part(total);
  }

  #part(part: Part): SqlFragment {
    this.#parts.push(part);
    return column(ALIAS, nameOf(this.#parts.length - 1));
  }

  #column(value: SqlFragment): SqlFragment {
    this.#columns.push(value);
    return value;
  }

  computed(): SqlFragment {
    return joinSql(
      this.#parts.map(({ computed }, index) => sql`${computed} AS ${identifier(nameOf(index))}`),
      ",\n  ",
    );
  }

  groupBy(): SqlFragment {
    const keys = this.#parts.flatMap(({ isKey }, index) => (isKey ? [String(index + 1)] : []));
    return fixedSql(keys.length === 0 ? "" : `\nGROUP BY ${keys.join(", ")}`);
  }

  /** Moments are kept in UTC. */
  texts(): SqlFragment {
    return joinSql(
      this.#parts.map(({ type }, index) => {
        const text = sql`CAST(${identifier(nameOf(index))} AS VARCHAR)`;
        return type === "timestamptz" ? sql`${text} || '+00'` : text;
      }),
      ", ",
    );
  }

  /** The groups as PostgreSQL reads them. */
  rows(values: readonly (readonly (string | null)[])[]): Given {
    const arrays = this.#parts.map(({ type, scaleOf }, index) => {
      const own = values[index] ?? [];
      const scales = scaleOf === undefined ? undefined : values[scaleOf];
      const texts = scales ? own.map((text, row) => withScale(text, Number(scales[row]))) : own;
      return sql`${texts}::${fixedSql(type)}[]`;
    });
    const names = this.#parts.map((_, index) => identifier(nameOf(index)));
    return {
      columns: this.#columns.slice(0, this.count),
      from: sql`unnest(${joinSql(arrays, ", ")}) AS ${identifier(ALIAS)}(${joinSql(names, ", ")})`,
      having: this.having,
    };
  }
}

/** The digits after the point cut to `scale`; those cut are zeros. */
export function withScale(text: string | null, scale: number): string | null {
  const point = text?.indexOf(".") ?? -1;
  if (text === null || point < 0) return text;
  return text.slice(0, scale === 0 ? point : point + 1 + scale);
}
