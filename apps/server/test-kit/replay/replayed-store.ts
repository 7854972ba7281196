/**
 * The engine's storage in PostgreSQL, given the commands of a simulated history one by one, in the history's own time:
 * `now()` is a function that answers it. Answers come in one form for both storages, so that they can be compared.
 */
import type { Id } from "@accord/contracts";
import type { Claimed } from "@accord/sync-engine/run";
import type { RecordedRun, StoreCommand, TimedCommand } from "@accord/sync-simulation";
import { createTable, selectList, toValues } from "../../src/modules/data/schema/index.ts";
import { type MergeRow } from "../../src/modules/sync/matching/merges.store.ts";
import { undoMerge } from "../../src/modules/sync/matching/undo-merge.store.ts";
import { applyUserEdits } from "../../src/modules/sync/runs/edits/user-edits.store.ts";
import { type RunStorage, runStorage } from "../../src/modules/sync/runs/storage/run-storage.store.ts";
import { type Database, openDatabase } from "../../src/platform/db/db.ts";
import { exactValueTypes } from "../../src/platform/db/value-types.ts";
import { migrateInstance } from "../../src/platform/db/migrations.ts";
import { makeLog } from "../../src/platform/log/log.ts";
import type { TestDatabase } from "../database/database.ts";
import { type Kept, keptInMemory, lineOf, plainAnswer } from "./plain-answers.ts";
import { ConcurrentPipelines } from "./neighbours.ts";
import { INSTANCE } from "../sync-world/sync-world.ts";

const PIPELINE = "0123456789abcdef01234568";
const SCHEMA = `"i_${INSTANCE}"`;
const ENTITY = "contact";
const ACTOR = { userId: "u", name: "Somebody" };

/** Time that only commands move; everything that asks the database for the time gets this one. */
const VIRTUAL_TIME = `
  CREATE SCHEMA virtual;
  CREATE TABLE virtual.clock (at timestamptz NOT NULL);
  INSERT INTO virtual.clock VALUES (to_timestamp(0));
  CREATE FUNCTION virtual.now() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT at FROM virtual.clock';
  DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = virtual, public, pg_catalog', current_database()); END $$`;

export class ReplayedStore {
  readonly #database: Database;
  readonly #pool: Database["pool"];
  readonly #storage: RunStorage;
  readonly #history: RecordedRun;
  readonly #fields: RecordedRun["plan"]["coreFields"];
  /** What PostgreSQL counts a delivery's reasons from, by place, record and what memory counts. */
  readonly #wanted = new Map<string, number>();
  readonly #neighbours: ConcurrentPipelines;
  #version = 1;
  #epoch = 0;
  #ids = 0;

