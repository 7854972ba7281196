/** The fields of a described entity: label, type, path, id, watermark, whether it is written and where to. */
import { DATA_TYPES, type DataType } from "@accord/contracts/data/values";
import { EmptyState, ErrorBox } from "@accord/ui";
import { ActionIcon, Checkbox, NativeSelect, Radio, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useTypeChoices } from "../../../shared/words/type-words.ts";
import { useWords } from "../../../app/words.ts";
import {
  isWritten,
  withoutField,
  WRITTEN,
  WRITTEN_WHEN,
  writtenWhen,
  type EntityDraft,
  type FieldDraft,
  type FieldUse,
} from "../http-entity.model.ts";

const TYPES: readonly DataType[] = DATA_TYPES.filter(
  (type) => type !== "password" && type !== "child" && type !== "complex",
);

export interface HttpFieldTableProps {
  draft: EntityDraft;
  problemOf: (path: string) => string | undefined;
  onChange: (draft: EntityDraft) => void;
}

export function HttpFieldTable({ draft, problemOf, onChange }: HttpFieldTableProps) {
  const { t } = useWords("connections");
  const fields = draft.fields ?? [];
  const [removed, setRemoved] = useState<{ name: string; uses: FieldUse[] } | null>(null);
  const remove = (name: string): void => {
    const { draft: next, uses } = withoutField(draft, name);
    setRemoved(uses.length > 0 ? { name, uses } : null);
    onChange(next);
  };
  const note = removed ? (
    <ErrorBox
      tone="info"
      message={t("http.removedUses", {
        name: removed.name,
        uses: removed.uses.map((use) => t(`http.fieldUses.${use}`)).join(", "),
      })}
    />
  ) : null;
  if (fields.length === 0)
    return (
      <>
        {note}
        <EmptyState compact title={t("http.noFields")} />
      </>
    );
  return (
    <>
      {note}
      <div className="ac-http__fields" role="region" aria-label={t("http.fields")} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("http.fieldName")}</th>
              <th scope="col">{t("http.fieldLabel")}</th>
              <th scope="col">{t("http.fieldType")}</th>
              <th scope="col">{t("http.isId")}</th>
              <th scope="col">{t("http.isWatermark")}</th>
              <th scope="col">{t("http.canWrite")}</th>
              <th scope="col">{t("http.writePath")}</th>
              <th scope="col" aria-label={t("shell:action.delete")} />
            </tr>
          </thead>
          <tbody>
            {fields.map((field, at) => (
              <FieldRow
                key={field.apiName}
                field={field}
                draft={draft}
                problemOf={(name) => problemOf(`fields.${at}.${name}`)}
                onChange={onChange}
                onField={(next) => onChange({ ...draft, fields: fields.with(at, next) })}
                onRemove={() => remove(field.apiName)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface FieldRowProps extends HttpFieldTableProps {
  field: FieldDraft;
  onField: (field: FieldDraft) => void;
  onRemove: () => void;
}

function FieldRow({ field, draft, problemOf, onChange, onField, onRemove }: FieldRowProps) {
  const { t } = useWords("connections");
  const put = (part: Partial<FieldDraft>) => onField({ ...field, ...part });
  const typeChoices = useTypeChoices();
  // One that is not offered otherwise stays a choice where it is what the field has.
  const types = DATA_TYPES.filter((type) => type === field.dataType || TYPES.includes(type));
  return (
    <tr>
      <td title={field.path || field.apiName}>
        <code>{field.apiName}</code>
      </td>
      <td>
        <TextInput
          aria-label={`${t("http.fieldLabel")} ${field.apiName}`}
          value={field.displayName}
          error={problemOf("displayName")}
          maxLength={120}
          onChange={(event) => put({ displayName: event.currentTarget.value })}
        />
      </td>
      <td>
        <NativeSelect
          aria-label={`${t("http.fieldType")} ${field.apiName}`}
          data={typeChoices(types)}
          value={field.dataType ?? "string"}
          error={problemOf("dataType")}
          onChange={(event) => {
            const { value } = event.currentTarget;
            put({ dataType: types.find((type) => type === value) ?? "string" });
          }}
        />
      </td>
      <FieldMarks field={field} draft={draft} problemOf={problemOf} onChange={onChange} put={put} />
      <td>
        <ActionIcon aria-label={t("http.removeField", { name: field.apiName })} onClick={onRemove}>
          <IconTrash size={15} />
        </ActionIcon>
      </td>
    </tr>
  );
}

interface FieldMarksProps extends HttpFieldTableProps {
  field: FieldDraft;
  put: (part: Partial<FieldDraft>) => void;
}

/** What a field is to the record, and how it is sent. */
function FieldMarks({ field, draft, problemOf, onChange, put }: FieldMarksProps) {
  const { t } = useWords("connections");
  return (
    <>
      <td>
        <Radio
          aria-label={`${t("http.isId")} ${field.apiName}`}
          name="http-id"
          checked={draft.idField === field.apiName}
          onChange={() => onChange({ ...draft, idField: field.apiName })}
        />
      </td>
      <td>
        <Checkbox
          aria-label={`${t("http.isWatermark")} ${field.apiName}`}
          checked={draft.watermarkField === field.apiName}
          onChange={(event) =>
            onChange({ ...draft, watermarkField: event.currentTarget.checked ? field.apiName : null })
          }
        />
      </td>
      <td>
        <NativeSelect
          aria-label={`${t("http.canWrite")} ${field.apiName}`}
          data={WRITTEN_WHEN.map((value) => ({ value, label: t(`http.written.${value}`) }))}
          value={writtenWhen(field)}
          onChange={(event) => {
            const { value } = event.currentTarget;
            put(WRITTEN[WRITTEN_WHEN.find((when) => when === value) ?? "always"]);
          }}
        />
      </td>
      <td>
        <TextInput
          aria-label={`${t("http.writePath")} ${field.apiName}`}
          placeholder={field.path || field.apiName}
          disabled={!isWritten(field)}
          maxLength={500}
          value={field.writePath ?? ""}
          error={problemOf("writePath")}
          onChange={(event) => put({ writePath: event.currentTarget.value })}
        />
      </td>
    </>
  );
}
