/** Use cases of reference data: upload, replace, look at, switch on and off, delete. */
import { ConnectorError } from "@accord/connector-sdk";
import { readTable, type Table } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import { REFERENCE_ROWS, type ReferenceList } from "@accord/contracts/data/reference-data";
import type { Upload } from "@accord/contracts/upload";
import type { Ctx } from "../../../platform/ctx.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import { uniqueName } from "../../../platform/http/unique-name.ts";
import type { SchemaService } from "../schema/index.ts";
import * as store from "./reference-data.store.ts";
import { STANDARD_LISTS, type StandardList } from "./standard-lists.ts";

type InstanceId = Id<"instance">;
type ListId = Id<"referenceList">;

/** What this module asks of others. */
export interface ReferenceUses {
  /** Everything that may name a list. */
  pipelines: { graphsInUse(at: InstanceId): Promise<readonly { entityId: Id<"entity">; graph: unknown }[]> };
  schema: Pick<SchemaService, "listEntities">;
}

export type ReferenceDataService = ReturnType<typeof referenceDataService>;

export function referenceDataService(deps: Pick<Deps, "dataPool" | "clock" | "newId">, uses: ReferenceUses) {
  const { dataPool } = deps;

  async function usesOf(at: InstanceId): Promise<(id: ListId) => string[]> {
    const graphs = await uses.pipelines.graphsInUse(at);
    const entities = await uses.schema.listEntities(at, "draft");
    const names = new Map(entities.map(({ id, displayName }) => [id, displayName]));
    const all = graphs.map(({ entityId, graph }) => ({
      name: names.get(entityId) ?? entityId,
      text: JSON.stringify(graph),
    }));
    return (id) => [...new Set(all.filter(({ text }) => text.includes(`"${id}"`)).map(({ name }) => name))];
  }

  async function get(ctx: Ctx, id: ListId): Promise<ReferenceList> {
    const usedIn = await usesOf(ctx.instanceId);
    const standard = STANDARD_LISTS.get(id);
    if (standard) return toStandard(standard, usedIn(id));
    const row = await store.findList(dataPool, ctx.instanceId, id);
    if (!row) throw new AppError("not_found", { what: "List" });
    return { ...row, standard: false, usedInPipelines: usedIn(id) };
  }

  /** The list, if it is one that people may change. */
  async function getOwn(ctx: Ctx, id: ListId): Promise<ReferenceList> {
    const list = await get(ctx, id);
    if (!list.standard) return list;
    throw new AppError("invalid_state", { reason: "This list comes with the product. Upload a list of your own." });
  }

  return {
    get,

    async list(ctx: Ctx): Promise<ReferenceList[]> {
      const usedIn = await usesOf(ctx.instanceId);
      const own = await store.readLists(dataPool, ctx.instanceId);
      const lists = own.map((row) => ({ ...row, standard: false, usedInPipelines: usedIn(row.id) }));
      return [...lists, ...[...STANDARD_LISTS.values()].map((list) => toStandard(list, usedIn(list.id)))];
    },

    async preview(ctx: Ctx, id: ListId, count: number) {
      const { columns, standard } = await get(ctx, id);
      const rows = standard
        ? (STANDARD_LISTS.get(id)?.rows.slice(0, count) ?? [])
        : await store.readFirstRows(dataPool, ctx.instanceId, id, count);
      return { headerColumns: columns, rows: rows.map((row) => [...row]) };
    },

    async create(ctx: Ctx, { name, csvFile }: { name: string; csvFile: Upload }): Promise<ReferenceList> {
      const table = tableOf(csvFile);
      const id = deps.newId<"referenceList">();
      const now = deps.clock.now();
      await uniqueName(name, () =>
        transaction(dataPool, async ({ client }) => {
          const made = { id, name, now, createdBy: ctx.actor.userId };
          await store.insertList(client, ctx.instanceId, { ...made, ...describe(csvFile, table) });
          await store.insertRows(client, ctx.instanceId, id, table.rows);
        }),
      );
      return get(ctx, id);
    },

    async save(
      ctx: Ctx,
      id: ListId,
      { name, version, csvFile }: { name: string; version: number; csvFile?: Upload },
    ): Promise<ReferenceList> {
      await getOwn(ctx, id);
      const table = csvFile && tableOf(csvFile);
      const saved = await uniqueName(name, () =>
        transaction(dataPool, async ({ client }) => {
          const content = csvFile && table ? { ...describe(csvFile, table), now: deps.clock.now() } : null;
          if (!(await store.updateList(client, ctx.instanceId, id, { name, version, content }))) return false;
          // Readers see the old rows until the new ones are all there.
          if (table) await store.replaceRows(client, ctx.instanceId, id, table.rows);
          return true;
        }),
      );
      if (!saved) throw new AppError("stale_version", { newest: await get(ctx, id) });
      return get(ctx, id);
    },

    async remove(ctx: Ctx, id: ListId): Promise<void> {
      const { usedInPipelines } = await getOwn(ctx, id);
      if (usedInPipelines.length > 0) throw new AppError("in_use", { uses: usedInPipelines });
      await store.deleteList(dataPool, ctx.instanceId, id);
    },

    async setStatus(ctx: Ctx, id: ListId, status: ReferenceList["status"]): Promise<ReferenceList> {
      await getOwn(ctx, id);
      await store.setStatus(dataPool, ctx.instanceId, id, status);
      return get(ctx, id);
    },
  };
}

const describe = ({ fileName }: Upload, { columns, rows }: Table) => ({
  fileName: fileName.slice(0, 200),
  columns,
  totalRecords: rows.length,
});

const toStandard = ({ id, name, columns, rows }: StandardList, usedInPipelines: string[]): ReferenceList => ({
  id,
  name,
  fileName: "",
  status: "ACTIVE",
  standard: true,
  columns: [...columns],
  totalRecords: rows.length,
  lastImported: null,
  usedInPipelines,
  version: 1,
});

function tableOf({ bytes }: Upload): Table {
  try {
    return readTable(bytes, REFERENCE_ROWS);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    throw invalidField("csvFile", [error.message, error.hint].filter(Boolean).join(" "));
  }
}
