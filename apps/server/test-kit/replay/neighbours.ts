/** Rows of other pipelines, about the same external ids and records as a history's: nobody may see or touch them. */
import type { RecordedRun } from "@accord/sync-simulation";
import type { Pool } from "../../src/platform/db/db.ts";
import { lineOf } from "./plain-answers.ts";
import { INSTANCE } from "../sync-world/sync-world.ts";

const SCHEMA = `"i_${INSTANCE}"`;
const OTHER = "fedcba9876543210fedcba98";
const OTHER_INSTANCE = "elsewhere";

/** Tables with a place; the last one's rows belong to pipelines. */
const TABLES = [
  "link",
  "delivery",
  "quarantine",
  "pending_reference",
  "waiting_reference",
  "conflict",
  "missing_record",
  "unlinked_record",
] as const;

export class ConcurrentPipelines {
  readonly #pool: Pool;
  readonly #store: RecordedRun["store"];
  #place = 0;
  #before: string[] = [];

  constructor(pool: Pool, store: RecordedRun["store"]) {
    this.#pool = pool;
    this.#store = store;
  }

  /** `pipelineId`: the pipeline they live beside. */
  async moveIn(pipelineId: string): Promise<void> {
    const { rows } = await this.#pool.query(
      `INSERT INTO ${SCHEMA}.place (pipeline_id, connector_id, entity) VALUES ($1, 'elsewhere', 'contact') RETURNING number`,
      [OTHER],
    );
    this.#place = rows[0].number;
    const outside = [...new Set([...this.#store.links.keys()].map((key) => key.split("|")[1] ?? ""))];
    const records = [...this.#store.records.keys()];
    for (const [instanceId, id] of [
      [INSTANCE, OTHER],
      [OTHER_INSTANCE, pipelineId],
    ])
      await this.#pool.query(
        `INSERT INTO sync_pipeline (instance_id, pipeline_id, version_id, version_number, epoch, paused, owner)
         VALUES ($1, $2, 'w', 9, 77, true, 'a neighbour')`,
        [instanceId, id],
      );
    const put = (text: string, ids: readonly string[]): Promise<unknown> =>
      this.#pool.query(text.replaceAll("$SCHEMA", SCHEMA), [this.#place, ids]);
    await put(
      `INSERT INTO $SCHEMA.link (place, external_id, record_id, seen, told, modified_at)
       SELECT $1, id, 'of ' || id, 'seen', 'told', '9999' FROM unnest($2::text[]) id`,
      outside,
    );
    await put(
      `INSERT INTO $SCHEMA.quarantine (id, pipeline_id, place, direction, external_id, code, message)
       SELECT 'q' || id, '${OTHER}', $1, 'source', id, 'unreadable', '' FROM unnest($2::text[]) id`,
      outside,
    );
    await put(
      `INSERT INTO $SCHEMA.pending_reference (record_id, field, connector_id, entity, external_id, pipeline_id, place, at)
       SELECT 'of ' || id, 'boss', 'A', 'contact', id, '${OTHER}', $1, '2026' FROM unnest($2::text[]) id`,
      outside,
    );
    for (const table of ["missing_record", "unlinked_record"])
      await put(`INSERT INTO $SCHEMA.${table} (place, external_id) SELECT $1, unnest($2::text[])`, outside);
    await put(
      `INSERT INTO $SCHEMA.delivery (place, record_id, wanted, attempts, next_at, intent, written)
       SELECT $1, 'of ' || id, 1, 3, to_timestamp(0), 'create', 'a neighbour' FROM unnest($2::text[]) id`,
      outside,
    );
    await put(
      `INSERT INTO $SCHEMA.waiting_reference (place, record_id, connector_id, entity, target_id)
       SELECT $1, id, 'A', 'contact', id FROM unnest($2::text[]) id`,
      records,
    );
    await put(
      `INSERT INTO $SCHEMA.conflict (pipeline_id, record_id, field, place, at, reason)
       SELECT '${OTHER}', id, 'name', $1, '2026', 'older' FROM unnest($2::text[]) id`,
      records,
    );
    this.#before = await this.#rows();
  }

  /** @throws Error naming a row that is not as it was. */
  async check(): Promise<void> {
    const after = await this.#rows();
    const changed = [
      ...this.#before.filter((row) => !after.includes(row)),
      ...after.filter((row) => !this.#before.includes(row)),
    ];
    if (changed.length > 0) throw new Error(`rows of another pipeline were touched: ${changed.slice(0, 4).join("; ")}`);
  }

  async #rows(): Promise<string[]> {
    const all: string[] = [];
    for (const table of TABLES) {
      const { rows } = await this.#pool.query(`SELECT * FROM ${SCHEMA}.${table} WHERE place = $1`, [this.#place]);
      for (const row of rows) all.push(`${table} ${lineOf(Object.values(row))}`);
    }
    const { rows } = await this.#pool.query(
      `SELECT instance_id, pipeline_id, epoch, paused, owner, resync, poked FROM sync_pipeline WHERE owner = 'a neighbour'`,
    );
    return [...all, ...rows.map((row) => `sync_pipeline ${lineOf(Object.values(row))}`)].sort();
  }
}
