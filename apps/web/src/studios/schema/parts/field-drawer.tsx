/** Adds or edits one field of a draft. */
import { createField, deleteField, saveField } from "@accord/contracts/data/core-schema";
import type { CoreEntity, CoreField } from "@accord/contracts/data/entities";
import type { DataType } from "@accord/contracts/data/values";
import { ErrorBox } from "@accord/ui";
import { Button, Checkbox, Group, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { useTypeWords } from "../../../shared/words/type-words.ts";
import { toast } from "../../../shared/toast.tsx";
import { SCHEMA_READS } from "../queries.ts";
import { apiNameFor, CHOOSABLE_TYPES } from "../schema.model.ts";
import { TypeDetails, type FieldDraft } from "./field-type-details.tsx";
import { usesIn, UsesList } from "./uses-list.tsx";
import { useIsChanged, useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { FormDrawer } from "../../../shared/unsaved-changes/form-overlays.tsx";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

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
    <FormDrawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={440}
      title={field ? t("field.editTitle", { name: field.displayName }) : t("field.add")}
    >
      {opened ? <FieldForm key={field?.id ?? "new"} {...props} /> : null}
    </FormDrawer>
  );
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
  const typeWord = useTypeWords();
  const [draft, setDraft] = useState(() => draftOf(field));
  useUnsavedChanges(useIsChanged(draft));
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
          data={types.map((type) => ({ value: type, label: typeWord(type) }))}
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
        {general ? <RefusalBox error={problem} /> : null}
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
          action={t("field.deleteDeed")}
          showError={(error) =>
            usesIn(error).length > 0 ? (
              <ErrorBox message={t("field.inUse", { name: field.displayName })} />
            ) : (
              <RefusalBox error={error} />
            )
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
