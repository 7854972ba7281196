/** Step 3 of an uploaded synapse, Sharing options: who else may connect what is approved, and what stays with its author. */
import type { ReplyOf } from "@accord/contracts";
import type { getSdkSynapseShare } from "@accord/contracts/connections/sdk-synapse-sharing";
import type { SdkSynapse, ShareScope } from "@accord/contracts/connections/sdk-synapse-shapes";
import { Card, ErrorBox, FormIntro, FormSkeleton } from "@accord/ui";
import { MultiSelect, Select, Switch } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { useShareScope } from "../../custom/synapse-queries.ts";
import { useSdkShare } from "../sdk-queries.ts";
import { isNarrower } from "../sdk-synapse.model.ts";
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

interface SharingProps extends SharingStepProps {
  stored: ReplyOf<typeof getSdkSynapseShare>;
}

function Sharing({ synapse, stored, sharing, readOnly }: SharingProps) {
  const { t } = useWords("sdkSynapses");
  const scopes = useShareScope();
  const scope = sharing.typed.scope ?? stored.scope;
  const instanceIds = sharing.typed.instanceIds ?? stored.instanceIds;
  const isGlobal = stored.isGlobal && (sharing.typed.publishToGlobal ?? true);
  const isLost = synapse.published !== null && isNarrower(stored, { scope, instanceIds, isGlobal });
  const put = (part: Partial<{ scope: (typeof SCOPES)[number]; instanceIds: string[] }>): void =>
    sharing.change({ scope, instanceIds, ...part }, stored.version);
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
      {isGlobal ? <FormIntro>{t("sharing.besideGlobal")}</FormIntro> : null}
      <Global synapse={synapse} stored={stored} sharing={sharing} readOnly={readOnly} />
      {isLost ? <ErrorBox tone="warn" message={t("sharing.narrows")} /> : null}
      <Card title={t("sharing.rights")}>
        <FormIntro>{t("sharing.rightsBody")}</FormIntro>
      </Card>
    </div>
  );
}

/** It takes an approval to be in force, and none to end. */
function Global({ synapse, stored: { isGlobal, version }, sharing, readOnly }: SharingProps) {
  const { t } = useWords("sdkSynapses");
  const isWanted = sharing.typed.publishToGlobal ?? synapse.publishToGlobal;
  const isSubmitted = synapse.hasDraft && synapse.approvalStatus !== "NEW";
  const isHeld = isSubmitted && !synapse.publishToGlobal;
  const hint = isHeld ? "globalSubmitted" : !isGlobal ? "globalHint" : isWanted ? "isGlobal" : "globalEnds";
  return (
    <Switch
      label={t("sharing.global")}
      description={t(`sharing.${hint}`)}
      disabled={readOnly || isHeld}
      checked={isWanted}
      onChange={(event) => sharing.change({ publishToGlobal: event.currentTarget.checked }, version)}
    />
  );
}
