/** Adds or edits one field of a draft. */
import { createField, deleteField, saveField } from "@accord/contracts/data/core-schema";
import type { CoreEntity, CoreField } from "@accord/contracts/data/entities";
import type { DataType } from "@accord/contracts/data/values";
import { ConfirmDialog, ErrorBox } from "@accord/ui";
import {
  ActionIcon,
  Button,
  Checkbox,
  Drawer,
  Group,
  NumberInput,
  Select,
  Stack,
  Textarea,
  TextInput,
} from "@mantine/core";
import { IconPlus, IconTrash, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { ApiError, wordsOf } from "../../../../app/api-error.ts";
import { useCall } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { SCHEMA_READS } from "../queries.ts";
import { apiNameFor, CHOOSABLE_TYPES } from "../schema.model.ts";
import { usesIn, UsesList } from "./uses-list.tsx";

export interface FieldDrawerProps {
  opened: boolean;
  /** The newest version. */
  entity: CoreEntity;
  /** undefined: a new field. */
  field: CoreField | undefined;
  publishedField: CoreField | undefined;
  entities: readonly CoreEntity[];
  onClose: () => void;
  /** The draft has changed: a field was saved or removed. */
  onSaved: () => void;
}

export function FieldDrawer(props: FieldDrawerProps) {
  const { t } = useWords("schema");
  const { opened, field, onClose } = props;
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={440}
      title={field ? t("field.editTitle", { name: field.displayName }) : t("field.add")}
    >
      {opened ? <FieldForm key={field?.id ?? "new"} {...props} /> : null}
    </Drawer>
  );
}

