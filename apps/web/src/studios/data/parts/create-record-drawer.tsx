/** A new record: the fields a person may set, each with its own error. */
import type { CoreEntity, CoreField } from "@accord/contracts/data/entities";
import {
  countRecords,
  createRecord,
  getRecordCounts,
  searchRecords,
  type FieldErrors,
} from "@accord/contracts/data/records";
import type { Value, Values } from "@accord/contracts/data/values";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { focusFirstProblem } from "../../../shared/first-problem.ts";
import { toast } from "../../../shared/toast.tsx";
import { readEntry } from "../value.model.ts";
import { ValueInput } from "./value-input.tsx";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { FormDrawer } from "../../../shared/unsaved-changes/form-overlays.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export interface CreateRecordDrawerProps {
  entity: CoreEntity;
  opened: boolean;
  onClose: () => void;
}

export function CreateRecordDrawer({ entity, opened, onClose }: CreateRecordDrawerProps) {
  const { t } = useWords("data");
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={460}
      title={t("create.title", { name: entity.displayName })}
    >
      {opened ? <CreateForm entity={entity} onClose={onClose} /> : null}
    </FormDrawer>
  );
}

const isOffered = (field: CoreField): boolean => field.initializable && !field.calculated && !field.isSystem;

function CreateForm({ entity, onClose }: Omit<CreateRecordDrawerProps, "opened">) {
  const { t } = useWords("data");
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const fields = entity.fields.filter(isOffered);
  const [entries, setEntries] = useState<Values>({});
  useUnsavedChanges(Object.keys(entries).length > 0);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState<unknown>();
  const create = useCall(createRecord, { refreshes: [searchRecords, countRecords, getRecordCounts] });

  const refuse = (found: FieldErrors) => {
    setErrors(found);
    focusFirstProblem(form.current);
  };

  const submit = async () => {
    setProblem(undefined);
    const { values, problems } = readEntries(fields, entries, t("record.invalidJson"));
    if (Object.keys(problems).length > 0) return refuse(problems);
    try {
      const { record, errors: refused } = await create.mutateAsync({
        params: { entityId: entity.id },
        body: { values },
      });
      if (!record) return refuse(refused);
      toast.success(t("create.created"));
      onClose();
      await navigate({
        to: "/data-studio/entity/$entityId/record/$recordId/fields",
        params: { entityId: entity.id, recordId: record.accordId },
        ignoreBlocker: true,
      });
    } catch (error) {
      setProblem(error);
    }
  };

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap={12}>
        <Text size="sm" c="dimmed">
          {t("create.hint")}
        </Text>
        {fields.map((field) => (
          <ValueInput
            key={field.id}
            field={field}
            label={field.nillable ? field.displayName : `${field.displayName} *`}
            entry={entries[field.apiName] ?? field.defaultValue ?? ""}
            onChange={(entry) => {
              setEntries((old) => ({ ...old, [field.apiName]: entry }));
              setErrors(({ [field.apiName]: _mended, ...rest }) => rest);
            }}
            references={{}}
            error={errors[field.apiName]}
          />
        ))}
        {problem === undefined ? null : <RefusalBox error={problem} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t("shell:action.cancel")}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t("create.submit")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function readEntries(fields: readonly CoreField[], entries: Values, invalid: string) {
  const values: Values = {};
  const problems: FieldErrors = {};
  for (const field of fields) {
    const entry: Value | undefined = entries[field.apiName];
    if (entry === undefined || entry === "" || entry === null) continue;
    const read = typeof entry === "string" ? readEntry(field, entry) : { ok: true as const, value: entry };
    if (read.ok) values[field.apiName] = read.value;
    else problems[field.apiName] = invalid;
  }
  return { values, problems };
}
