/**
 * Splits a grouped query in two: the groups and their sums, which a columnar engine (DuckDB) makes from its copy of the
 * records, and the rest, which PostgreSQL makes of those groups: conditions on them, means, order, ranks, limits, texts.
 * What is given back is null unless the two together give what PostgreSQL alone would.
 */
import {
  columnarPredicateSql,
  fixedSql,
  identifier,
  joinSql,
  printSql,
  sql,
  type SqlFragment,
} from "@accord/expressions";
import type { Relation } from "../catalogue.ts";
import type { PrintOptions } from "../print.ts";
import type { Condition, Expr, Query, Table, ValueFilter } from "../query.ts";
import { canAggregate, canGroup, type MirrorType, mirrorType } from "./can-mirror.ts";
import { foldedName, mirrorName, scaleName } from "./mirror-names.ts";
import { GivenRows, type Typed } from "./given-rows.ts";
import type { ColumnarPlan, MirrorColumn, Statement } from "./statement.ts";

/** `print` prints the query with the rows that it is given in place of its tables. */
export function columnarPlan(
  query: Query,
  { isOrdered, ...options }: PrintOptions & { isOrdered: boolean },
  print: (rest: Query) => Statement,
): ColumnarPlan | null {
  if (!query.grouped) return null;
  const reads = readsOf(query);
  if (!reads) return null;
  const keys = query.columns.flatMap(({ expr }, at) => (isKey(expr) ? [at] : []));
  // Where some groups are left out, or come in no order, PostgreSQL may choose among equal ones.
  if (!isOrdered && keys.length > 0 && !keys.every((key) => query.orderBy.some(({ column }) => column === key)))
    return null;
  const planner = new Planner(reads, options);
  const given = planner.given(query);
  const from = planner.from(query);
  const where = planner.where(query);
  if (!given || !from || !where) return null;
  const inner = sql`SELECT ${given.computed()}\nFROM ${from}${where}${given.groupBy()}`;
  const { text, params } = printSql(sql`SELECT ${given.texts()}\nFROM (\n${inner}\n) AS "groups"`);
  return {
    text,
    params: params.map(String),
    reads: [...reads.values()].map(({ relation, columns }) => ({ relation, columns: [...columns.values()] })),
    finish: (columns) => print({ ...query, given: given.rows(columns) }),
  };
}

const isKey = (expr: Expr): boolean => expr.kind !== "aggregate";

interface Read {
  relation: Relation;
  columns: Map<string, MirrorColumn>;
}
type Reads = Map<string, Read>;

/** By alias; null where something else than records is read. */
function readsOf(query: Query): Reads | null {
  const reads: Reads = new Map();
  for (const table of [query.from, ...query.joins.map((join) => join.table)]) {
    if (!("relation" in table)) return null;
    reads.set(table.alias, { relation: table.relation, columns: new Map() });
  }
  return reads;
}

class Planner {
  readonly #reads: Reads;
  readonly #options: PrintOptions;

  constructor(reads: Reads, options: PrintOptions) {
    this.#reads = reads;
    this.#options = options;
  }

  /** The groups, with what the conditions on them read. */
  given(query: Query): GivenRows | null {
    const rows = new GivenRows();
    for (const { expr } of query.columns) if (!this.#add(rows, expr)) return null;
    for (const condition of query.having) {
      const fields = new Map<string, SqlFragment>();
      for (const [name, expr] of condition.fields) {
        const place = expr.kind === "aggregate" ? this.#add(rows, expr) : null;
        if (!place) return null;
        fields.set(name, place);
      }
      rows.having.push({ condition, fields });
    }
    rows.count = query.columns.length;
    return rows;
  }

  #add(rows: GivenRows, expr: Expr): SqlFragment | null {
    if (expr.kind !== "aggregate") {
      const typed = this.#value(expr);
      return typed && canGroup(typed.type) ? rows.addKey(typed) : null;
    }
    if (expr.of === null) return rows.addCount(fixedSql("count(*)"));
    const of = this.#value(expr.of);
    return of && canAggregate(expr.fn, of.type) ? rows.addAggregate(expr.fn, of) : null;
  }

