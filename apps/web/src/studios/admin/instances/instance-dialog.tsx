/** Creates an instance, or changes the names and activity of one. */
import {
  createInstance,
  DISPLAY_NAME_MAX,
  INSTANCE_TYPES,
  InstanceType,
  listInstances,
  listMyInstances,
  updateInstance,
  type Instance,
} from "@accord/contracts/identity/instances";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { FormActions, FormStack } from "@accord/ui";
import { Button, Select, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { sanitiseName } from "../../../shared/names.ts";
import { useIsChanged } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { FormDialog } from "../../../shared/unsaved-changes/form-overlays.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export function InstanceDialog({ instance, onClose }: { instance?: Instance; onClose: () => void }) {
  const { t } = useWords("identity");
  const session = useSession();
  const [displayName, setDisplayName] = useState(instance?.displayName ?? "");
  const [name, setName] = useState(instance?.name);
  const [type, setType] = useState<InstanceType>(instance?.type ?? "production");
  const [active, setActive] = useState(instance?.active ?? true);
  const isChanged = useIsChanged([displayName, name, type, active]);
  const shortName = name ?? sanitiseName(displayName).slice(0, 60);
  const done = () => {
    toast.success(t("instances.saved"));
    onClose();
  };
  const refreshes = [listInstances, listMyInstances, getCurrentUser];
  const create = useCall(createInstance, { refreshes, onSuccess: done });
  const update = useCall(updateInstance, { refreshes, onSuccess: done });
  const refused = create.error ?? update.error;
  const problemOf = (path: string) => (refused instanceof ApiError ? refused.problemOf(path) : undefined);

  const submit = () => {
    if (!instance) return create.mutate({ body: { name: shortName, displayName, type } });
    const typeChange = type === instance.type ? {} : { type };
    update.mutate({
      params: { instanceId: instance.accordId },
      body: { name: shortName, displayName, active, version: instance.version, ...typeChange },
    });
  };

  return (
    <FormDialog
      isDirty={isChanged}
      opened
      onClose={onClose}
      size={460}
      title={instance ? t("instances.editTitle", { name: instance.displayName }) : t("instances.createTitle")}
    >
      <FormStack onSubmit={submit}>
        {refused && !(refused instanceof ApiError && refused.fieldProblems.length > 0) ? (
          <RefusalBox error={refused} />
        ) : null}
        <TextInput
          data-autofocus
          required
          withAsterisk={false}
          label={t("instances.name")}
          maxLength={DISPLAY_NAME_MAX}
          value={displayName}
          error={problemOf("displayName")}
          onChange={(event) => setDisplayName(event.currentTarget.value)}
        />
        <TextInput
          required
          withAsterisk={false}
          label={t("instances.apiName")}
          description={t("instances.apiNameHint")}
          maxLength={60}
          pattern="[A-Za-z0-9_\-]+"
          value={shortName}
          error={problemOf("name")}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {instance === undefined || session.superAdmin ? (
          <Select
            label={t("instances.type")}
            data={INSTANCE_TYPES.map((value) => ({ value, label: t(`instances.type${value}`) }))}
            value={type}
            onChange={(value) => setType(InstanceType.catch("production").parse(value))}
          />
        ) : null}
        {instance ? (
          <Switch
            label={t("instances.active")}
            description={t("instances.activeHint")}
            checked={active}
            onChange={(event) => setActive(event.currentTarget.checked)}
          />
        ) : null}
        <FormActions>
          <Button variant="default" onClick={onClose}>
            {t("shell:action.cancel")}
          </Button>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {instance ? t("shell:action.save") : t("instances.create")}
          </Button>
        </FormActions>
      </FormStack>
    </FormDialog>
  );
}
