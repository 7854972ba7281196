/** Says that a webhook has a draft, which counts once it is published; offers to discard it, after a question. */
import type { ConnectorDetail } from "@accord/contracts/connections/connectors";
import { discardWebhookDraft, type WebhookDraft } from "@accord/contracts/connections/webhook-drafts";
import { ErrorBox, RelativeTime } from "@accord/ui";
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isStale } from "../../../app/api-error.ts";
import { refresh, useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { WEBHOOK_DRAFT_READS } from "./webhook-queries.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";

interface DraftNoticeProps {
  connector: ConnectorDetail;
  draft: WebhookDraft;
  /** Something was typed that is not in the draft: it would be lost with it. */
  isChanged?: boolean;
}

export function DraftNotice({ connector, draft, isChanged = false }: DraftNoticeProps) {
  const { t } = useWords("webhooks");
  const leave = useNavigate();
  const mayWrite = useCan("WRITE_CONNECTOR");
  const params = { connectorId: connector.connectorId };
  /** The draft that was seen when it was asked: a newer one is not meant. */
  const [asked, setAsked] = useState<string>();
  const discard = useCall(discardWebhookDraft, {
    refreshes: [...WEBHOOK_DRAFT_READS],
    onSuccess: () => {
      toast.success(t("draft.discarded"));
      void leave({
        to: "/synapses/connections/$connectorId",
        params,
        search: { tab: "settings" },
        ignoreBlocker: true,
      });
    },
    // The newer draft is read, and shown behind the question.
    onError: (error) => (isStale(error) ? refresh(...WEBHOOK_DRAFT_READS) : undefined),
  });
  return (
    <>
      <ErrorBox
        tone="info"
        message={
          <>
            {t("draft.there")} <RelativeTime at={draft.savedAt} />. {t("draft.notYet")}
            {Date.parse(connector.updatedAt) > Date.parse(draft.savedAt) ? ` ${t("draft.older")}` : null}
          </>
        }
        actions={
          mayWrite ? (
            <Button size="xs" variant="default" onClick={() => setAsked(draft.savedAt)}>
              {t("draft.discard")}
            </Button>
          ) : null
        }
      />
      <ConfirmDialog
        opened={asked !== undefined}
        title={t("draft.discardTitle")}
        action={t("draft.discardDo")}
        danger
        onClose={() => setAsked(undefined)}
        onConfirm={() => asked && discard.mutateAsync({ params, query: { seenSavedAt: asked } })}
      >
        {t("draft.discardBody")}
        {isChanged ? ` ${t("draft.discardTyped")}` : null}
      </ConfirmDialog>
    </>
  );
}
