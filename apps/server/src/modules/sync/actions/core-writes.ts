/** Actions on records of the unified model: as if a person had made the change, so that it is recorded and sent on. */
import { actionFailures } from "@accord/contracts/messages/en/sync/run/action-failures";
import { fill } from "@accord/contracts/messages/fill";
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Values } from "@accord/contracts/data/values";
import { convertValue } from "@accord/expressions";
import type { ActionPayload } from "@accord/sync-engine/actions";
import type { Deps } from "../../../platform/deps.ts";
import type { ManualChange, RecordWriter } from "../../data/records/index.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import type { ActionRun } from "./action-runs.store.ts";
import { findByField } from "./lookups.store.ts";
import { type Attempt, refused, succeeded } from "./attempt.ts";

export type CoreWork = Extract<ActionPayload, { kind: "createCore" | "updateCore" | "deleteCore" }>;

export interface CoreWriterDependencies {
  schema: Pick<SchemaService, "listEntities">;
  /** Registers itself: running pipelines need this module in turn. */
  changes: () => RecordWriter;
}

/** One action changes this many records at most: a condition that holds for everything is a mistake. */
const MOST = 500;
const ACTOR = "system";

export function coreWriter(deps: Pick<Deps, "dataPool">, needs: CoreWriterDependencies) {
  async function found(run: ActionRun, entity: CoreEntity, work: Extract<CoreWork, { field: string }>) {
    const field = entity.fields.find(({ apiName }) => apiName === work.field);
    if (!field || work.value === null || work.value === "") return [];
    const records = await findByField(deps.dataPool, run.instanceId, entity, field, [work.value]);
    return records.map(({ accordId }) => String(accordId) as Id<"record">);
  }

  async function changesFor(run: ActionRun, entity: CoreEntity, work: CoreWork): Promise<ManualChange[] | Attempt> {
    if (work.kind === "deleteCore") {
      const ids = await found(run, entity, work);
      if (ids.length > MOST) return tooMany(ids.length);
      return ids.map((recordId) => ({ kind: "delete", recordId, deleteInEndSystems: work.deleteInEndSystem }));
    }
    const values = converted(entity, work.values);
    if ("outcome" in values) return values;
    // The record takes the id of its action: made twice it is the same one.
    const creation: ManualChange = { kind: "create", recordId: run.id as Id<"record">, values: values.values };
    if (work.kind === "createCore") return [creation];
    const ids = await found(run, entity, work);
    if (ids.length > MOST) return tooMany(ids.length);
    if (ids.length === 0) return work.upsert ? [creation] : [];
    return ids.map((recordId) => ({ kind: "update", recordId, values: values.values }));
  }

  return {
    async write(run: ActionRun, work: CoreWork): Promise<Attempt> {
      const entities = await needs.schema.listEntities(run.instanceId);
      const entity = entities.find(({ apiName }) => apiName === work.entity);
      if (!entity) return refused("entity_unknown", fill(actionFailures.noPublishedEntity, { entity: work.entity }));
      const changes = await changesFor(run, entity, work);
      if ("outcome" in changes) return changes;
      if (changes.length === 0) return succeeded({ records: [] });
      const actor = { userId: ACTOR, name: run.label };
      const request = { instanceId: run.instanceId, entityId: entity.id, actor, changes };
      await needs.changes().applyManualChange(request);
      return succeeded({ records: changes.map(({ recordId }) => recordId) });
    },
  };
}

const tooMany = (count: number): Attempt =>
  refused("too_many_records", fill(actionFailures.tooManyRecords, { count, limit: MOST }));

function converted(entity: CoreEntity, values: Values): { values: Values } | Attempt {
  const result: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const field = entity.fields.find(({ apiName }) => apiName === name);
    if (!field) return refused("field_unknown", `${entity.displayName} has no field ${name}.`);
    const one = convertValue(value, field, { timeZone: "UTC" });
    if (!one.ok) return refused(one.code, fill(actionFailures.valueUnfit, { field: field.displayName }));
    result[name] = one.value;
  }
  return { values: result };
}