interface FieldDraft {
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

const draftOf = (field: CoreField | undefined): FieldDraft => ({
  displayName: field?.displayName ?? "",
  apiName: field?.apiName ?? "",
  dataType: field?.dataType ?? "string",
  description: field?.description ?? "",
  isMultiValueField: field?.isMultiValueField ?? false,
  unique: field?.unique ?? false,
  required: field ? !field.nillable : false,
  updateable: field?.updateable ?? true,
  length: field?.length,
  precision: field?.precision,
  scale: field?.scale,
  referenceTo: field?.referenceTo ?? null,
  picklist: field?.picklist ?? [],
});

const ofType = {
  text: (type: DataType) => type === "string",
  exact: (type: DataType) => type === "decimal",
  plain: (type: DataType) => !["object", "child", "complex", "boolean", "password"].includes(type),
};

/** What is sent: only what the type knows. */
function bodyOf(draft: FieldDraft, before: CoreField | undefined) {
  const { dataType, description, length, precision, scale, referenceTo, required, picklist, ...rest } = draft;
  const plain = ofType.plain(dataType);
  return {
    ...rest,
    dataType,
    custom: before?.custom ?? true,
    nillable: !required,
    initializable: before?.initializable ?? true,
    createOnly: before?.createOnly ?? false,
    calculated: before?.calculated ?? false,
    unique: plain && !draft.isMultiValueField && draft.unique,
    isMultiValueField: plain && draft.isMultiValueField,
    ...(before?.defaultValue === undefined ? {} : { defaultValue: before.defaultValue }),
    ...(description.trim() === "" ? {} : { description }),
    ...(ofType.text(dataType) && length ? { length } : {}),
    ...(ofType.exact(dataType) && precision ? { precision, scale: scale ?? 0 } : {}),
    ...(dataType === "reference" && referenceTo ? { referenceTo } : {}),
    ...(dataType === "picklist" ? { picklist: picklist.filter((option) => option.label.trim() !== "") } : {}),
  };
}

function FieldForm({ entity, field, publishedField, entities, onClose, onSaved }: FieldDrawerProps) {
  const { t } = useWords("schema");
  const [draft, setDraft] = useState(() => draftOf(field));
  const [named, setNamed] = useState(field !== undefined);
  const [removing, setRemoving] = useState(false);
  const done = () => {
    toast.success(t("field.saved", { name: draft.displayName }));
    onSaved();
  };
  const create = useCall(createField, { refreshes: SCHEMA_READS, onSuccess: done });
  const save = useCall(saveField, { refreshes: SCHEMA_READS, onSuccess: done });
  const remove = useCall(deleteField, { refreshes: SCHEMA_READS });
  const problem = field ? save.error : create.error;
  const problemOf = (path: string) => (problem instanceof ApiError ? problem.problemOf(path) : undefined);
  const nameProblem =
    problem instanceof ApiError && problem.code === "name_taken" ? problem.message : problemOf("apiName");
  const placed = ["apiName", "displayName", "dataType", "referenceTo", "picklist", "unique"];
  const general = problem && !nameProblem && !placed.some((path) => problemOf(path) !== undefined);
  const change = (part: Partial<FieldDraft>) => setDraft((old) => ({ ...old, ...part }));

  const submit = () => {
    const body = bodyOf(draft, field);
    if (field)
      save.mutate({ params: { entityId: entity.id, fieldId: field.id }, body: { ...body, revision: entity.revision } });
    else create.mutate({ params: { entityId: entity.id }, body });
  };
  const types: DataType[] = CHOOSABLE_TYPES.some((type) => type === draft.dataType)
    ? [...CHOOSABLE_TYPES]
    : [...CHOOSABLE_TYPES, draft.dataType];

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap={12}>
        <TextInput
          data-autofocus
          required
          label={t("field.displayName")}
          maxLength={120}
          value={draft.displayName}
          error={problemOf("displayName")}
          onChange={(event) => {
            const displayName = event.currentTarget.value;
            change(named ? { displayName } : { displayName, apiName: apiNameFor(displayName) });
          }}
        />
        <TextInput
          required
          label={t("field.apiName")}
          description={publishedField ? t("field.apiNameFixed") : undefined}
          disabled={publishedField !== undefined}
          maxLength={50}
          value={draft.apiName}
          error={nameProblem}
          styles={{ input: { fontFamily: "var(--ac-mono)" } }}
          onChange={(event) => {
            setNamed(true);
            change({ apiName: event.currentTarget.value });
          }}
        />
        <Select
          label={t("field.type")}
          description={publishedField ? t("field.typeFixed") : undefined}
          allowDeselect={false}
          data={types.map((type) => ({ value: type, label: t(`type.${type}`) }))}
          value={draft.dataType}
          error={problemOf("dataType")}
          onChange={(type) => type && change({ dataType: type as DataType })}
        />
        <TypeDetails draft={draft} change={change} entities={entities} problemOf={problemOf} />
        <Textarea
          autosize
          label={t("field.description")}
          maxLength={1000}
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        {ofType.plain(draft.dataType) ? (
          <>
            <Checkbox
              label={t("field.multi")}
              checked={draft.isMultiValueField}
              onChange={(event) => change({ isMultiValueField: event.currentTarget.checked })}
            />
            <Checkbox
              label={t("field.unique")}
              description={t("field.uniqueHint")}
              disabled={draft.isMultiValueField}
              checked={draft.unique && !draft.isMultiValueField}
              error={problemOf("unique")}
              onChange={(event) => change({ unique: event.currentTarget.checked })}
            />
          </>
        ) : null}
        <Checkbox
          label={t("field.required")}
          description={t("field.requiredHint")}
          checked={draft.required}
          onChange={(event) => change({ required: event.currentTarget.checked })}
        />
        <Checkbox
          label={t("field.updateable")}
          description={t("field.updateableHint")}
          checked={draft.updateable}
          onChange={(event) => change({ updateable: event.currentTarget.checked })}
        />
        {general ? (
          <ErrorBox
            message={wordsOf(problem)}
            requestId={problem instanceof ApiError ? problem.requestId : undefined}
          />
        ) : null}
        <Group justify="space-between" gap={8}>
          {field ? (
            <Button
              variant="subtle"
              color="error"
              leftSection={<IconTrash size={16} />}
              onClick={() => setRemoving(true)}
            >
              {t("field.delete")}
            </Button>
          ) : (
            <span />
          )}
          <Group gap={8}>
            <Button variant="default" onClick={onClose}>
              {t("shell:action.cancel")}
            </Button>
            <Button
              type="submit"
              loading={create.isPending || save.isPending}
              disabled={draft.displayName.trim() === "" || draft.apiName.trim() === ""}
            >
              {t("field.save")}
            </Button>
          </Group>
        </Group>
      </Stack>
      {field ? (
        <ConfirmDialog
          opened={removing}
          onClose={() => setRemoving(false)}
          title={t("field.deleteTitle", { name: field.displayName })}
          deed={t("field.deleteDeed")}
          wordsOf={(error) =>
            usesIn(error).length > 0 ? t("field.inUse", { name: field.displayName }) : wordsOf(error)
          }
          onConfirm={async () => {
            await remove.mutateAsync({ params: { entityId: entity.id, fieldId: field.id } });
            toast.success(t("field.deleted", { name: field.displayName }));
            onSaved();
          }}
        >
          <p>{t("field.deleteBody")}</p>
          <UsesList uses={usesIn(remove.error)} />
        </ConfirmDialog>
      ) : null}
    </form>
  );
}

interface TypeDetailsProps {
  draft: FieldDraft;
  change: (part: Partial<FieldDraft>) => void;
  entities: readonly CoreEntity[];
  problemOf: (path: string) => string | undefined;
}

const numberOf = (value: string | number): number | undefined => (typeof value === "number" ? value : undefined);

function TypeDetails({ draft, change, entities, problemOf }: TypeDetailsProps) {
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
