/** Drafts of field pipelines; what is published of them lies in the versions. */
import type { Id } from "@accord/contracts";
import { Graph } from "@accord/contracts/sync/graph";
import type { Db } from "../../../../platform/db/db.ts";
import type { Person } from "../pipelines.store.ts";

type InstanceId = Id<"instance">;
type EntityId = Id<"entity">;

type Tables = {
  field_pipeline_draft: {
    entity_id: string;
    field: string;
    instance_id: string;
    graph: unknown;
    ready: boolean;
    revision: number;
    updated_at: string;
    updated_by: unknown;
  };
};

const tables = (db: Db) => db.withTables<Tables>();

export interface FieldDraft {
  field: string;
  graph: Graph;
  ready: boolean;
  revision: number;
  updatedAt: string;
}

/** Those of a pipeline by core field; `lock` holds them until the transaction ends. */
export async function readFieldDrafts(
  db: Db,
  at: InstanceId,
  entityId: EntityId,
  lock = false,
): Promise<Map<string, FieldDraft>> {
  let query = tables(db)
    .selectFrom("field_pipeline_draft")
    .selectAll()
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId)
    .orderBy("field");
  if (lock) query = query.forUpdate();
  const rows = await query.execute();
  return new Map(
    rows.map((row) => [
      row.field,
      {
        field: row.field,
        graph: Graph.parse(row.graph),
        ready: row.ready,
        revision: row.revision,
        updatedAt: row.updated_at,
      },
    ]),
  );
}

export async function writeFieldDraft(
  db: Db,
  at: InstanceId,
  entityId: EntityId,
  draft: {
    field: string;
    graph: Graph;
    ready: boolean;
    /** Of a draft that is made anew; each save adds one. */
    firstRevision: number;
    now: string;
    by: Person;
  },
): Promise<void> {
  const held = {
    graph: JSON.stringify(draft.graph),
    ready: draft.ready,
    updated_at: draft.now,
    updated_by: JSON.stringify(draft.by),
  };
  await tables(db)
    .insertInto("field_pipeline_draft")
    .values({ entity_id: entityId, field: draft.field, instance_id: at, revision: draft.firstRevision, ...held })
    .onConflict((conflict) =>
      conflict
        .columns(["entity_id", "field"])
        .doUpdateSet((is) => ({ ...held, revision: is("field_pipeline_draft.revision", "+", 1) })),
    )
    .execute();
}

/** Deletes the drafts of these fields, all of the pipeline when none is named. */
export async function deleteFieldDrafts(
  db: Db,
  at: InstanceId,
  entityId: EntityId,
  fields?: readonly string[],
): Promise<void> {
  let query = tables(db)
    .deleteFrom("field_pipeline_draft")
    .where("instance_id", "=", at)
    .where("entity_id", "=", entityId);
  if (fields) query = query.where("field", "in", [...fields, ""]);
  await query.execute();
}