  private constructor(database: Database, history: RecordedRun) {
    const { pool } = database;
    this.#database = database;
    this.#pool = pool;
    this.#history = history;
    this.#fields = history.plan.coreFields;
    this.#neighbours = new ConcurrentPipelines(pool, history.store);
    this.#storage = runStorage(pool, {
      instanceId: INSTANCE,
      pipelineId: PIPELINE,
      entityNumber: 1,
      entity: this.#entity(),
      referrers: async () =>
        [...this.#fields.values()].flatMap(({ apiName, dataType }) =>
          dataType === "reference" ? [{ entityId: PIPELINE, apiName: ENTITY, field: apiName, isList: false }] : [],
        ),
    });
  }

  #entity() {
    return { apiName: ENTITY, fields: [...this.#fields.values()] };
  }

  /** In a fresh database of records. */
  static async open({ data, dataUrl }: TestDatabase, history: RecordedRun): Promise<ReplayedStore> {
    await data.pool.query(VIRTUAL_TIME);
    const log = makeLog({ logLevel: "silent" });
    const store = new ReplayedStore(openDatabase({ url: dataUrl, name: "replayed", connections: 4, log }), history);
    await store.#prepare();
    return store;
  }

  async #prepare(): Promise<void> {
    const pool = this.#pool;
    await migrateInstance(pool, INSTANCE);
    for (const statement of createTable(INSTANCE, this.#entity())) await pool.query(statement);
    await pool.query(`ALTER TABLE ${SCHEMA}.delivery ALTER next_at SET DEFAULT virtual.now()`);
    await pool.query(`INSERT INTO ${SCHEMA}.sync_entity (pipeline_id) VALUES ($1)`, [PIPELINE]);
    for (const { connectorId, entity, readFields, writeFields } of this.#history.plan.places.values()) {
      await pool.query(
        `INSERT INTO ${SCHEMA}.place (pipeline_id, connector_id, entity, read_fields, told_fields)
         VALUES ($1, $2, $3, $4, $5)`,
        [PIPELINE, connectorId, entity, readFields, writeFields],
      );
    }
    await pool.query(
      `INSERT INTO sync_pipeline (instance_id, pipeline_id, version_id, version_number) VALUES ($1, $2, 'v', 1)`,
      [INSTANCE, PIPELINE],
    );
    await this.#neighbours.moveIn(PIPELINE);
  }

  async close(): Promise<void> {
    await this.#dropPrepared();
    await this.#database.close();
  }

  /** Does what the command says and answers what memory answered, and what PostgreSQL did. */
  async give(command: TimedCommand): Promise<{ expected: unknown; given: unknown }> {
    await this.#pool.query("UPDATE virtual.clock SET at = to_timestamp($1::float8 / 1000)", [command.at]);
    const given = await this.#do(command);
    return { expected: plainAnswer(command, "answer" in command ? command.answer : null), given };
  }

  async #do(command: TimedCommand): Promise<unknown> {
    const storage = this.#storage;
    const of = (answer: unknown): unknown => plainAnswer(command, answer);
    switch (command.kind) {
      case "acquire":
        await this.#dropPrepared();
        this.#epoch = command.answer;
        this.#version = command.version;
        await this.#update("epoch = $3, owner = 'somebody'", [command.answer]);
        return of(command.answer);
      case "ask":
        await this.#ask(command);
        return null;
      case "resolve":
        return of(await storage.resolve(command.request));
      case "match":
        return of(await storage.match(command.request));
      case "findHolders":
        return of(await storage.findHolders(command.request));
      case "findDuplicates":
        return of(await storage.findDuplicates(command.keys));
      case "findResolved":
        return of(await storage.findResolved());
      case "renewWaiting":
        await storage.renewWaiting(command.placeIds);
        return null;
      case "holdUnanswered":
        await storage.holdUnanswered(command.placeId, command.holdMs);
        return null;
      case "retryUnfit":
        return of(await storage.retryUnfit(command.placeId, command.fits));
      case "prepare":
        this.#storage.prepare(this.#run(command.epoch), command.batch);
        return null;
      case "commit": {
        const answer = of(await storage.commit(this.#run(command.epoch), command.batch, this.#newId));
        if (command.batch.links.some(({ isNew }) => isNew)) await this.#moveBack();
        return answer;
      }
      case "claim": {
        const claimed = await storage.claim(command.request);
        this.#learn(command, claimed);
        return of(claimed);
      }
      case "intend": {
        const { placeId } = command;
        const intents = command.intents.map((intent) => ({ ...intent, wanted: this.#wantedOf(placeId, intent) }));
        return of(await storage.intend(this.#run(command.epoch), placeId, intents));
      }
      case "settle": {
        const { placeId, at } = command;
        const settlements = command.settlements.map((one) => ({ ...one, wanted: this.#wantedOf(placeId, one) }));
        return of(await storage.settle(this.#run(command.epoch), placeId, settlements, at, this.#newId));
      }
      case "finish":
        return this.#finish(command);
      case "applyUserEdits":
        return of(await this.#applyUserEdits(command));
      case "replayParked":
        await this.#pool
          .query(`UPDATE ${SCHEMA}.delivery d SET wanted = wanted + 1, attempts = 0, parked = false, unfit = NULL,
          next_at = CASE WHEN intent IS NULL THEN now() ELSE next_at END WHERE parked`);
        return null;
      case "undoMerge":
        return of(await this.#undo(command));
    }
  }

  /** What a run had written ahead goes with it. */
  #dropPrepared(): Promise<void> {
    return this.#storage.dropPrepared(this.#run(this.#epoch));
  }

  /** New links come by COPY, whose "now" is the server's own time. */
  #moveBack(): Promise<unknown> {
    return this.#pool.query(
      `UPDATE ${SCHEMA}.link SET seen_at = now() WHERE seen_at > pg_catalog.now() - interval '1 day'`,
    );
  }

  readonly #newId = (): string => `id${String((this.#ids += 1)).padStart(8, "0")}`;

  #run(epoch: number) {
    return { epoch, cycleNumber: epoch, versionNumber: this.#version };
  }

  async #update(set: string, values: unknown[]): Promise<void> {
    await this.#pool.query(`UPDATE sync_pipeline SET ${set} WHERE instance_id = $1 AND pipeline_id = $2`, [
      INSTANCE,
      PIPELINE,
      ...values,
    ]);
  }

  #ask({ signal, version, isResyncing }: Extract<StoreCommand, { kind: "ask" }>): Promise<void> {
    const status = signal === "cancelResync" ? "CANCEL_REQUESTED" : "PROCESSING";
    const resync =
      isResyncing || signal === "cancelResync" ? JSON.stringify({ resyncId: "resync", status, cursors: {} }) : null;
    return this.#update("paused = $3, version_number = $4, resync = $5", [signal === "pause", version, resync]);
  }

  async #finish({ epoch, summary }: Extract<StoreCommand, { kind: "finish" }>): Promise<null> {
    const { rows } = await this.#pool.query(
      "SELECT epoch::int FROM sync_pipeline WHERE instance_id = $1 AND pipeline_id = $2",
      [INSTANCE, PIPELINE],
    );
    if (rows[0].epoch !== epoch || summary.outcome === "lost") return null;
    const client = await this.#pool.connect();
    try {
      for (const position of summary.positions) if (position) await this.#storage.reach(client, position);
    } finally {
      client.release();
    }
    return null;
  }

  async #applyUserEdits(command: Extract<TimedCommand, { kind: "applyUserEdits" }>): Promise<boolean> {
    const { recordId, values, placeIds, at } = command;
    const scope = {
      instanceId: INSTANCE,
      pipelineId: PIPELINE,
      entity: this.#entity(),
      actor: ACTOR,
      sinkPlaces: placeIds,
      now: new Date(at).toISOString(),
    };
    const [outcome] = await applyUserEdits(this.#pool, scope, [
      { kind: "update", recordId: recordId as Id<"record">, values },
    ]);
    return outcome?.status === "done";
  }

  async #undo({ merge }: Extract<StoreCommand, { kind: "undoMerge" }>): Promise<boolean> {
    const { rows } = await this.#pool.query(`SELECT * FROM ${SCHEMA}.merge WHERE id = $1`, [merge.mergeId]);
    const [row] = rows;
    if (!row) return false;
    const stored = {
      id: row.id,
      pipelineId: row.pipeline_id,
      winnerId: row.winner_id,
      loserIds: row.loser_ids,
      before: row.before,
      changes: row.changes,
      origin: row.origin,
      moved: row.moved,
      repointed: row.repointed,
    } as MergeRow;
    return (
      (await undoMerge(this.#pool, { instanceId: INSTANCE, entity: this.#entity(), actor: ACTOR, merge: stored })) ===
      null
    );
  }

  /** Both storages count reasons from numbers of their own: what one calls a claimed delivery's, the other calls its. */
  #learn({ request, answer }: Extract<StoreCommand, { kind: "claim" }>, claimed: Claimed): void {
    for (const { recordId, wanted } of claimed.deliveries) {
      const same = answer.deliveries.find((delivery) => delivery.recordId === recordId);
      if (same) this.#wanted.set(`${request.placeId}|${recordId}|${same.wanted}`, wanted);
    }
  }

  #wantedOf(placeId: number, { recordId, wanted }: { recordId: string; wanted: number }): number {
    return this.#wanted.get(`${placeId}|${recordId}|${wanted}`) ?? -1;
  }

  /** Everything that both storages keep, in one form. */
  async end(): Promise<{ expected: Kept; given: Kept }> {
    return { expected: keptInMemory(this.#history), given: await this.#kept() };
  }

  /** Throws when another pipeline's rows were touched. */
  checkNeighbours(): Promise<void> {
    return this.#neighbours.check();
  }

  async #kept(): Promise<Kept> {
    const query = async (text: string) => (await this.#pool.query({ text, types: exactValueTypes })).rows;
    const list = async (text: string): Promise<string[]> =>
      (await query(text)).map((row) => lineOf(Object.values(row))).sort();
    const { fields } = this.#entity();
    /** Milliseconds. */
    const moment = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;
    /** Members of the objects of a list, in one order. */
    const inOrder = (column: string, ...members: string[]): string =>
      `(SELECT coalesce(jsonb_agg(w.row ORDER BY w.row::text COLLATE "C"), '[]') FROM (SELECT jsonb_build_array(
         ${members.map((name) => `e->'${name}'`).join(", ")}) AS row FROM jsonb_array_elements(${column}) e) w) AS ${column}`;
    const own = (alias: string): string =>
      `${alias}.place IN (SELECT number FROM ${SCHEMA}.place WHERE pipeline_id = '${PIPELINE}')`;
    const records = await query(
      `SELECT accord_id, accord_version, accord_deleted, accord_origin, ${selectList(fields)} FROM ${SCHEMA}."r_${ENTITY}"`,
    );
    return {
      records: records
        .map((row) =>
          lineOf([
            row.accord_id,
            row.accord_version,
            row.accord_deleted,
            row.accord_origin,
            ...Object.values(toValues(fields, row)),
          ]),
        )
        .sort(),
      links: await list(
        `SELECT place, external_id, record_id, seen, told, refused, respelled, modified_at, dead, held_back,
                ${moment("greatest(seen_at, told_at)")} AS touched, ${moment("told_at")} AS told_at FROM ${SCHEMA}.link l
         WHERE ${own("l")}`,
      ),
      deliveries: await list(
        `SELECT place, record_id, attempts, parked, unfit, intent, coalesce(written, ''),
                CASE WHEN NOT parked THEN ${moment("next_at")} END
         FROM ${SCHEMA}.delivery d WHERE ${own("d")}`,
      ),
      ledger: await list(
        `SELECT record_id, operation, external_id, changes, refused, coalesce(cycle, 0)::int FROM ${SCHEMA}.ledger`,
      ),
      pending: await list(
        `SELECT record_id, field, connector_id, entity, external_id, place, at FROM ${SCHEMA}.pending_reference r WHERE ${own("r")}`,
      ),
      waiting: await list(`SELECT place, record_id, target_id FROM ${SCHEMA}.waiting_reference w WHERE ${own("w")}`),
      quarantineEntries: await list(
        `SELECT place, external_id FROM ${SCHEMA}.quarantine q
         WHERE direction = 'source' AND status <> 'RESOLVED' AND ${own("q")}`,
      ),
      conflicts: await list(
        `SELECT record_id, field, place, value, at, reason FROM ${SCHEMA}.conflict c WHERE ${own("c")}`,
      ),
      merges: await list(
        `SELECT status, winner_id, loser_ids, changes, origin, ${inOrder("moved", "place", "externalId", "from")},
                ${inOrder("repointed", "recordId", "field", "from", "to")} FROM ${SCHEMA}.merge`,
      ),
      merged: await list(`SELECT loser_id, winner_id, undone FROM ${SCHEMA}.merged_record`),
      lostFields: await list(
        `SELECT number, lost_fields FROM ${SCHEMA}.place WHERE pipeline_id = '${PIPELINE}' AND lost_fields <> '{}'`,
      ),
      positions: await list(
        `SELECT node_id, cursor, through FROM ${SCHEMA}.source_position WHERE pipeline_id = '${PIPELINE}'`,
      ),
    };
  }
}
