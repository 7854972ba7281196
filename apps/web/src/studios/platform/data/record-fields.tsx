/** The fields of a record: read by group, edited in place, each with its own error; and where the record lives. */
import type { CoreEntity, CoreField } from "@accord/contracts/data/entities";
import {
  getRecord,
  getRecordLineage,
  saveRecord,
  searchRecords,
  type Record as RecordRow,
} from "@accord/contracts/data/records";
import type { Value } from "@accord/contracts/data/values";
import { Card, CopyableId, EmptyState, FormSkeleton, KeyValueList, RelativeTime, SearchBox } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconListSearch } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { ApiError, wordsOf } from "../../../app/api-error.ts";
import { refresh, useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { clearDraft, setDraft, useEditDrafts } from "./edit-drafts.ts";
import { ExternalIds } from "./parts/external-ids.tsx";
import { FieldRow } from "./parts/field-row.tsx";
import { asEntityId, asRecordId, useEntity, useRecord } from "./queries.ts";
import { groupFields, isEditable, isEmpty, readEntry, type References } from "./value.model.ts";

const route = getRouteApi("/signed-in/data-studio/entity/$entityId/record/$recordId/fields");

export function RecordFields() {
  const params = route.useParams();
  const { t } = useWords("data");
  const entity = useEntity(asEntityId(params.entityId));
  const record = useRecord(asEntityId(params.entityId), asRecordId(params.recordId));
  if (!entity.data) return <FormSkeleton fields={8} />;
  const ofEntity = entity.data;
  return (
    <QueryView query={record} skeleton={<FormSkeleton fields={8} />}>
      {(data) => (
        <div className="ac-record">
          <FieldList entity={ofEntity} record={data.record} references={data.metadata.references} />
          <div className="ac-record__side">
            <ExternalIds externalIds={data.externalIds} />
            <Card title={t("record.about")}>
              <KeyValueList
                stacked
                facts={[
                  { key: t("record.id"), value: <CopyableId id={data.record.accordId} /> },
                  { key: t("record.updated"), value: <RelativeTime at={data.record.updatedAt} /> },
                  { key: t("record.created"), value: <RelativeTime at={data.record.createdAt} /> },
                  { key: t("record.version"), value: data.record.version },
                ]}
              />
            </Card>
          </div>
        </div>
      )}
    </QueryView>
  );
}

function FieldList({ entity, record, references }: { entity: CoreEntity; record: RecordRow; references: References }) {
  const { t } = useWords("data");
  const { q = "", empty = false } = route.useSearch();
  const navigate = route.useNavigate();
  const drafts = useEditDrafts(record.accordId);
  const editor = useFieldEditor(entity, record);
  const mayWrite = useCan("WRITE_DATA_STUDIO") && !record.deleted;

  const wanted = entity.fields.filter((field) =>
    `${field.displayName} ${field.apiName}`.toLowerCase().includes(q.toLowerCase()),
  );
  const isShown = (field: CoreField) =>
    empty || q !== "" || !isEmpty(record.values[field.apiName]) || drafts[field.apiName] !== undefined;
  const shown = wanted.filter(isShown);
  const hidden = wanted.length - shown.length;
  return (
    <div className="ac-record__main">
      {entity.fields.length > 8 ? (
        <SearchBox
          value={q}
          placeholder={t("record.findField")}
          onChange={(text) => void navigate({ search: (old) => ({ ...old, q: text || undefined }), replace: true })}
        />
      ) : null}
      {wanted.length === 0 ? (
        <EmptyState compact icon={<IconListSearch size={20} />} title={t("record.noField", { text: q })} />
      ) : null}
      {groupFields(shown).map((group) => (
        <Card key={group.id} title={t(`record.group.${group.id}`)} flush>
          <dl className="ac-fields">
            {group.fields.map((field) => (
              <FieldRow
                key={field.id}
                field={field}
                value={record.values[field.apiName]}
                references={references}
                draft={drafts[field.apiName]}
                editable={mayWrite && isEditable(field)}
                busy={editor.savingField === field.apiName}
                onEdit={(entry) => setDraft(record.accordId, field.apiName, { entry })}
                onSave={(entry) => editor.save(field, entry)}
                onCancel={() => clearDraft(record.accordId, field.apiName)}
              />
            ))}
          </dl>
        </Card>
      ))}
      {hidden > 0 || (empty && q === "") ? (
        <Button
          variant="subtle"
          className="ac-record__more"
          onClick={() =>
            void navigate({ search: (old) => ({ ...old, empty: empty ? undefined : true }), replace: true })
          }
        >
          {empty ? t("record.hideEmpty") : t("record.showEmpty", { count: hidden })}
        </Button>
      ) : null}
    </div>
  );
}

/** Saves one field at a time, so that a refusal belongs to one field and never holds up another. */
function useFieldEditor(entity: CoreEntity, record: RecordRow) {
  const { t } = useWords("data");
  const call = useCall(saveRecord, { refreshes: [getRecord, getRecordLineage, searchRecords] });
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
      const isStale = error instanceof ApiError && error.code === "stale_version";
      setDraft(record.accordId, name, { entry, error: isStale ? t("record.stale") : wordsOf(error) });
      if (isStale) await refresh(getRecord);
    }
  }

  const sent = call.isPending ? Object.keys(call.variables?.body.values ?? {})[0] : undefined;
  return { save, savingField: sent };
}
