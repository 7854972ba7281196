/** A core field for a field of the system that has none: proposed with its name and type, created and published. */
import { createField, getEntity, listEntities, publishEntity } from "@accord/contracts/data/core-schema";
import type { CoreEntity, CoreFieldInput } from "@accord/contracts/data/entities";
import { coreFieldsFrom } from "@accord/contracts/data/from-connector";
import { ApiName, type FieldSchema } from "@accord/contracts/data/schema";
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { isStale, isTransient } from "../../../../app/api-error.ts";
import { call } from "../../../../app/api.ts";
import { refresh, useEndpoint } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { useTypeWords } from "../../../../shared/words/type-words.ts";
import { nameOf } from "./use-drawing.ts";
import { useIsChanged } from "../../../../shared/unsaved-changes/unsaved-changes.tsx";
import { FormDialog } from "../../../../shared/unsaved-changes/form-overlays.tsx";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

interface Props {
  entity: CoreEntity;
  connectorId: string;
  /** The entity of the system that the field belongs to. */
  entityApiName: string;
  source: FieldSchema;
  onClose: () => void;
  /** With its api name, once it can be mapped. */
  onCreated: (apiName: string) => void;
}

interface Creation {
  body: CoreFieldInput;
  idempotencyKey: string;
}

/**
 * Creating is repeated from what is done: the field may be in the draft when publishing fails. Somebody else may have
 * changed that draft, removed the field from it or published it since.
 */
function useCreateField(entity: CoreEntity, onCreated: Props["onCreated"]) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [isCreated, setCreated] = useState(false);
  /** A creation whose answer is not known: sent again as it was, so that it is done once. */
  const [unsure, setUnsure] = useState<Creation>();
  const { id: entityId } = entity;
  const create = async (body: CoreFieldInput): Promise<CoreEntity> => {
    const creation = unsure ?? { body, idempotencyKey: crypto.randomUUID() };
    try {
      const { idempotencyKey } = creation;
      const draft = await call(createField, { params: { entityId }, body: creation.body }, { idempotencyKey });
      setUnsure(undefined);
      return draft;
    } catch (failure) {
      setUnsure(isTransient(failure) ? creation : undefined);
      throw failure;
    }
  };
  /** The draft as it is now, with the field. */
  const draftWith = async (body: CoreFieldInput): Promise<CoreEntity> => {
    const newest = isCreated ? await call(getEntity, { params: { entityId }, query: { version: "draft" } }) : undefined;
    if (newest?.fields.some(({ apiName }) => apiName === body.apiName)) return newest;
    setCreated(false);
    const draft = await create(body);
    setCreated(true);
    return draft;
  };
  const submit = async (body: CoreFieldInput): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const { hasDraft, revision } = await draftWith(body);
      if (hasDraft) await call(publishEntity, { params: { entityId }, body: { revision } });
      await refresh(getEntity, listEntities);
      onCreated(body.apiName);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return { error, isBusy, isCreated, isUnsure: unsure !== undefined, submit };
}

/** What the server would make of the field. */
function useProposedField({
  entity: { apiName, displayName },
  connectorId,
  entityApiName,
  source,
}: Props): CoreFieldInput | undefined {
  const existing = useEndpoint(listEntities, { query: { version: "published" } }).data?.entities ?? [];
  const schema = {
    apiName: entityApiName,
    displayName,
    custom: false,
    readOnly: false,
    child: false,
    fields: [source],
  };
  return coreFieldsFrom({ connectorId, entity: schema, existing, apiName })[0]?.field;
}

export function CreateFieldDialog(props: Props) {
  const { t } = useWords("sync");
  const typeWord = useTypeWords();
  const { entity, source, onClose } = props;
  const proposed = useProposedField(props);
  const { error, isBusy, isCreated, isUnsure, submit } = useCreateField(entity, props.onCreated);
  const [label, setLabel] = useState(nameOf(source, source.apiName));
  const [apiName, setApiName] = useState(proposed?.apiName ?? "");
  const isChanged = useIsChanged([label, apiName]);
  // A creation that is under way can't be cancelled, and maps the field when it ends.
  const close = () => {
    if (!isBusy) onClose();
  };
  const isNamed = ApiName.safeParse(apiName).success;
  return (
    <FormDialog
      isDirty={isChanged}
      opened
      onClose={close}
      closeButtonProps={{ disabled: isBusy }}
      title={t("mapper.create.title", { entity: entity.displayName })}
      size={440}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (proposed && !isBusy) void submit({ ...proposed, apiName, displayName: label.trim() });
        }}
      >
        <Stack gap={12}>
          <TextInput
            data-autofocus
            label={t("mapper.create.label")}
            value={label}
            maxLength={120}
            required
            readOnly={isCreated || isUnsure}
            onChange={(event) => setLabel(event.currentTarget.value)}
          />
          <TextInput
            label={t("mapper.create.apiName")}
            value={apiName}
            required
            readOnly={isCreated || isUnsure}
            error={isNamed ? undefined : t("mapper.create.apiNameWrong")}
            onChange={(event) => setApiName(event.currentTarget.value)}
          />
          <TextInput label={t("mapper.create.type")} value={typeWord(proposed?.dataType ?? source.dataType)} readOnly />
          <Publication entity={entity} error={error} isCreated={isCreated} isUnsure={isUnsure} />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" disabled={isBusy} onClick={close}>
              {t("shell:action.cancel")}
            </Button>
            <Button type="submit" loading={isBusy} disabled={!isNamed || label.trim() === ""}>
              {t("mapper.create.submit")}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}

/** What is published together with the field, and what became of the last try. */
function Publication({
  entity,
  error,
  isCreated,
  isUnsure,
}: {
  entity: CoreEntity;
  error: unknown;
  isCreated: boolean;
  isUnsure: boolean;
}) {
  const { t } = useWords("sync");
  const name = { entity: entity.displayName };
  const hasOtherChanges = isCreated ? isStale(error) : entity.hasDraft;
  const known = isCreated ? t("mapper.create.exists", name) : null;
  const exists = isUnsure ? t("mapper.create.unknown") : known;
  return (
    <>
      <Text size="sm" c="dimmed">
        {t(hasOtherChanges ? "mapper.create.hasDraft" : "mapper.create.publishes", name)}
      </Text>
      {error === undefined ? null : <RefusalBox error={error}>{exists ? <p>{exists}</p> : null}</RefusalBox>}
    </>
  );
}
