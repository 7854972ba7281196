/** Changes to records without an engine behind: the rows alone, no links, no ledger. For instances that run no pipelines. */
import type { Pool } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { columnType, fieldColumn, recordTable, toParameter, type SchemaService } from "../schema/index.ts";
import type { ManualChange, ManualOutcome, RecordChanger, RecordHistory } from "./record-changer.ts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Client } from "../../../platform/db/db.ts";

export function directChanges(pool: Pool, schema: SchemaService): RecordChanger & RecordHistory {
  return {
    async applyManualChange({ instanceId, entityId, changes }) {
      const entity = await schema.getEntity(instanceId, entityId);
      if (!entity) return changes.map(() => ({ status: "missing" }));
      const table = recordTable(instanceId, entity.apiName);
      return transaction(pool, async ({ client }) => {
        const outcomes: ManualOutcome[] = [];
        for (const change of changes) outcomes.push(await apply(client, table, entity, change));
        return outcomes;
      });
    },
    linksOf: async () => [],
    ledgerOf: async () => ({ entries: [], nextCursor: null }),
  };
}

async function apply(client: Client, table: string, entity: CoreEntity, change: ManualChange): Promise<ManualOutcome> {
  const fields = "values" in change ? entity.fields.filter((field) => Object.hasOwn(change.values, field.apiName)) : [];
  const params = "values" in change ? fields.map((field) => toParameter(field, change.values[field.apiName])) : [];
  const bump = "accord_version = accord_version + 1, accord_updated_at = now()";
  const returning = "WHERE accord_id = $1 RETURNING accord_version AS version";
  const run = async (text: string, values: unknown[]): Promise<ManualOutcome> => {
    const { rows } = await client.query<{ version: number }>(text, values);
    return rows[0] ? { status: "done", version: rows[0].version } : { status: "missing" };
  };
  switch (change.kind) {
    case "create": {
      const columns = fields.map((field) => `, ${fieldColumn(field)}`).join("");
      const values = fields.map((field, at) => `, $${at + 2}::${columnType(field)}`).join("");
      return run(
        `INSERT INTO ${table} (accord_id${columns}) VALUES ($1${values}) RETURNING accord_version AS version`,
        [change.recordId, ...params],
      );
    }
    case "update": {
      const sets = fields.map((field, at) => `${fieldColumn(field)} = $${at + 2}::${columnType(field)}, `).join("");
      return run(`UPDATE ${table} SET ${sets}${bump} ${returning}`, [change.recordId, ...params]);
    }
    case "delete":
      return change.deleteInEndSystems
        ? run(`UPDATE ${table} SET accord_deleted = true, ${bump} ${returning}`, [change.recordId])
        : run(`DELETE FROM ${table} ${returning}`, [change.recordId]);
    case "restore":
      return run(`UPDATE ${table} SET accord_deleted = false, ${bump} ${returning}`, [change.recordId]);
  }
}
