/** What is done with an HTTP synapse as a whole: draft made and discarded, shared, its entities, connected. */
import type { CustomSynapse, HttpSynapse } from "@accord/contracts/connections/http-synapses";
import { createSynapseDraft, discardSynapseDraft } from "@accord/contracts/connections/http-synapses";
import { StatusTag } from "@accord/ui";
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isStale } from "../../../app/api-error.ts";
import { refresh, useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { ShareDialog } from "./share-dialog.tsx";
import { SYNAPSE_READS } from "./synapse-queries.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";

export function SynapseState({ synapse }: { synapse: Pick<CustomSynapse, "draftStatus"> }) {
  const { t } = useWords("customSynapses");
  return (
    <StatusTag tone={synapse.draftStatus === "NEW" ? "warn" : "ok"}>{t(`states.${synapse.draftStatus}`)}</StatusTag>
  );
}

export function SynapseActions({ synapse }: { synapse: HttpSynapse }) {
  const { t } = useWords("customSynapses");
  const leave = useNavigate();
  const mayWrite = useCan("WRITE_CONNECTOR");
  const [isSharing, setSharing] = useState(false);
  const options = { refreshes: [...SYNAPSE_READS], onError: (error: Error) => toast.failed(error) };
  const makeDraft = useCall(createSynapseDraft, options);
  const params = { metadataId: synapse.id };
  const isPublished = synapse.publishedVersion !== null;
  return (
    <>
      <Button
        variant="default"
        onClick={() =>
          void leave({
            to: "/synapses/custom-synapses/http/$synapseId/entities/$version",
            params: { synapseId: synapse.id, version: String(synapse.version) },
          })
        }
      >
        {t("describeEntities")}
      </Button>
      {mayWrite && isPublished ? (
        <Button variant="default" onClick={() => setSharing(true)}>
          {t("share")}
        </Button>
      ) : null}
      {mayWrite && synapse.draftStatus === "APPROVED_WITH_DRAFT" ? <Discard synapse={synapse} /> : null}
      {mayWrite && synapse.draftStatus === "APPROVED" ? (
        <>
          <Button
            variant="default"
            loading={makeDraft.isPending}
            onClick={() => makeDraft.mutate({ params, body: {} })}
          >
            {t("makeDraft")}
          </Button>
          <Button onClick={() => void leave({ to: "/synapses/connections/new", search: { type: synapse.id } })}>
            {t("connect")}
          </Button>
        </>
      ) : null}
      {isSharing ? <ShareDialog synapse={synapse} onClose={() => setSharing(false)} /> : null}
    </>
  );
}

function Discard({ synapse }: { synapse: HttpSynapse }) {
  const { t } = useWords("customSynapses");
  const [isAsked, setAsked] = useState(false);
  const discard = useCall(discardSynapseDraft, {
    refreshes: [...SYNAPSE_READS],
    onError: (error) => (isStale(error) ? refresh(...SYNAPSE_READS) : undefined),
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {t("discard")}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={t("discardTitle")}
        action={t("discard")}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await discard.mutateAsync({ params: { metadataId: synapse.id }, body: { revision: synapse.revision } });
          toast.success(t("discarded"));
        }}
      >
        {t("discardBody", { version: synapse.publishedVersion ?? 0 })}
      </ConfirmDialog>
    </>
  );
}
