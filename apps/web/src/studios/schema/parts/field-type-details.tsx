/** What a field's type needs beside its name: length, digits, target, options. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { DataType } from "@accord/contracts/data/values";
import { ActionIcon, Button, Group, NumberInput, Select, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useWords } from "../../../app/words.ts";

/** A field as it is being written. */
export interface FieldDraft {
  displayName: string;
  apiName: string;
  dataType: DataType;
  description: string;
  isMultiValueField: boolean;
  unique: boolean;
  required: boolean;
  updateable: boolean;
  length: number | undefined;
  precision: number | undefined;
  scale: number | undefined;
  referenceTo: string | null;
  picklist: { id: string; label: string }[];
}

interface TypeDetailsProps {
  draft: FieldDraft;
  change: (part: Partial<FieldDraft>) => void;
  entities: readonly CoreEntity[];
  problemOf: (path: string) => string | undefined;
}

const numberOf = (value: string | number): number | undefined => (typeof value === "number" ? value : undefined);

export function TypeDetails({ draft, change, entities, problemOf }: TypeDetailsProps) {
  const { t } = useWords("schema");
  switch (draft.dataType) {
    case "string":
      return (
        <NumberInput
          label={t("field.length")}
          min={1}
          max={1_000_000}
          allowDecimal={false}
          value={draft.length ?? ""}
          onChange={(value) => change({ length: numberOf(value) })}
        />
      );
    case "decimal":
      return (
        <Group grow gap={8}>
          <NumberInput
            label={t("field.precision")}
            min={1}
            max={100}
            allowDecimal={false}
            value={draft.precision ?? ""}
            onChange={(value) => change({ precision: numberOf(value) })}
          />
          <NumberInput
            label={t("field.scale")}
            min={0}
            max={100}
            allowDecimal={false}
            value={draft.scale ?? ""}
            onChange={(value) => change({ scale: numberOf(value) })}
          />
        </Group>
      );
    case "reference":
      return (
        <Select
          required
          searchable
          label={t("field.referenceTo")}
          data={entities.map((entity) => ({ value: entity.apiName, label: entity.displayName }))}
          value={draft.referenceTo}
          error={problemOf("referenceTo")}
          onChange={(referenceTo) => change({ referenceTo })}
        />
      );
    case "picklist":
      return (
        <OptionList
          options={draft.picklist}
          problem={problemOf("picklist")}
          onChange={(picklist) => change({ picklist })}
        />
      );
    default:
      return null;
  }
}

interface OptionListProps {
  options: readonly { id: string; label: string }[];
  problem: string | undefined;
  onChange: (options: { id: string; label: string }[]) => void;
}

const idFor = (label: string): string =>
  label
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");

function OptionList({ options, problem, onChange }: OptionListProps) {
  const { t } = useWords("schema");
  const replace = (at: number, option: { id: string; label: string }) => onChange(options.with(at, option));
  return (
    <fieldset className="ac-options">
      <legend>{t("field.options")}</legend>
      {options.map((option, at) => (
        <div key={at} className="ac-options__row">
          <TextInput
            aria-label={t("field.optionLabel")}
            placeholder={t("field.optionLabel")}
            value={option.label}
            onChange={(event) => {
              const label = event.currentTarget.value;
              replace(at, {
                label,
                id: option.id === "" || option.id === idFor(option.label) ? idFor(label) : option.id,
              });
            }}
          />
          <TextInput
            aria-label={t("field.optionId")}
            placeholder={t("field.optionId")}
            value={option.id}
            styles={{ input: { fontFamily: "var(--ac-mono)" } }}
            onChange={(event) => replace(at, { ...option, id: event.currentTarget.value })}
          />
          <ActionIcon
            aria-label={t("field.removeOption", { label: option.label })}
            onClick={() => onChange(options.toSpliced(at, 1))}
          >
            <IconX size={15} />
          </ActionIcon>
        </div>
      ))}
      {problem ? (
        <p role="alert" className="ac-options__problem">
          {problem}
        </p>
      ) : null}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...options, { id: "", label: "" }])}
        style={{ justifySelf: "start" }}
      >
        {t("field.addOption")}
      </Button>
    </fieldset>
  );
}
