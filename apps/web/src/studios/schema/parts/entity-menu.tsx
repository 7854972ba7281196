/** What may be done with an entity as a whole: edit its names, delete it. */
import { deleteEntity, saveEntity } from "@accord/contracts/data/core-schema";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { ActionIcon, Button, Group, Menu, Modal, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { IconDots, IconPencil, IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { SCHEMA_READS } from "../queries.ts";
import { CORE } from "../schema.model.ts";
import { usesIn, UsesList } from "./uses-list.tsx";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export function EntityMenu({ entity }: { entity: CoreEntity }) {
  const { t } = useWords("schema");
  const navigate = useNavigate();
  const [asking, setAsking] = useState<"edit" | "delete">();
  const remove = useCall(deleteEntity, { refreshes: SCHEMA_READS });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t("shell:action.more")}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setAsking("edit")}>
            {t("entity.edit")}
          </Menu.Item>
          <Menu.Item color="error" leftSection={<IconTrash size={16} />} onClick={() => setAsking("delete")}>
            {t("entity.delete")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={asking === "edit"}
        onClose={() => setAsking(undefined)}
        title={t("entity.editTitle", { name: entity.displayName })}
      >
        {asking === "edit" ? <NamesForm entity={entity} onClose={() => setAsking(undefined)} /> : null}
      </Modal>
      <ConfirmDialog
        opened={asking === "delete"}
        onClose={() => setAsking(undefined)}
        title={t("entity.deleteTitle", { name: entity.displayName })}
        action={t("entity.deleteDeed")}
        typeName={entity.apiName}
        onConfirm={async () => {
          await remove.mutateAsync({ params: { entityId: entity.id } });
          toast.success(t("entity.deleted", { name: entity.displayName }));
          await navigate({ to: "/schema-studio/synapse/$connectorId", params: { connectorId: CORE } });
        }}
      >
        <p>{t("entity.deleteBody")}</p>
        <UsesList uses={usesIn(remove.error)} />
      </ConfirmDialog>
    </>
  );
}

function NamesForm({ entity, onClose }: { entity: CoreEntity; onClose: () => void }) {
  const { t } = useWords("schema");
  const [names, setNames] = useState({
    displayName: entity.displayName,
    pluralName: entity.pluralName,
    description: entity.description,
    nameField: entity.nameField,
  });
  const save = useCall(saveEntity, { refreshes: SCHEMA_READS, onSuccess: onClose });
  const texts = entity.fields.filter(
    (field) => ["string", "picklist"].includes(field.dataType) && !field.isMultiValueField,
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({
          params: { entityId: entity.id },
          body: { ...names, tags: entity.tags, revision: entity.revision },
        });
      }}
    >
      <Stack gap={12}>
        <TextInput
          data-autofocus
          required
          label={t("create.displayName")}
          maxLength={120}
          value={names.displayName}
          onChange={(event) => setNames({ ...names, displayName: event.currentTarget.value })}
        />
        <TextInput
          required
          label={t("create.pluralName")}
          maxLength={120}
          value={names.pluralName}
          onChange={(event) => setNames({ ...names, pluralName: event.currentTarget.value })}
        />
        <Textarea
          autosize
          label={t("create.description")}
          maxLength={1000}
          value={names.description}
          onChange={(event) => setNames({ ...names, description: event.currentTarget.value })}
        />
        <Select
          label={t("create.nameField")}
          description={t("create.nameFieldHint")}
          placeholder={t("create.none")}
          clearable
          clearButtonProps={{ "aria-label": t("shell:action.clear") }}
          data={texts.map((field) => ({ value: field.apiName, label: field.displayName }))}
          value={names.nameField}
          onChange={(nameField) => setNames({ ...names, nameField })}
        />
        {save.error ? <RefusalBox error={save.error} /> : null}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t("shell:action.cancel")}
          </Button>
          <Button
            type="submit"
            loading={save.isPending}
            disabled={names.displayName.trim() === "" || names.pluralName.trim() === ""}
          >
            {t("shell:action.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
