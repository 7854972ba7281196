/**
 * An independent judge of synchronised systems: reads each of them by means of its own, the core table and the links by
 * plain SQL, and compares row by row. It shares no code with the engine, its fingerprints or its reconciliation.
 */
import { expect } from "vitest";
import type { Pool } from "../src/platform/db/db.ts";
import { ENTITY, INSTANCE, SYSTEMS } from "./sync-world/sync-world.ts";

type Row = Readonly<Record<string, unknown>>;

/** One system, as it is read without the product. */
export interface JudgedSystem {
  connectorId: string;
  /** What stands there now, by the id under which the product knows it. */
  read(): Promise<ReadonlyMap<string, Row>>;
  /** Field there → core field. */
  fields: Readonly<Record<string, string>>;
  /** Must hold every alive core record; else it only brings records. */
  isComplete: boolean;
}

export interface JudgedWorld {
  pool: Pool;
  instanceId: string;
  pipelineId: string;
  /** Api name of the core entity. */
  entity: string;
  /** A core field that no two records may share. */
  keyField: string;
  systems: readonly JudgedSystem[];
}

const SYNC_WORLD_FIELDS = { email: "email", name: "name", phone: "phone", note: "note" };

/** The world of two systems made of tables. `other`: systems that stand elsewhere than in their table. */
export function judgedSyncWorld(pool: Pool, other: readonly JudgedSystem[] = []): JudgedWorld {
  const tables = SYSTEMS.filter((name) => !other.some(({ connectorId }) => connectorId === name));
  const systems = tables.map((name): JudgedSystem => ({
    connectorId: name,
    fields: SYNC_WORLD_FIELDS,
    isComplete: true,
    async read() {
      const { rows } = await pool.query(`SELECT * FROM outside.${name} WHERE NOT deleted`);
      return new Map(rows.map((row) => [String(row.id), row]));
    },
  }));
  return {
    pool,
    instanceId: INSTANCE,
    pipelineId: ENTITY,
    entity: "Contact",
    keyField: "email",
    systems: [...systems, ...other],
  };
}

/** Fails with every difference between systems, links and core. To be asked once all is quiet. */
export async function expectReconciled(world: JudgedWorld): Promise<void> {
  expect(await reconciliationFaults(world)).toEqual([]);
}

export async function reconciliationFaults(world: JudgedWorld): Promise<string[]> {
  const core = await readCore(world);
  const faults = await doublingFaults(world);
  for (const system of world.systems) faults.push(...(await systemFaults(world, system, core)));
  return faults;
}

/** What may not be at any moment, even while everything moves: one thing twice. */
export async function doublingFaults(world: JudgedWorld): Promise<string[]> {
  const { keyField } = world;
  const core = [...(await readCore(world)).values()].map((row) => row[keyField]);
  const faults = twice(core).map((key) => `${key} is twice in the core`);
  for (const { connectorId, fields, read } of world.systems) {
    const [field] = Object.entries(fields).find(([, coreField]) => coreField === keyField) ?? [];
    if (field === undefined) continue;
    const keys = [...(await read()).values()].map((row) => row[field]);
    faults.push(...twice(keys).map((key) => `${key} is twice in ${connectorId}`));
  }
  const { rows } = await world.pool.query(
    `SELECT record_id, place, count(*)::int AS count FROM "i_${world.instanceId}".link WHERE NOT dead
     GROUP BY record_id, place HAVING count(*) > 1`,
  );
  for (const { record_id: id, place, count } of rows) faults.push(`record ${id} has ${count} links at place ${place}`);
  return faults;
}

async function systemFaults(
  world: JudgedWorld,
  system: JudgedSystem,
  core: ReadonlyMap<string, Row>,
): Promise<string[]> {
  const { connectorId, fields } = system;
  const faults: string[] = [];
  const outside = await system.read();
  const links = await readLinks(world, connectorId);
  const held = new Set<string>();
  for (const [id, row] of outside) {
    const recordId = links.get(id);
    const record = recordId === undefined ? undefined : core.get(recordId);
    if (recordId === undefined) faults.push(`${connectorId} ${id} is listed and not linked`);
    else if (!record) faults.push(`${connectorId} ${id} is linked to ${recordId}, which the core does not have`);
    else held.add(recordId);
    for (const [field, coreField] of record ? Object.entries(fields) : []) {
      const [there, here] = [valueText(row[field]), valueText(record?.[coreField])];
      if (there !== here) faults.push(`${connectorId} ${id} ${field} is ${there} there and ${here} in the core`);
    }
  }
  for (const [id, recordId] of links) {
    if (!outside.has(id) && core.has(recordId)) faults.push(`${connectorId} ${id} is linked and not there`);
  }
  for (const [recordId, record] of system.isComplete ? core : []) {
    if (!held.has(recordId)) faults.push(`${String(record[world.keyField])} is missing in ${connectorId}`);
  }
  return faults;
}

async function readCore({ pool, instanceId, entity }: JudgedWorld): Promise<ReadonlyMap<string, Row>> {
  const { rows } = await pool.query(`SELECT * FROM "i_${instanceId}"."r_${entity}" WHERE NOT accord_deleted`);
  return new Map(rows.map((row) => [String(row.accord_id), row]));
}

/** Alive links: external id → record id. */
async function readLinks(
  { pool, instanceId, pipelineId }: JudgedWorld,
  connectorId: string,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query(
    `SELECT l.external_id, l.record_id FROM "i_${instanceId}".link l JOIN "i_${instanceId}".place p ON p.number = l.place
     WHERE p.pipeline_id = $1 AND p.connector_id = $2 AND NOT l.dead`,
    [pipelineId, connectorId],
  );
  return new Map(rows.map((row) => [row.external_id, row.record_id]));
}

const valueText = (value: unknown): string =>
  value === null || value === undefined ? "nothing" : JSON.stringify(value);

function twice(keys: readonly unknown[]): string[] {
  const seen = new Set<unknown>();
  const doubled = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) doubled.add(String(key));
    seen.add(key);
  }
  return [...doubled];
}
