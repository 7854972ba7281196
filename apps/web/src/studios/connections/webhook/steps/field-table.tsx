/** The fields of a webhook's records as a person settles them: name in the payload, label, type, list or not. */
import { WEBHOOK_FIELD_TYPES } from "@accord/contracts/connections/webhooks";
import { ActionIcon, Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useWords } from "../../../../app/words.ts";
import { useTypeChoices } from "../../../../shared/words/type-words.ts";
import { NEW_FIELD, type FieldDraft, type Problems } from "../webhook-form.model.ts";

/** A type that a payload can have. */
export const fieldType = (dataType: string): FieldDraft["dataType"] =>
  WEBHOOK_FIELD_TYPES.find((known) => known === dataType) ?? "string";

export interface FieldTableProps {
  fields: readonly FieldDraft[];
  problems: Problems;
  onChange: (fields: FieldDraft[]) => void;
}

export function FieldTable({ fields, problems, onChange }: FieldTableProps) {
  const { t } = useWords("webhooks");
  return (
    <div className="ac-webhook__fields">
      {fields.length > 0 ? (
        <table>
          <thead>
            <tr>
              {(["fieldName", "fieldLabel", "fieldType", "isList"] as const).map((name) => (
                <th key={name} scope="col">
                  {t(`form.${name}`)}
                </th>
              ))}
              <th />
            </tr>
          </thead>
          <tbody>
            {fields.map((field, at) => (
              <FieldRow
                key={at}
                field={field}
                problem={problems[`fields.${at}.apiName`]}
                onChange={(part) => onChange(fields.map((one, index) => (index === at ? { ...one, ...part } : one)))}
                onRemove={() => onChange(fields.filter((_, index) => index !== at))}
              />
            ))}
          </tbody>
        </table>
      ) : null}
      <Button
        size="xs"
        variant="subtle"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...fields, NEW_FIELD])}
      >
        {t("form.addField")}
      </Button>
    </div>
  );
}

interface FieldRowProps {
  field: FieldDraft;
  problem: string | undefined;
  onChange: (part: Partial<FieldDraft>) => void;
  onRemove: () => void;
}

function FieldRow({ field, problem, onChange, onRemove }: FieldRowProps) {
  const { t } = useWords("webhooks");
  const typeChoices = useTypeChoices();
  const of = (label: string): string => `${label} ${field.apiName}`.trim();
  return (
    <tr>
      <td>
        <TextInput
          aria-label={of(t("form.fieldName"))}
          maxLength={200}
          value={field.apiName}
          error={problem}
          styles={{ input: { fontFamily: "var(--ac-mono)" } }}
          onChange={(event) => onChange({ apiName: event.currentTarget.value })}
        />
      </td>
      <td>
        <TextInput
          aria-label={of(t("form.fieldLabel"))}
          maxLength={120}
          value={field.displayName}
          onChange={(event) => onChange({ displayName: event.currentTarget.value })}
        />
      </td>
      <td>
        <NativeSelect
          aria-label={of(t("form.fieldType"))}
          data={typeChoices(WEBHOOK_FIELD_TYPES)}
          value={field.dataType}
          onChange={(event) => onChange({ dataType: fieldType(event.currentTarget.value) })}
        />
      </td>
      <td>
        <Checkbox
          aria-label={of(t("form.isList"))}
          checked={field.isMultiValueField}
          mt={6}
          onChange={(event) => onChange({ isMultiValueField: event.currentTarget.checked })}
        />
      </td>
      <td>
        <ActionIcon
          variant="subtle"
          size={30}
          aria-label={t("form.removeField", { name: field.apiName })}
          onClick={onRemove}
        >
          <IconX size={14} />
        </ActionIcon>
      </td>
    </tr>
  );
}
