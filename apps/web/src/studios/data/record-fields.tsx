/** The fields of a record: read by group, edited in place, each with its own error; and where the record lives. */
import type { CoreEntity, CoreField } from "@accord/contracts/data/entities";
import type { Record as RecordRow } from "@accord/contracts/data/records";
import { Card, CopyableId, FormSkeleton, KeyValueList, RelativeTime } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconClockHour4 } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "../../app/session.ts";
import { useWords } from "../../app/words.ts";
import { QueryView } from "../../shared/query-view.tsx";
import { LATEST } from "./as-of.model.ts";
import { clearDraft, setDraft, useEditDrafts } from "./edit-drafts.ts";
import { CompetingValues } from "./parts/competing-values.tsx";
import { ExternalIds } from "./parts/external-ids.tsx";
import { FieldList } from "./parts/field-list.tsx";
import { FieldRow } from "./parts/field-row.tsx";
import { ValueOrigin } from "./parts/value-origin.tsx";
import { asEntityId, asRecordId, useConflictsOf, useEntity, useRecord, useRecordAsOf } from "./queries.ts";
import { HistoricalFields } from "./record-past.tsx";
import { useFieldEditor } from "./use-field-editor.ts";
import { isEditable, isEmpty, type References } from "./value.model.ts";

const route = getRouteApi("/signed-in/data-studio/entity/$entityId/record/$recordId/fields");

export function RecordFields() {
  const params = route.useParams();
  const { at } = route.useSearch();
  const { t } = useWords("data");
  const entity = useEntity(asEntityId(params.entityId));
  const record = useRecord(asEntityId(params.entityId), asRecordId(params.recordId));
  if (!entity.data) return <FormSkeleton fields={8} />;
  const ofEntity = entity.data;
  return (
    <QueryView query={record} skeleton={<FormSkeleton fields={8} />}>
      {(data) => (
        <div className="ac-record">
          <div className="ac-record__main">
            {at === undefined ? (
              <PresentFields entity={ofEntity} record={data.record} references={data.metadata.references} />
            ) : (
              <HistoricalFields at={at} entity={ofEntity} record={data.record} references={data.metadata.references} />
            )}
          </div>
          <div className="ac-record__side">
            <ExternalIds
              externalIds={data.externalIds}
              entityId={ofEntity.id}
              recordId={data.record.accordId}
              isDeleted={data.record.deleted}
            />
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

interface PresentFieldsProps {
  entity: CoreEntity;
  record: RecordRow;
  references: References;
}

function PresentFields({ entity, record, references }: PresentFieldsProps) {
  const { accordId: recordId, values } = record;
  const drafts = useEditDrafts(recordId);
  const editor = useFieldEditor(entity, record);
  const mayWrite = useCan("WRITE_DATA_STUDIO") && !record.deleted;
  const origins = useRecordAsOf(entity.id, recordId, LATEST).data?.fields ?? [];
  const conflicts = useConflictsOf(entity.id, recordId).data?.conflicts ?? [];
  const row = (field: CoreField) => {
    const name = field.apiName;
    const setBy = origins.find((origin) => origin.field === name)?.setBy;
    const conflict = conflicts.find((each) => each.field === name);
    return (
      <FieldRow
        key={field.id}
        field={field}
        value={values[name]}
        references={references}
        draft={drafts[name]}
        editable={mayWrite && isEditable(field)}
        busy={editor.savingField === name}
        onEdit={(entry) => setDraft(recordId, name, { entry })}
        onSave={(entry) => editor.save(field, entry)}
        onCancel={() => clearDraft(recordId, name)}
        aside={setBy ? <ValueOrigin entityId={entity.id} recordId={recordId} field={field} setBy={setBy} /> : null}
        below={conflict ? <CompetingValues entityId={entity.id} field={field} conflict={conflict} /> : null}
      />
    );
  };
  return (
    <FieldList
      entity={entity}
      isFilled={({ apiName }) => !isEmpty(values[apiName]) || drafts[apiName] !== undefined}
      row={row}
      tools={<AsOfButton />}
    />
  );
}

function AsOfButton() {
  const { t } = useWords("data");
  const navigate = route.useNavigate();
  return (
    <Button
      variant="default"
      leftSection={<IconClockHour4 size={16} />}
      onClick={() => void navigate({ search: (old) => ({ ...old, at: new Date().toISOString() }) })}
    >
      {t("asOf.open")}
    </Button>
  );
}
