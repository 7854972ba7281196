/** Saves one field of a record at a time, so that a refusal belongs to one field and never holds up another. */
import type { CoreEntity, CoreField } from "@accord/contracts/data/entities";
import {
  getRecord,
  getRecordLineage,
  saveRecord,
  searchRecords,
  type Record as RecordRow,
} from "@accord/contracts/data/records";
import type { Value } from "@accord/contracts/data/values";
import { getRecordAsOf } from "@accord/contracts/sync/monitoring/explain";
import { explanationOf, isStale } from "../../app/api-error.ts";
import { refresh, useCall } from "../../app/queries.ts";
import { useWords } from "../../app/words.ts";
import { toast } from "../../shared/toast.tsx";
import { clearDraft, setDraft } from "./edit-drafts.ts";
import { readEntry } from "./value.model.ts";

export function useFieldEditor(entity: CoreEntity, record: RecordRow) {
  const { t } = useWords("data");
  const call = useCall(saveRecord, { refreshes: [getRecord, getRecordLineage, getRecordAsOf, searchRecords] });
  const params = { entityId: entity.id, recordId: record.accordId };

  async function send(field: CoreField, value: Value, version: number): Promise<RecordRow | null> {
    const { record: saved, errors } = await call.mutateAsync({
      params,
      body: { values: { [field.apiName]: value }, version },
    });
    const error = errors[field.apiName];
    if (error !== undefined) setDraft(record.accordId, field.apiName, { entry: value, error });
    return saved;
  }

  async function save(field: CoreField, entry: Value): Promise<void> {
    const name = field.apiName;
    const read = typeof entry === "string" ? readEntry(field, entry) : { ok: true as const, value: entry };
    if (!read.ok) return setDraft(record.accordId, name, { entry, error: t("record.invalidJson") });
    const before = record.values[name] ?? null;
    try {
      const saved = await send(field, read.value, record.version);
      if (!saved) return;
      clearDraft(record.accordId, name);
      if (saved.version === record.version) return;
      toast.undo(t("record.saved", { field: field.displayName }), () => {
        void send(field, before, saved.version)
          .then((undone) => undone && toast.success(t("record.undone", { field: field.displayName })))
          .catch((error: unknown) => toast.failed(error));
      });
    } catch (error) {
      setDraft(record.accordId, name, { entry, error: isStale(error) ? t("record.stale") : explanationOf(error) });
      if (isStale(error)) await refresh(getRecord);
    }
  }

  const sent = call.isPending ? Object.keys(call.variables?.body.values ?? {})[0] : undefined;
  return { save, savingField: sent };
}
