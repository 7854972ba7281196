/** What people call records in quarantine: by the core record, else by what their system sent as its name. */
import type { Values } from "@accord/contracts/data/values";
import { asName, nameFieldOf, readRecordNames } from "../../../data/schema/index.ts";
import type { EntityId, InstanceId, ServiceContext } from "../published-pipelines.ts";
import { loadIfReady, type SecretParts } from "./quarantine-causes.ts";
import type { QuarantineRow } from "./quarantine.store.ts";

export interface RecordNames {
  /** `payload`: as people may see it. */
  of(row: Pick<QuarantineRow, "recordId" | "placeId">, payload: Values | null): string | null;
}

/** Names longer than this are cut. */
const MAX_CHARACTERS = 200;

export async function namesOf(
  { deps, needs, plans }: Pick<ServiceContext, "deps" | "needs"> & SecretParts,
  at: InstanceId,
  entityId: EntityId,
  rows: readonly QuarantineRow[],
): Promise<RecordNames> {
  const entity = await needs.schema.getEntity(at, entityId);
  const ids = rows.flatMap(({ recordId }) => (recordId === null ? [] : [recordId]));
  const known = entity ? await readRecordNames(deps.dataPool, at, entity, ids) : new Map<string, string>();
  const field = entity ? nameFieldOf(entity) : null;
  const outside = rows.length > 0 && field !== null ? await outsideNames({ plans }, at, entityId, field) : new Map();
  return {
    of({ recordId, placeId }, payload) {
      const name = known.get(recordId ?? "") ?? asName(payload?.[outside.get(placeId) ?? field ?? ""]);
      return name === null ? null : name.slice(0, MAX_CHARACTERS);
    },
  };
}

/** What each source calls the field that names a record, by place number; none while the pipeline can't run. */
async function outsideNames(
  parts: SecretParts,
  at: InstanceId,
  entityId: EntityId,
  field: string,
): Promise<Map<number, string>> {
  const ready = await loadIfReady(parts, at, entityId);
  const named = ready?.plan.sources.flatMap(({ place, mappings }) => {
    const mapping = mappings.find(({ coreField }) => coreField === field);
    return mapping ? [[place.id, mapping.connectorField] as const] : [];
  });
  return new Map(named);
}
