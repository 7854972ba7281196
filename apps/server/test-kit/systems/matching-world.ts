/** Two systems of tables that real cycles keep in agreement, with matching set up by each test, and what a merge touches. */
import type { Id } from "@accord/contracts";
import type { Value } from "@accord/contracts/data/values";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import type { CycleSummary } from "@accord/sync-engine/run";
import { contactFields } from "@accord/sync-simulation";
import { beforeEach } from "vitest";
import { createTable } from "../../src/modules/data/schema/index.ts";
import { matchingModule } from "../../src/modules/sync/matching/index.ts";
import type { MatchingService } from "../../src/modules/sync/matching/matching.service.ts";
import { type RunsDependencies, runsModule, type RunsService } from "../../src/modules/sync/runs/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { Caller } from "../../src/platform/ctx.ts";
import type { Pool } from "../../src/platform/db/db.ts";
import type { Deps } from "../../src/platform/deps.ts";
import { makeNewId } from "../../src/platform/ids.ts";
import { makeLog } from "../../src/platform/log/log.ts";
import { testDatabase } from "../database/database.ts";
import { untilIdle } from "../sync-world/sync-cycle.ts";
import {
  editOutside,
  ENTITY,
  INSTANCE,
  makeSyncWorld,
  type SystemName,
  syncWorldNeeds,
} from "../sync-world/sync-world.ts";
import { testSecrets } from "../test-secrets.ts";

const log = makeLog({ logLevel: "error" });
const newId = makeNewId(systemClock);
const SCHEMA = `"i_${INSTANCE}"`;
const DEALS = "0123456789abcdef0123456a" as Id<"entity">;

export interface CoreRow {
  id: string;
  email: string;
  name: string | null;
  phone: string | null;
  gone: boolean;
}

/** A world for each test of a file. */
class MatchingWorld {
  readonly pool: Pool;
  readonly matching: MatchingService;
  readonly history: RunsService;
  /** What a test says about a node, by its kind and system. */
  configured: (node: GraphNode) => object = () => ({});
  edited: (graph: Graph) => Graph = (graph) => graph;
  /** Who answers what nodes and rules ask; nothing is found at first. */
  answer: RunsDependencies["answers"]["answer"];
  readonly mergeConfig = { retainFields: [], dependentPicklists: [] };
  readonly #needs: RunsDependencies;

  constructor(pool: Pool, entities: readonly unknown[]) {
    this.pool = pool;
    const world = syncWorldNeeds(pool);
    this.answer = world.answers.answer;
    this.#needs = {
      ...world,
      answers: { answer: (...asked) => this.answer(...asked) },
      schema: { ...world.schema, listEntities: async () => entities as never },
      pipelines: {
        ...world.pipelines,
        publishedVersion: async (at, entityId) => {
          const version = await world.pipelines.publishedVersion(at, entityId);
          if (!version || entityId !== ENTITY) return null;
          const nodes = version.graph.nodes.map((node) => ({
            ...node,
            configuration: { ...node.configuration, ...this.configured(node) },
          }));
          // Its own id, so that each wording of the graph is compiled.
          const graph = this.edited({ ...version.graph, nodes });
          return { ...version, versionId: newId<"pipelineVersion">(), graph, mergeConfig: this.mergeConfig };
        },
      },
    };
    const realtime = { publish: async () => {} };
    const deps = { clock: systemClock, newId, log, dataPool: pool, realtime, secrets: testSecrets } as unknown as Deps;
    this.history = runsModule(deps, this.#needs).service;
    this.matching = matchingModule(deps, { schema: this.#needs.schema, changes: this.history }).service;
  }

  /** Runs cycles until nothing is left to do. */
  settle(): Promise<CycleSummary[]> {
    return untilIdle({ pool: this.pool, needs: this.#needs, log, newId });
  }

  async insert(name: SystemName, values: { email: string; name?: Value; phone?: Value; note?: Value }): Promise<void> {
    const fields = Object.keys(values);
    const params = fields.map((_, index) => `$${index + 1}`).join(", ");
    const text = `INSERT INTO $table (${fields.join(", ")}) VALUES (${params})`;
    await editOutside(this.pool, name, text, Object.values(values));
  }

  change(name: SystemName, email: string, field: string, value: Value): Promise<void> {
    const text = `UPDATE $table SET ${field} = $2, change = nextval('outside.change') WHERE email = $1`;
    return editOutside(this.pool, name, text, [email, value]);
  }

  async core(): Promise<CoreRow[]> {
    const { rows } = await this.pool.query(
      `SELECT accord_id AS id, email, name, phone, accord_deleted AS gone FROM ${SCHEMA}."r_Contact" ORDER BY accord_id`,
    );
    return rows;
  }

  async alive(): Promise<CoreRow[]> {
    return (await this.core()).filter(({ gone }) => !gone);
  }

  async count(table: string): Promise<number> {
    const { rows } = await this.pool.query(`SELECT count(*)::int AS count FROM ${SCHEMA}.${table}`);
    return rows[0].count;
  }

  /** Everything that a merge touches, to compare before and after. */
  async picture(): Promise<unknown> {
    const { rows } = await this.pool.query(
      `SELECT (SELECT json_agg(r ORDER BY r.id) FROM (
                 SELECT accord_id AS id, email, name, phone, note, accord_deleted FROM ${SCHEMA}."r_Contact") r) AS records,
              (SELECT json_agg(l ORDER BY l.place, l.record_id) FROM (
                 SELECT place, record_id FROM ${SCHEMA}.link WHERE NOT dead) l) AS links,
              (SELECT json_agg(d ORDER BY d.id) FROM (SELECT accord_id AS id, person, people FROM ${SCHEMA}."r_Deal") d) AS deals`,
    );
    return rows[0];
  }
}

export type { MatchingWorld };

/** Somebody who may do everything. */
export const ada = {
  instanceId: INSTANCE,
  actor: { userId: "u", firstName: "Ada", lastName: "Lovelace" },
} as unknown as Caller;

/** Answers the world of the test that runs. */
export function matchingWorlds(): () => MatchingWorld {
  let current: MatchingWorld;
  beforeEach(async () => {
    const database = await testDatabase();
    const { pool } = database.data;
    await makeSyncWorld(pool);
    current = new MatchingWorld(pool, await entitiesOf(pool));
    return () => database.drop();
  });
  return () => current;
}

/** Contacts, and deals that refer to them. */
async function entitiesOf(pool: Pool): Promise<unknown[]> {
  const contact = await syncWorldNeeds(pool).schema.getEntity(INSTANCE, ENTITY);
  const person = { ...contactFields[0]!, apiName: "person", dataType: "reference", referenceTo: "Contact" } as const;
  const people = { ...person, apiName: "people", isMultiValueField: true };
  const fields = [person, people].map((field) => ({ ...field, status: "ACTIVE" }));
  for (const statement of createTable(INSTANCE, { apiName: "Deal", fields: [person, people] }))
    await pool.query(statement);
  return [contact, { id: DEALS, apiName: "Deal", fields }];
}

export const problemCodes = (summaries: readonly CycleSummary[]): string[] =>
  summaries.flatMap((summary) => summary.problems.map(({ code }) => code));
