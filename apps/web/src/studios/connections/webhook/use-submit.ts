/** Stores a webhook's form: as a draft, or published; never over what somebody else stored since it was opened. */
import {
  activateConnector,
  createConnector,
  getConnector,
  type ConnectorDetail,
} from "@accord/contracts/connections/connectors";
import {
  discardWebhookDraft,
  getWebhookDraft,
  publishWebhookDraft,
  saveWebhookDraft,
  type WebhookDraft,
} from "@accord/contracts/connections/webhook-drafts";
import { makeWebhookAddress } from "@accord/contracts/connections/webhooks";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isStale } from "../../../app/api-error.ts";
import { endpointQuery, queryClient, refresh, useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { CONNECTOR_READS, type ConnectorId } from "../queries.ts";
import { credentialsOf, hasTypedCredentials, type configOf, type WebhookForm } from "./webhook-form.model.ts";
import { WEBHOOK_DRAFT_READS } from "./webhook-queries.ts";

/** What the form was made from. */
export interface FormBase {
  connector: ConnectorDetail | undefined;
  draft: WebhookDraft | null;
}

export const isOther = (base: FormBase, now: FormBase): boolean =>
  base.connector?.version !== now.connector?.version || base.draft?.savedAt !== now.draft?.savedAt;

/** Asks again; what is found is shown by the screen where it is another one. */
async function isOutdated(base: FormBase, connectorId: ConnectorId): Promise<boolean> {
  const input = { params: { connectorId } };
  const [connector, { draft }] = await Promise.all([
    queryClient.fetchQuery({ ...endpointQuery(getConnector, input), staleTime: 0 }),
    queryClient.fetchQuery({ ...endpointQuery(getWebhookDraft, input), staleTime: 0 }),
  ]);
  return isOther(base, { connector, draft });
}

type Config = ReturnType<typeof configOf>;

export function useSubmit(base: FormBase, onDraft: (draft: WebhookDraft | null) => void) {
  const { connector } = base;
  const { t } = useWords("webhooks");
  const leave = useNavigate();
  const calls = useCalls();
  const { create, check, save, discard, publish, address, activate } = calls;
  const [isLeaving, setLeaving] = useState(false);
  const open = (connectorId: ConnectorId): void => {
    setLeaving(true);
    void leave({ to: "/synapses/connections/$connectorId", params: { connectorId }, ignoreBlocker: true });
  };
  /** What somebody else stored in the same moment is read, and shown by the screen. */
  const orReadAgain = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      if (isStale(error)) await refresh(getConnector, ...WEBHOOK_DRAFT_READS);
      throw error;
    }
  };
  /** When it was saved; undefined where somebody else stored something else. */
  const keepDraft = async (connectorId: ConnectorId, form: WebhookForm, config: Config) => {
    if (await check.mutateAsync(() => isOutdated(base, connectorId))) return undefined;
    const seenSavedAt = base.draft?.savedAt ?? null;
    const body = { name: form.name.trim(), config, authType: form.authType, seenSavedAt };
    const saved = await orReadAgain(() => save.mutateAsync({ params: { connectorId }, body }));
    onDraft(saved.draft);
    return saved.draft?.savedAt;
  };
  /** A draft that nobody asked for, made only to be published, goes: it would cover what others store. */
  const takeBack = async (connectorId: ConnectorId, seenSavedAt: string): Promise<void> => {
    try {
      onDraft((await discard.mutateAsync({ params: { connectorId }, query: { seenSavedAt } })).draft);
    } catch {
      // What kept it from being published is what is said; the draft is shown as one.
    }
  };
  return {
    error: create.error ?? save.error ?? publish.error ?? check.error,
    isPending: isLeaving || Object.values(calls).some(({ isPending }) => isPending),
    reset() {
      for (const call of [create, save, publish, check]) call.reset();
    },
    /** Nothing of it counts yet; secrets that were typed are not kept. */
    async saveDraft(form: WebhookForm, config: Config) {
      if (!connector || !(await keepDraft(connector.connectorId, form, config))) return;
      toast.success(t(hasTypedCredentials(form, connector) ? "draft.savedWithoutSecrets" : "draft.saved"));
      open(connector.connectorId);
    },
    async run(form: WebhookForm, config: Config) {
      const { authType } = form;
      const name = form.name.trim();
      const credentials = credentialsOf(form);
      if (connector) {
        const { connectorId, version } = connector;
        const params = { connectorId };
        const seenSavedAt = await keepDraft(connectorId, form, config);
        if (seenSavedAt === undefined) return;
        await orReadAgain(async () => {
          try {
            await publish.mutateAsync({ params, body: { version, seenSavedAt, credentials } });
          } catch (error) {
            if (!base.draft) await takeBack(connectorId, seenSavedAt);
            throw error;
          }
        });
        toast.success(t("form.saved"));
        return open(connectorId);
      }
      const made = await create.mutateAsync({ body: { name, typeId: "webhook", config, authType, credentials } });
      const params = { connectorId: made.connectorId };
      try {
        await address.mutateAsync({ params, body: { renew: false } });
        await activate.mutateAsync({ params });
        toast.success(t("form.created", { name }));
      } catch {
        toast.error(t("form.activateFailed"));
      }
      open(made.connectorId);
    },
  };
}

function useCalls() {
  const options = { refreshes: [...CONNECTOR_READS] };
  return {
    check: useMutation({ mutationFn: (ask: () => Promise<boolean>) => ask() }),
    create: useCall(createConnector, options),
    save: useCall(saveWebhookDraft, { refreshes: [...WEBHOOK_DRAFT_READS] }),
    discard: useCall(discardWebhookDraft, { refreshes: [...WEBHOOK_DRAFT_READS] }),
    publish: useCall(publishWebhookDraft, { refreshes: [...CONNECTOR_READS, ...WEBHOOK_DRAFT_READS] }),
    address: useCall(makeWebhookAddress),
    activate: useCall(activateConnector, options),
  };
}
