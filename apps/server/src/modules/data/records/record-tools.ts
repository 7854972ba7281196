/** What reading and changing records share: whose entity and record, and how a record looks from outside. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Record as RecordView } from "@accord/contracts/data/records";
import { SecretFields } from "@accord/expressions";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Pool } from "../../../platform/db/db.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { SchemaService } from "../schema/index.ts";
import * as store from "./records.store.ts";

export type EntityId = Id<"entity">;
export type RecordId = Id<"record">;

/** Zone in which wall-clock texts are read; browsers send moments in UTC. */
export const TIME_ZONE = "UTC";

/** Both throw `not_found` for what is not in the caller's instance. */
export function recordTools({ dataPool, schema }: { dataPool: Pool; schema: SchemaService }) {
  async function entityOf(ctx: Ctx, entityId: EntityId): Promise<Readonly<CoreEntity>> {
    const entity = await schema.entityAt(ctx, entityId);
    if (!entity) throw new AppError("not_found", { what: "Entity" });
    return entity;
  }

  async function recordOf(ctx: Ctx, entity: CoreEntity, recordId: RecordId): Promise<store.StoredRecord> {
    const record = await store.readRecord(dataPool, ctx.instanceId, entity, recordId);
    if (!record) throw new AppError("not_found", { what: "Record" });
    return record;
  }

  return { entityOf, recordOf };
}

export type RecordTools = ReturnType<typeof recordTools>;

/** As the API shows it: passwords masked, and `isDeleted` among the values. */
export function recordView(entity: CoreEntity, record: store.StoredRecord): RecordView {
  const values = { ...SecretFields.of(entity.fields).values(record.values), isDeleted: record.deleted };
  const { id, deleted, version, createdAt, updatedAt } = record;
  return { accordId: id, values, deleted, version, createdAt, updatedAt };
}