  #value(expr: Expr): Typed | null {
    if (expr.kind === "bucket") {
      const of = this.#value(expr.of);
      // Of moments the copy holds UTC alone.
      if (!of || (of.type === "timestamp" && this.#options.timeZone !== "UTC")) return null;
      const cut = sql`date_trunc(${fixedSql(`'${expr.grain}'`)}, ${of.sql})::DATE`;
      return { ...of, sql: cut, type: "date" };
    }
    if (expr.kind !== "column") return null;
    const type = mirrorType(expr.dataType, expr.multi ?? false);
    const read = this.#reads.get(expr.table);
    if (!type || !read) return null;
    if (!read.columns.has(expr.name)) read.columns.set(expr.name, { name: expr.name, type, isFolded: false });
    const at = (name: string): SqlFragment => sql`${tableName(expr.table)}.${identifier(name)}`;
    return {
      sql: at(mirrorName(expr.name)),
      folded: at(foldedName(expr.name)),
      scale: at(scaleName(expr.name)),
      type,
      isId: expr.dataType === "reference",
    };
  }

  from(query: Query): SqlFragment | null {
    let from = tableSql(query.from);
    for (const { type, table, on } of query.joins) {
      const pairs: SqlFragment[] = [];
      for (const [left, right] of on) {
        const [one, other] = [this.#value(left), this.#value(right)];
        if (!one || !other || one.type !== other.type) return null;
        pairs.push(sql`${one.sql} = ${other.sql}`);
      }
      from = sql`${from}\n${fixedSql(type)} JOIN ${tableSql(table)} ON ${joinSql(pairs, " AND ")}`;
    }
    return from;
  }

  where({ where, among = [] }: Query): SqlFragment | null {
    const parts = [...where.map((one) => this.#condition(one)), ...among.map((one) => this.#filter(one))];
    const known = parts.filter((part) => part !== null);
    if (known.length < parts.length) return null;
    return known.length === 0 ? fixedSql("") : sql`\nWHERE ${joinSql(known, "\n  AND ")}`;
  }

  #condition({ predicate, fields, variables }: Condition): SqlFragment | null {
    const columns = new Map<string, Typed & { expr: Expr }>();
    for (const [name, expr] of fields) {
      const typed = this.#value(expr);
      if (!typed || expr.kind !== "column") return null;
      columns.set(name, { ...typed, expr });
      const column = this.#reads.get(expr.table)?.columns.get(expr.name);
      if (column && typed.type === "text" && !typed.isId) column.isFolded = true;
    }
    return columnarPredicateSql(predicate, {
      column: (name) => {
        const found = columns.get(name);
        return found && { sql: found.sql, folded: found.folded, dataType: found.expr.dataType };
      },
      variable: (name) => variables.get(name),
      hasVariable: (name) => variables.has(name),
      timeZone: this.#options.timeZone,
      now: this.#options.now,
    });
  }

  /** Values compared as groups are: letter by letter, blank with blank alone. */
  #filter({ marks }: ValueFilter): SqlFragment | null {
    const any: SqlFragment[] = [];
    for (const groups of marks) {
      const all: SqlFragment[] = [];
      for (const { expr, values, isOthers } of groups) {
        const of = this.#value(expr);
        const type = of && VALUE_TYPES[of.type];
        if (!of || !type) return null;
        const texts = values.map((value) => (value === null ? null : String(value)));
        if (texts.some((text) => text !== null && !type.fits(text))) return null;
        const equal = texts.map((text) =>
          text === null ? sql`${of.sql} IS NULL` : sql`${of.sql} = ${text}::${fixedSql(type.name)}`,
        );
        const one = equal.length === 0 ? fixedSql("FALSE") : sql`(${joinSql(equal, " OR ")})`;
        all.push(isOthers ? sql`(${one} IS NOT TRUE)` : one);
      }
      any.push(sql`(${joinSql(all, " AND ", "TRUE")})`);
    }
    return any.length === 0 ? fixedSql("FALSE") : sql`(${joinSql(any, " OR ")})`;
  }
}

/** Values of marks that mean the same in both engines. Moments are cut to milliseconds in answers: not here. */
const VALUE_TYPES: Partial<Record<MirrorType, { name: string; fits: (text: string) => boolean }>> = {
  text: { name: "VARCHAR", fits: () => true },
  bigint: { name: "BIGINT", fits: (text) => /^-?\d{1,18}$/.test(text) },
  boolean: { name: "BOOLEAN", fits: (text) => /^(true|false)$/.test(text) },
  date: { name: "DATE", fits: isDay },
};

/** Of the calendar: of others DuckDB makes an error. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith("0000")) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

const tableName = (alias: string): SqlFragment => identifier(mirrorName(alias));

function tableSql(table: Table): SqlFragment {
  if (!("relation" in table)) throw new Error("only records are mirrored");
  const { name, deletedColumn } = table.relation;
  const records = identifier(mirrorName(name));
  const standing = deletedColumn
    ? sql`(SELECT * FROM ${records} WHERE NOT ${identifier(mirrorName(deletedColumn))})`
    : records;
  return sql`${standing} AS ${tableName(table.alias)}`;
}
