/** Finds out which field a refusal of one row is about where the database does not say, and what would be taken. */
import { ConnectorError } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import { sqlStateOf, type PostgresClient } from "../client.ts";
import type { PostgresConfig } from "../config.ts";
import { quoteName } from "../quote-name.ts";
import { sourceOf } from "../reading/source.ts";
import { writtenValues } from "../values.ts";
import { NOT_WRITTEN, type RefusedRow, type Table } from "./refusals.ts";

/** Statements of one request that look for fields: the refusals of further rows stay as the database words them. */
const MAX_STATEMENTS = 24;
/** The longest time that one request looks for fields. */
const MAX_MS = 5_000;
/** Characters of a constraint's condition that a message shows. */
const MAX_CONDITION_LENGTH = 300;
/** Options that a message names. */
const MAX_OPTIONS = 20;

/**
 * Adds the fields, the condition of a check, and what to do next to outcomes that no other row is the reason of. What
 * can't be found out stays as it is.
 */
export async function explainValues(table: Table, refused: readonly RefusedRow[]): Promise<void> {
  if (refused.length === 0) return;
  const explained = new Explainer(table);
  for (const row of refused) {
    try {
      await explained.add(row);
    } catch (error) {
      // The refusal itself is known, and answered.
      if (!(error instanceof ConnectorError)) throw error;
    }
  }
}

interface Check {
  columns: string[];
  condition: string;
}

class Explainer {
  readonly #table: Table;
  readonly #checks = new Map<string, Check | null>();
  readonly #until = performance.now() + MAX_MS;
  #statements = 0;

  constructor(table: Table) {
    this.#table = table;
  }

  async add({ operation, outcome, cause }: RefusedRow): Promise<void> {
    const state = cause.code ?? "";
    const isCheck = state === "23514" && cause.table !== undefined;
    const isRequired = state === "23502" && cause.column !== undefined;
    if (!state.startsWith("22") && state !== "23514" && !isRequired) return;
    const values = operation.kind === "delete" ? {} : operation.values;
    const check = isCheck ? await this.#checkOf(cause.schema, cause.table, cause.constraint) : null;
    if (check) {
      const [only] = check.columns;
      if (only !== undefined && check.columns.length === 1) outcome.field = only;
      outcome.message += ` ${fieldsOf(check.columns)}the condition is ${check.condition}. ${NOT_WRITTEN} Change the value, or the constraint, and try again.`;
      return;
    }
    const field = isRequired ? cause.column : isCheck ? undefined : await this.#refusedField(values);
    if (field === undefined) {
      outcome.message += ` ${NOT_WRITTEN}`;
      return;
    }
    outcome.field = field;
    const next = isRequired ? "Give it a value" : `Change the value${this.#takenBy(field)}`;
    outcome.message += ` The field is ${field}. ${NOT_WRITTEN} ${next}, or the column, and try again.`;
  }

  /** The columns and the condition of a check of the table, from the catalogue; asked once for each. */
  async #checkOf(schema = "", name = "", constraint = ""): Promise<Check | null> {
    const key = JSON.stringify([schema, name, constraint]);
    const known = this.#checks.get(key);
    if (known !== undefined || !this.#mayAsk()) return known ?? null;
    const rows = await this.#table.client.query(CHECK, [schema, name, constraint]);
    const condition = (rows[0]?.[0] ?? "").slice(0, MAX_CONDITION_LENGTH);
    const check = condition === "" ? null : { condition, columns: rows.flatMap(([, column]) => column ?? []) };
    this.#checks.set(key, check);
    return check;
  }

  /** The first field whose value the column's type does not take: halves of the row are converted, nothing is written. */
  async #refusedField(values: Values): Promise<string | undefined> {
    const { config, entity, client } = this.#table;
    const fields = new Map(entity.fields.map((field) => [field.apiName, field]));
    const written = writtenValues(fields, values);
    let names = Object.keys(written).filter((name) => written[name] !== null);
    if (!(await this.#isRefused(client, config, written, names))) return undefined;
    while (names.length > 1) {
      const half = names.slice(0, names.length >> 1);
      names = (await this.#isRefused(client, config, written, half)) ? half : names.slice(half.length);
    }
    return names[0];
  }

  async #isRefused(
    client: PostgresClient,
    config: PostgresConfig,
    values: Values,
    names: readonly string[],
  ): Promise<boolean> {
    if (!this.#mayAsk()) throw new ConnectorError("timeout", "The field was not looked for any longer.");
    const { relation } = sourceOf(config, this.#table.entity, []);
    const row = Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
    // Only these columns are converted, each by its type and length.
    const columns = names.map((name) => `x.${quoteName(name)} IS NULL`).join(", ");
    try {
      await client.query(`SELECT ${columns} FROM jsonb_populate_record(NULL::${relation}, $1::jsonb) AS x`, [
        JSON.stringify(row),
      ]);
      return false;
    } catch (error) {
      if (error instanceof ConnectorError && /^2[23]/.test(sqlStateOf(error.cause))) return true;
      throw error;
    }
  }

  #takenBy(name: string): string {
    const options = this.#table.entity.fields.find(({ apiName }) => apiName === name)?.picklist ?? [];
    if (options.length === 0) return "";
    const more = options.length > MAX_OPTIONS ? ", …" : "";
    const named = options.slice(0, MAX_OPTIONS).map(({ id }) => id);
    return ` to one of ${named.join(", ")}${more}`;
  }

  #mayAsk(): boolean {
    this.#statements += 1;
    return this.#statements <= MAX_STATEMENTS && performance.now() < this.#until;
  }
}

const CHECK = `
  SELECT pg_get_constraintdef(r.oid), a.attname
  FROM pg_constraint r JOIN pg_class c ON c.oid = r.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN LATERAL unnest(r.conkey) WITH ORDINALITY AS k(attnum, position) ON true
  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
  WHERE n.nspname = $1 AND c.relname = $2 AND r.conname = $3 AND r.contype = 'c' ORDER BY k.position`;

const fieldsOf = (columns: readonly string[]): string => {
  if (columns.length === 0) return "Of it ";
  return columns.length === 1 ? `The field is ${columns.join()}; ` : `The fields are ${columns.join(", ")}; `;
};
