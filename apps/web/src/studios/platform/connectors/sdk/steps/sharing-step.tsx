/** Step 3 of an uploaded synapse, Sharing options: who else may connect what is approved, and what stays with its author. */
import type { ReplyOf } from "@accord/contracts";
import type { getSdkSynapseShare } from "@accord/contracts/connections/sdk-synapses";
import type { SdkSynapse, ShareScope } from "@accord/contracts/connections/sdk-synapse-shapes";
import { Card, ErrorBox, FormIntro, FormSkeleton } from "@accord/ui";
import { MultiSelect, Select, Switch } from "@mantine/core";
import { useWords } from "../../../../../app/words.ts";
import { QueryView } from "../../../../../shared/query-view.tsx";
import { useShareScope } from "../../custom/synapse-queries.ts";
import { useSdkShare } from "../sdk-queries.ts";
import type { SharingForm } from "../use-sharing.ts";

const SCOPES = ["PRIVATE", "SUBSCRIPTION", "SELECTED"] as const satisfies readonly ShareScope[];

interface SharingStepProps {
  synapse: SdkSynapse;
  sharing: SharingForm;
  readOnly: boolean;
}

export function SharingStep({ synapse, sharing, readOnly }: SharingStepProps) {
  const share = useSdkShare(synapse.connectorMetaDefinitionId);
  return (
    <QueryView query={share} skeleton={<FormSkeleton fields={2} />}>
      {(stored) => <Sharing synapse={synapse} stored={stored} sharing={sharing} readOnly={readOnly} />}
    </QueryView>
  );
}

function Sharing({
  synapse,
  stored,
  sharing,
  readOnly,
}: SharingStepProps & { stored: ReplyOf<typeof getSdkSynapseShare> }) {
  const { t } = useWords("sdkSynapses");
  const scopes = useShareScope();
  // What is global is shared in one of these ways beside it.
  const storedScope = stored.scope === "GLOBAL" ? "PRIVATE" : stored.scope;
  const scope = sharing.typed.scope ?? storedScope;
  const instanceIds = sharing.typed.instanceIds ?? stored.instanceIds;
  const isNarrower =
    SCOPES.indexOf(scope) !== SCOPES.indexOf(storedScope) && storedScope !== "PRIVATE" && synapse.published !== null;
  const put = (part: Partial<{ scope: (typeof SCOPES)[number]; instanceIds: string[] }>): void =>
    sharing.change({ scope, instanceIds, ...part });
  return (
    <div className="ac-sdk">
      <FormIntro>{t("sharing.lead")}</FormIntro>
      <Select
        label={t("sharing.scope")}
        allowDeselect={false}
        disabled={readOnly}
        data={SCOPES.map((value) => ({ value, label: t(`sharing.scopes.${value}`) }))}
        value={scope}
        onChange={(value) => put({ scope: SCOPES.find((known) => known === value) ?? "PRIVATE" })}
      />
      {scope === "SELECTED" ? (
        <QueryView query={scopes} skeleton={<FormSkeleton fields={1} />}>
          {({ instances }) =>
            instances.length === 0 ? (
              <ErrorBox tone={sharing.isIncomplete ? "error" : "info"} message={t("sharing.noInstances")} />
            ) : (
              <MultiSelect
                label={t("sharing.instances")}
                searchable
                disabled={readOnly}
                data={instances.map(({ id, displayName }) => ({ value: id, label: displayName }))}
                value={instanceIds}
                error={sharing.isIncomplete ? t("sharing.chooseOne") : undefined}
                onChange={(value) => put({ instanceIds: value })}
              />
            )
          }
        </QueryView>
      ) : null}
      {isNarrower ? <ErrorBox tone="warn" message={t("sharing.narrows")} /> : null}
      <Global synapse={synapse} sharing={sharing} readOnly={readOnly} />
      <Card title={t("sharing.rights")}>
        <FormIntro>{t("sharing.rightsBody")}</FormIntro>
      </Card>
    </div>
  );
}

/** It takes an approval to be in force, and none to end. */
function Global({ synapse, sharing, readOnly }: SharingStepProps) {
  const { t } = useWords("sdkSynapses");
  const isWanted = sharing.typed.publishToGlobal ?? synapse.publishToGlobal;
  const isSubmitted = synapse.hasDraft && synapse.approvalStatus !== "NEW";
  const isHeld = isSubmitted && !synapse.publishToGlobal;
  return (
    <Switch
      label={t("sharing.global")}
      description={t(isHeld ? "sharing.globalSubmitted" : synapse.isGlobal ? "sharing.isGlobal" : "sharing.globalHint")}
      disabled={readOnly || isHeld}
      checked={isWanted}
      onChange={(event) => sharing.change({ publishToGlobal: event.currentTarget.checked })}
    />
  );
}
