/** A new entity of the unified model, made from an entity of a connected system with the fields chosen. */
import { createEntityFromConnector } from "@accord/contracts/data/core-schema";
import type { Id } from "@accord/contracts";
import { EmptyState, FormSkeleton } from "@accord/ui";
import { Button, Checkbox, Group, Select, Stack, Text } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { useTypeWords } from "../../../shared/words/type-words.ts";
import { toast } from "../../../shared/toast.tsx";
import { SCHEMA_READS, useSystemEntities, useSystemEntity, useSystems } from "../queries.ts";
import { CORE } from "../schema.model.ts";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { FormDrawer } from "../../../shared/unsaved-changes/form-overlays.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export function FromSystemDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useWords("schema");
  return (
    <FormDrawer opened={opened} onClose={onClose} position="right" size={460} title={t("fromSystem")}>
      {opened ? <FromSystemForm onClose={onClose} /> : null}
    </FormDrawer>
  );
}

function FromSystemForm({ onClose }: { onClose: () => void }) {
  const { t } = useWords("schema");
  const typeWord = useTypeWords();
  const navigate = useNavigate();
  const systems = useSystems();
  const [connectorId, setConnectorId] = useState<string>();
  const [entityApiName, setEntityApiName] = useState<string>();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  useUnsavedChanges(left.size > 0);
  const entities = useSystemEntities(connectorId);
  const entity = useSystemEntity(connectorId, entityApiName);
  const create = useCall(createEntityFromConnector, { refreshes: SCHEMA_READS });

  if (!systems.data) return <FormSkeleton fields={3} />;
  const active = systems.data.connectors.filter((each) => each.status === "ACTIVE");
  if (active.length === 0)
    return (
      <EmptyState
        compact
        icon={<IconPlugConnectedX size={20} />}
        title={t("create.noActive")}
        action={
          <Button component={Link} to={"/synapses" as string}>
            {t("connect")}
          </Button>
        }
      />
    );
  const offered = (entity.data?.schema.fields ?? []).filter((field) => field.status === "ACTIVE");
  const chosen = offered.filter((field) => !left.has(field.apiName)).map((field) => field.apiName);

  const submit = async (publish: boolean) => {
    if (!connectorId || !entityApiName) return;
    const made = await create
      .mutateAsync({ body: { connectorId: connectorId as Id<"connector">, entityApiName, fields: chosen, publish } })
      .catch(() => undefined);
    if (!made) return;
    toast.success(t("create.created", { name: made.displayName }));
    await navigate({
      to: "/schema-studio/synapse/$connectorId/entity/$entityApiName/$version",
      params: { connectorId: CORE, entityApiName: made.apiName, version: publish ? "published" : "draft" },
      ignoreBlocker: true,
    });
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit(true);
      }}
    >
      <Stack gap={12}>
        <Select
          data-autofocus
          label={t("create.system")}
          placeholder={t("create.pickSystem")}
          data={active.map((each) => ({ value: each.id, label: each.name }))}
          value={connectorId ?? null}
          onChange={(value) => {
            setConnectorId(value ?? undefined);
            setEntityApiName(undefined);
          }}
        />
        <Select
          label={t("create.systemEntity")}
          placeholder={t("create.pickEntity")}
          searchable
          disabled={!connectorId}
          data={(entities.data?.entities ?? []).map((each) => ({ value: each.apiName, label: each.displayName }))}
          value={entityApiName ?? null}
          onChange={(value) => {
            setEntityApiName(value ?? undefined);
            setLeft(new Set());
          }}
        />
        {entityApiName && entity.data ? (
          <fieldset className="ac-choose">
            <Group justify="space-between" mb={6}>
              <legend style={{ float: "left" }}>{t("create.chooseFields")}</legend>
              <Group gap={4}>
                <Button size="compact-xs" variant="subtle" onClick={() => setLeft(new Set())}>
                  {t("create.all")}
                </Button>
                <Button
                  size="compact-xs"
                  variant="subtle"
                  onClick={() => setLeft(new Set(offered.map((field) => field.apiName)))}
                >
                  {t("create.nothing")}
                </Button>
              </Group>
            </Group>
            <div className="ac-choose-fields" tabIndex={0} role="group" aria-label={t("create.chooseFields")}>
              {offered.map((field) => (
                <Checkbox
                  key={field.apiName}
                  label={field.displayName || field.apiName}
                  description={`${field.apiName} · ${typeWord(field.dataType)}`}
                  checked={!left.has(field.apiName)}
                  onChange={(event) => {
                    const next = new Set(left);
                    if (event.currentTarget.checked) next.delete(field.apiName);
                    else next.add(field.apiName);
                    setLeft(next);
                  }}
                />
              ))}
            </div>
            <Text size="xs" c="dimmed" mt={6}>
              {t("create.keptReferences")}
            </Text>
          </fieldset>
        ) : null}
        {create.error ? <RefusalBox error={create.error} /> : null}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t("shell:action.cancel")}
          </Button>
          <Button
            variant="default"
            disabled={chosen.length === 0}
            loading={create.isPending}
            onClick={() => void submit(false)}
          >
            {t("create.draft")}
          </Button>
          <Button type="submit" disabled={chosen.length === 0} loading={create.isPending}>
            {t("create.publish")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
