/** The fields of a described entity: label, type, path, id, watermark, and whether it is written. */
import { DATA_TYPES } from "@accord/contracts/data/values";
import { EmptyState } from "@accord/ui";
import { ActionIcon, Checkbox, NativeSelect, Radio, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useWords } from "../../../../app/words.ts";
import { isWritten, type EntityDraft, type FieldDraft } from "../http-entity.model.ts";

const TYPES = DATA_TYPES.filter((type) => type !== "password" && type !== "child" && type !== "complex");

export interface HttpFieldTableProps {
  draft: EntityDraft;
  onChange: (draft: EntityDraft) => void;
}

export function HttpFieldTable({ draft, onChange }: HttpFieldTableProps) {
  const { t } = useWords("connections");
  const fields = draft.fields ?? [];
  const put = (at: number, part: Partial<FieldDraft>) =>
    onChange({ ...draft, fields: fields.with(at, { ...(fields[at] as FieldDraft), ...part }) });
  if (fields.length === 0) return <EmptyState compact title={t("http.noFields")} />;
  return (
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
            <th scope="col" aria-label={t("shell:action.delete")} />
          </tr>
        </thead>
        <tbody>
          {fields.map((field, at) => (
            <tr key={field.apiName}>
              <td title={field.path || field.apiName}>
                <code>{field.apiName}</code>
              </td>
              <td>
                <TextInput
                  aria-label={`${t("http.fieldLabel")} ${field.apiName}`}
                  value={field.displayName}
                  maxLength={120}
                  onChange={(event) => put(at, { displayName: event.currentTarget.value })}
                />
              </td>
              <td>
                <NativeSelect
                  aria-label={`${t("http.fieldType")} ${field.apiName}`}
                  data={[...TYPES]}
                  value={field.dataType ?? "string"}
                  onChange={(event) => {
                    const { value } = event.currentTarget;
                    put(at, { dataType: TYPES.find((type) => type === value) ?? "string" });
                  }}
                />
              </td>
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
                <Checkbox
                  aria-label={`${t("http.canWrite")} ${field.apiName}`}
                  checked={isWritten(field)}
                  onChange={(event) => {
                    const { checked } = event.currentTarget;
                    put(at, { updateable: checked, initializable: checked });
                  }}
                />
              </td>
              <td>
                <ActionIcon
                  aria-label={t("http.removeField", { name: field.apiName })}
                  onClick={() => onChange({ ...draft, fields: fields.toSpliced(at, 1) })}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
