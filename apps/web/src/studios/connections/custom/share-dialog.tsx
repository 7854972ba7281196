/** With whom an HTTP synapse is shared; narrowing it where somebody connected it is confirmed. */
import { shareSynapse, type ShareScope } from "@accord/contracts/connections/http-synapse-sharing";
import type { HttpSynapse } from "@accord/contracts/connections/http-synapses";
import { ErrorBox, FormIntro, FormSkeleton, FormStack } from "@accord/ui";
import { Button, Modal, MultiSelect, Select } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import { SYNAPSE_READS, useShareScope, useSynapseShare } from "./synapse-queries.ts";

interface ShareDialogProps {
  synapse: Pick<HttpSynapse, "id" | "displayName">;
  onClose: () => void;
}

export function ShareDialog({ synapse, onClose }: ShareDialogProps) {
  const { t } = useWords("customSynapses");
  const share = useSynapseShare(synapse.id);
  return (
    <Modal opened onClose={onClose} title={t("sharing.title", { name: synapse.displayName })} size={460}>
      <QueryView query={share} skeleton={<FormSkeleton fields={2} />}>
        {(data) => <ShareForm synapse={synapse} onClose={onClose} stored={data} />}
      </QueryView>
    </Modal>
  );
}

type Stored = { scope: ShareScope; instanceIds: string[] };

function ShareForm({ synapse, onClose, stored }: ShareDialogProps & { stored: Stored }) {
  const { t } = useWords("customSynapses");
  const scopes = useShareScope();
  const [scope, setScope] = useState<ShareScope>(stored.scope);
  const [instanceIds, setInstanceIds] = useState<string[]>(stored.instanceIds);
  const share = useCall(shareSynapse, { refreshes: [...SYNAPSE_READS] });
  const isBreaking = share.error instanceof ApiError && share.error.code === "breaking_changes";
  const save = async (): Promise<void> => {
    const body = { scope, instanceIds: scope === "INSTANCES" ? instanceIds : [], acceptBreaking: isBreaking };
    await share.mutateAsync({ params: { connectorMetaDefinitionId: synapse.id }, body });
    toast.success(t("sharing.saved"));
    onClose();
  };
  return (
    <QueryView query={scopes} skeleton={<FormSkeleton fields={2} />}>
      {({ scopes: offered, instances }) => (
        <FormStack onSubmit={() => void save().catch(() => {})}>
          <FormIntro>{t("sharing.lead")}</FormIntro>
          <Select
            label={t("sharing.scope")}
            allowDeselect={false}
            data={offered.map(({ id, label }) => ({ value: id, label }))}
            value={scope}
            onChange={(value) => {
              share.reset();
              setScope(offered.find(({ id }) => id === value)?.id ?? "PRIVATE");
            }}
          />
          {scope === "INSTANCES" ? (
            instances.length === 0 ? (
              <ErrorBox tone="info" message={t("sharing.noInstances")} />
            ) : (
              <MultiSelect
                label={t("sharing.instances")}
                data={instances.map(({ id, displayName }) => ({ value: id, label: displayName }))}
                value={instanceIds}
                onChange={(value) => {
                  share.reset();
                  setInstanceIds(value);
                }}
              />
            )
          ) : null}
          {isBreaking ? <ErrorBox tone="warn" message={t("sharing.breaks")} /> : null}
          {share.error && !isBreaking ? <RefusalBox error={share.error} /> : null}
          <Button type="submit" loading={share.isPending} color={isBreaking ? "error" : undefined}>
            {t(isBreaking ? "sharing.anyway" : "sharing.save")}
          </Button>
        </FormStack>
      )}
    </QueryView>
  );
}
