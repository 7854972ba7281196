/** The editor of one value, by the field's type. What it gives back is sent as it is; the server converts and checks. */
import type { CoreField } from "@accord/contracts/data/entities";
import type { Value } from "@accord/contracts/data/values";
import { Select, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../../app/words.ts";
import { asEntityId, useEntities, useReferenceChoices } from "../queries.ts";
import { editText, nameOf, textOf, type References } from "../value.model.ts";

export interface ValueInputProps {
  field: CoreField;
  /** What is entered so far: text for most types, a list for several values. */
  entry: Value;
  onChange: (entry: Value) => void;
  references: References;
  error?: string | undefined;
  label?: string;
  autoFocus?: boolean;
  disabled?: boolean;
  onEnter?: (() => void) | undefined;
}

export function ValueInput(props: ValueInputProps) {
  const { field, entry, onChange, error, label, autoFocus = false, disabled = false, onEnter } = props;
  const { t } = useWords("data");
  const shared = {
    label,
    error,
    disabled,
    autoFocus,
    "aria-label": label === undefined ? field.displayName : undefined,
  };
  if (field.isMultiValueField && field.dataType !== "reference") {
    const labels = new Map(field.picklist?.map((option) => [option.id, option.label]));
    const ids = new Map(field.picklist?.map((option) => [option.label, option.id]));
    return (
      <TagsInput
        {...shared}
        value={list(entry).map((id) => labels.get(id) ?? id)}
        onChange={(chosen) => onChange(chosen.map((text) => ids.get(text) ?? text))}
        data={[...ids.keys()]}
      />
    );
  }
  const text = typeof entry === "string" ? entry : editText(field, entry);
  const onKeyDown = (event: { key: string; preventDefault: () => void }) => {
    if (event.key !== "Enter" || !onEnter) return;
    event.preventDefault();
    onEnter();
  };
  switch (field.dataType) {
    case "boolean":
      return (
        <Select
          {...shared}
          value={entry === null || entry === "" ? null : String(entry)}
          onChange={(value) => onChange(value === null ? null : value === "true")}
          data={[
            { value: "true", label: t("record.yes") },
            { value: "false", label: t("record.no") },
          ]}
          clearable={field.nillable}
          clearButtonProps={{ "aria-label": t("record.clear") }}
        />
      );
    case "picklist":
      return (
        <Select
          {...shared}
          searchable
          value={text === "" ? null : text}
          onChange={onChange}
          data={withPresent(field, text)}
          clearable={field.nillable}
          clearButtonProps={{ "aria-label": t("record.clear") }}
          nothingFoundMessage={t("record.noReference")}
        />
      );
    case "reference":
      return <ReferenceInput {...props} />;
    case "object":
    case "child":
    case "complex":
      return (
        <Textarea
          {...shared}
          autosize
          minRows={3}
          maxRows={14}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          styles={{ input: { fontFamily: "var(--ac-mono)" } }}
        />
      );
    case "date":
    case "datetime":
    case "timestamp":
      return (
        <TextInput
          {...shared}
          type={field.dataType === "date" ? "date" : "datetime-local"}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      );
    case "password":
      return (
        <TextInput
          {...shared}
          type="password"
          autoComplete="new-password"
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      );
    default: {
      const isLong = field.dataType === "string" && (text.includes("\n") || text.length > 80);
      return isLong ? (
        <Textarea
          {...shared}
          autosize
          minRows={2}
          maxRows={12}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <TextInput
          {...shared}
          inputMode={field.dataType === "integer" ? "numeric" : field.dataType === "string" ? undefined : "decimal"}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      );
    }
  }
}

const list = (entry: Value): string[] =>
  Array.isArray(entry) ? entry.map(String) : entry === null || entry === "" ? [] : [String(entry)];

/** The options, and the present value when it is none of them any more. */
function withPresent(field: CoreField, present: string) {
  const options = (field.picklist ?? []).map(({ id, label }) => ({ value: id, label }));
  const known = present === "" || options.some(({ value }) => value === present);
  return known ? options : [{ value: present, label: present }, ...options];
}

function ReferenceInput({
  field,
  entry,
  onChange,
  references,
  error,
  label,
  autoFocus = false,
  disabled = false,
}: ValueInputProps) {
  const { t } = useWords("data");
  const [search, setSearch] = useState("");
  const entities = useEntities();
  const target = entities.data?.entities.find((entity) => entity.apiName === field.referenceTo);
  const choices = useReferenceChoices(target && asEntityId(target.id), search);
  const value = typeof entry === "string" && entry !== "" ? entry : null;
  const found = (choices.data?.records ?? []).map((record) => ({
    value: record.accordId as string,
    label: (target && nameOf(target, record.values)) || record.accordId,
  }));
  const present = value !== null && !found.some((choice) => choice.value === value);
  return (
    <Select
      label={label}
      aria-label={label === undefined ? field.displayName : undefined}
      error={error}
      disabled={disabled}
      autoFocus={autoFocus}
      searchable
      clearable={field.nillable}
      clearButtonProps={{ "aria-label": t("record.clear") }}
      placeholder={t("record.searchReference", { entity: target?.displayName ?? "" })}
      value={value}
      onChange={onChange}
      onSearchChange={setSearch}
      // The server has searched already, in all texts of the record and not in its name alone.
      filter={({ options }) => options}
      data={present ? [{ value, label: textOf(field, value, references) }, ...found] : found}
      nothingFoundMessage={t("record.noReference")}
    />
  );
}
