/** The address of a webhook, what a sender is set to, and commands that post a sample. */
import type { ConnectorDetail } from "@accord/contracts/connections/connectors";
import { getWebhookAddress, makeWebhookAddress } from "@accord/contracts/connections/webhooks";
import { curlLine, senderOf, STANDARD_HEADERS } from "@accord/contracts/connections/webhook-signing";
import { Card, CardSkeleton, EmptyState, ErrorBox, KeyValueList } from "@accord/ui";
import { Button, Code } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy, IconWebhook } from "@tabler/icons-react";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { curlSettings, formOf, hasSignedTime } from "./webhook-form.model.ts";
import { useWebhookAddress } from "./webhook-queries.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";

export function AddressCard({ connector }: { connector: ConnectorDetail }) {
  const { connectorId } = connector;
  const address = useWebhookAddress(connectorId);
  return (
    <QueryView query={address} skeleton={<CardSkeleton height={160} />}>
      {({ url }) => (url === null ? <NoAddress connector={connector} /> : <Address connector={connector} url={url} />)}
    </QueryView>
  );
}

function useMakeAddress(said?: string) {
  return useCall(makeWebhookAddress, {
    refreshes: [getWebhookAddress],
    ...(said ? { onSuccess: () => toast.success(said) } : {}),
    onError: (error) => toast.failed(error),
  });
}

function NoAddress({ connector: { connectorId } }: { connector: ConnectorDetail }) {
  const { t } = useWords("webhooks");
  const make = useMakeAddress();
  const mayWrite = useCan("WRITE_CONNECTOR");
  return (
    <Card>
      <EmptyState
        icon={<IconWebhook size={22} />}
        title={t("noAddress")}
        body={t("noAddressBody")}
        action={
          mayWrite ? (
            <Button
              loading={make.isPending}
              onClick={() => make.mutate({ params: { connectorId }, body: { renew: false } })}
            >
              {t("makeAddress")}
            </Button>
          ) : undefined
        }
      />
    </Card>
  );
}

function CopyButton({ text, label, filled = false }: { text: string; label: string; filled?: boolean }) {
  const { t } = useWords("webhooks");
  const clipboard = useClipboard({ timeout: 1_600 });
  return (
    <Button
      variant={filled ? "filled" : "default"}
      size="xs"
      leftSection={clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      onClick={() => clipboard.copy(text)}
    >
      {clipboard.copied ? t("copied") : label}
    </Button>
  );
}

const SAMPLE = '{"id": "1"}';
/** Characters of an example that still make a line to copy. */
const MAX_SAMPLE = 2_000;

const sampleOf = (sample: string): string =>
  sample.trim() === "" || sample.length > MAX_SAMPLE ? SAMPLE : sample.trim();

function Address({ connector, url }: { connector: ConnectorDetail; url: string }) {
  const { t } = useWords("webhooks");
  const mayWrite = useCan("WRITE_CONNECTOR");
  const [isAsked, setAsked] = useState(false);
  const renew = useMakeAddress(t("renewed"));
  const settings = curlSettings(connector);
  const { sample } = formOf(connector);
  const commands = curlLine(settings, url, sampleOf(sample));
  return (
    <Card
      title={t("address")}
      actions={
        mayWrite ? (
          <Button size="xs" variant="subtle" onClick={() => setAsked(true)}>
            {t("renew")}
          </Button>
        ) : null
      }
    >
      <div className="ac-webhook__stack">
        {connector.status === "ACTIVE" ? null : <ErrorBox tone="warn" message={t("notActive")} />}
        <p className="ac-form__lead">{t("addressLead")}</p>
        <div className="ac-webhook__address">
          <code tabIndex={0} aria-label={t("address")}>
            {url}
          </code>
          <CopyButton filled text={url} label={t("copyAddress")} />
        </div>
        <SenderFacts connector={connector} />
        <details className="ac-webhook__curl">
          <summary>{t("curl")}</summary>
          <p>
            {t("curlLead")} <code>{"SECRET='…'"}</code> {hasSignedTime(settings) ? null : t("curlOnce")}
          </p>
          <Code block tabIndex={0} aria-label={t("curl")}>
            {commands}
          </Code>
          <CopyButton text={commands} label={t("copyCurl")} />
        </details>
      </div>
      <ConfirmDialog
        opened={isAsked}
        title={t("renewTitle")}
        action={t("renewDo")}
        danger
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await renew.mutateAsync({ params: { connectorId: connector.connectorId }, body: { renew: true } });
          setAsked(false);
        }}
      >
        {t("renewBody")}
      </ConfirmDialog>
    </Card>
  );
}

/** The way of proving in words, and what the other side has to be set to. */
function SenderFacts({ connector }: { connector: ConnectorDetail }) {
  const { t } = useWords("webhooks");
  const form = formOf(connector);
  const { authType } = form;
  const sender = senderOf(form);
  const isSigned = authType === "apiSecretKey";
  const kinds = ["apiSecretKey", "bearerToken", "apiKey", "userPassword"] as const;
  const kind = kinds.find((known) => known === authType) ?? "apiSecretKey";
  const header = isSigned
    ? form.signature === "standard"
      ? STANDARD_HEADERS.signature
      : form.signatureHeader
    : authType === "apiKey"
      ? form.apiKeyHeader
      : "authorization";
  const must = isSigned
    ? t(`must.${sender}`, {
        header,
        hash: form.signatureHash.toUpperCase(),
        encoding: t(`form.encodings.${form.signatureEncoding}`),
      })
    : t(`must.${kind === "apiSecretKey" ? "bearerToken" : kind}`, {
        header,
        user: String(form.credentials["user"] ?? ""),
      });
  return (
    <KeyValueList
      facts={[
        {
          key: t("proof"),
          value: isSigned ? `${t(`proofs.${kind}`)} · ${t(`senders.${sender}`)}` : t(`proofs.${kind}`),
        },
        { key: t("headers"), value: <code>{header}</code> },
        { key: t("sender"), value: must },
        hasSignedTime(form) && {
          key: t("timeLimit"),
          value: t("timeLimitWords", { seconds: Number(form.toleranceSeconds) }),
        },
        { key: t("method"), value: t("methodWords") },
      ]}
    />
  );
}
