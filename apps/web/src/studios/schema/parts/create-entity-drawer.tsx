/** A new entity of the unified model, made by hand. Fields follow on its page. */
import { createEntity } from "@accord/contracts/data/core-schema";
import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { SCHEMA_READS } from "../queries.ts";
import { CORE, entityApiNameFor } from "../schema.model.ts";
import { useIsChanged, useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { FormDrawer } from "../../../shared/unsaved-changes/form-overlays.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export function CreateEntityDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useWords("schema");
  return (
    <FormDrawer opened={opened} onClose={onClose} position="right" size={440} title={t("create.title")}>
      {opened ? <CreateForm onClose={onClose} /> : null}
    </FormDrawer>
  );
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const { t } = useWords("schema");
  const navigate = useNavigate();
  const [names, setNames] = useState({ displayName: "", pluralName: "", apiName: "", description: "" });
  useUnsavedChanges(useIsChanged(names));
  const [named, setNamed] = useState(false);
  const create = useCall(createEntity, { refreshes: SCHEMA_READS });
  const problem = create.error;
  const problemOf = (path: string) => (problem instanceof ApiError ? problem.problemOf(path) : undefined);
  const nameProblem =
    problem instanceof ApiError && problem.code === "name_taken" ? problem.message : problemOf("apiName");

  const submit = async () => {
    const { pluralName, ...rest } = names;
    const entity = await create
      .mutateAsync({ body: { ...rest, ...(pluralName.trim() ? { pluralName } : {}) } })
      .catch(() => undefined);
    if (!entity) return;
    toast.success(t("create.created", { name: entity.displayName }));
    await navigate({
      to: "/schema-studio/synapse/$connectorId/entity/$entityApiName/$version",
      params: { connectorId: CORE, entityApiName: entity.apiName, version: "draft" },
      ignoreBlocker: true,
    });
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap={12}>
        <TextInput
          data-autofocus
          required
          label={t("create.displayName")}
          description={t("create.displayNameHint")}
          maxLength={120}
          value={names.displayName}
          error={problemOf("displayName")}
          onChange={(event) => {
            const displayName = event.currentTarget.value;
            setNames({ ...names, displayName, ...(named ? {} : { apiName: entityApiNameFor(displayName) }) });
          }}
        />
        <TextInput
          label={t("create.pluralName")}
          description={t("create.pluralHint")}
          maxLength={120}
          value={names.pluralName}
          onChange={(event) => setNames({ ...names, pluralName: event.currentTarget.value })}
        />
        <TextInput
          required
          label={t("create.apiName")}
          description={t("create.apiNameHint")}
          maxLength={50}
          value={names.apiName}
          error={nameProblem}
          styles={{ input: { fontFamily: "var(--ac-mono)" } }}
          onChange={(event) => {
            setNamed(true);
            setNames({ ...names, apiName: event.currentTarget.value });
          }}
        />
        <Textarea
          autosize
          label={t("create.description")}
          maxLength={1000}
          value={names.description}
          onChange={(event) => setNames({ ...names, description: event.currentTarget.value })}
        />
        {problem && !nameProblem && !problemOf("displayName") ? <RefusalBox error={problem} /> : null}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t("shell:action.cancel")}
          </Button>
          <Button
            type="submit"
            loading={create.isPending}
            disabled={names.displayName.trim() === "" || names.apiName.trim() === ""}
          >
            {t("create.draft")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
