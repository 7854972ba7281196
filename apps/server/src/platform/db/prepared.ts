/** Statements of stores are planned once per connection, not once per call: small reads spend most of their time there. */
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";

/** Texts that get a name, first come. Lists of varying length make texts without end; those go unnamed. */
const NAMES_KEPT = 500;
const names = new Map<string, string>();

/** Rows up to which a plan is kept that knows nothing of their number: for more, the planner had better see them. */
const FEW = 20;

/**
 * A raw statement, prepared under a name of its own text where it concerns few `rows`, so that no two statements share
 * one. Not for results with columns that a schema change may give another type, except by `queryPrepared`.
 */
export function prepared(text: string, values: unknown[], rows = 0): pg.QueryConfig {
  const name = rows > FEW ? undefined : nameOf(text);
  return name === undefined ? { text, values } : { name, text, values };
}

/** The same, outside of transactions: read again where its tables have been changed since it was prepared. */
export const queryPrepared = (pool: pg.Pool, text: string, values: unknown[], rows = 0): Promise<pg.QueryResult> =>
  orPlannedAnew(pool.query(prepared(text, values, rows)), () => pool.query(text, values));

/** Another server has migrated the tables meanwhile, or a field has another type: the plan of before doesn't fit. */
const orPlannedAnew = <Result>(asked: Promise<Result>, anew: () => Promise<Result>): Promise<Result> =>
  asked.catch((error: unknown) => {
    if (!(error instanceof Error) || !error.message.startsWith("cached plan must not change")) throw error;
    return anew();
  });

/** The same pool for Kysely, with each statement prepared under a name. Raw use of the pool is not changed. */
export function preparing(pool: pg.Pool): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      const wrapped = known.get(client) ?? wrap(client);
      known.set(client, wrapped);
      return wrapped;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

function wrap(client: pg.PoolClient): PostgresPoolClient {
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(first: unknown, values: readonly unknown[] = []): unknown {
    if (typeof first !== "string") throw new TypeError("a store reads pages, not cursors");
    const name = values.length > 0 ? nameOf(first) : undefined;
    if (name === undefined) return client.query(first, [...values]);
    return orPlannedAnew(client.query({ name, text: first, values: [...values] }), () =>
      client.query(first, [...values]),
    );
  }
  return { query, release: (destroy) => client.release(destroy) };
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= NAMES_KEPT) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
