/** One post to a webhook: what became of it, the records picked from it, its body and headers; and having it replayed. */
import type { ConnectorDetail } from "@accord/contracts/connections/connectors";
import {
  listWebhookLog,
  replayWebhookPost,
  WEBHOOK_REFUSALS,
  type WebhookPost,
} from "@accord/contracts/connections/webhooks";
import { ErrorBox, FormSkeleton, KeyValueList, RelativeTime, SidePanel, StatusTag } from "@accord/ui";
import { Button, Code } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { OUTCOME_TONE, useOutcomeWords, useSize } from "./post-words.ts";
import { PickedTable } from "./picked-table.tsx";
import { usePost } from "./webhook-queries.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export interface PostPanelProps {
  connector: ConnectorDetail;
  kind: "post" | "refusal";
  number: number;
  onClose: () => void;
  /** Opens another post. */
  onOpen: (number: number) => void;
}

export function PostPanel({ connector, kind, number, onClose, onOpen }: PostPanelProps) {
  const { t } = useWords("webhooks");
  const post = usePost(connector.connectorId, kind, number);
  const isPost = kind === "post";
  return (
    <SidePanel
      title={isPost ? t("post.title", { number }) : t("post.refusedTitle")}
      width={420}
      takeFocus
      onClose={onClose}
      footer={isPost ? <Replay connector={connector} number={number} onOpen={onOpen} /> : null}
    >
      <QueryView query={post} skeleton={<FormSkeleton fields={4} />}>
        {(data) => <PostView post={data} connector={connector} />}
      </QueryView>
    </SidePanel>
  );
}

function PostView({ post, connector }: { post: WebhookPost; connector: ConnectorDetail }) {
  return (
    <div className="ac-webhook__stack">
      <PostFacts post={post} />
      <Picked post={post} />
      <Body post={post} connector={connector} />
      <Headers post={post} />
    </div>
  );
}

function PostFacts({ post }: { post: WebhookPost }) {
  const { t } = useWords("webhooks");
  const outcomeOf = useOutcomeWords();
  const sizeOf = useSize();
  const refusal = WEBHOOK_REFUSALS.find((known) => known === post.code);
  return (
    <>
      <KeyValueList
        facts={[
          { key: t("post.at"), value: <RelativeTime at={post.at} /> },
          {
            key: t("post.outcome"),
            value: <StatusTag tone={OUTCOME_TONE[post.outcome]}>{outcomeOf(post)}</StatusTag>,
          },
          { key: t("post.answered"), value: String(post.status) },
          { key: t("post.size"), value: sizeOf(post.size) },
          post.messageId !== null && { key: t("post.id"), value: <code>{post.messageId}</code> },
        ]}
      />
      {refusal ? <ErrorBox tone="info" message={t(`refusalHint.${refusal}`)} /> : null}
      {post.outcome === "noRecords" ? <ErrorBox tone="info" message={t("noRecordsHint")} /> : null}
    </>
  );
}

function Picked({ post: { picked } }: { post: WebhookPost }) {
  const { t } = useWords("webhooks");
  if (!picked) return null;
  return (
    <section className="ac-entity__section">
      <h3>{t("post.picked")}</h3>
      {picked.count === 0 ? <p>{t("post.nothingPicked")}</p> : <PickedTable picked={picked} />}
    </section>
  );
}

function Body({ post, connector }: { post: WebhookPost; connector: ConnectorDetail }) {
  const { t } = useWords("webhooks");
  const mayWrite = useCan("WRITE_CONNECTOR");
  const { body, isHidden, isCut, kind, number } = post;
  return (
    <section className="ac-entity__section">
      <h3>{t("post.body")}</h3>
      {isHidden ? <ErrorBox tone="info" message={t("post.hidden")} /> : null}
      {body === null || body === "" ? (
        isHidden ? null : (
          <p>{t("post.noBody")}</p>
        )
      ) : (
        <Code block className="ac-webhook__body" tabIndex={0} aria-label={t("post.body")}>
          {pretty(body)}
        </Code>
      )}
      {isCut && !isHidden ? <p>{t("post.cut")}</p> : null}
      {mayWrite && kind === "post" && !isHidden && !isCut ? (
        <div>
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/synapses/custom-synapses/$synapseType/$synapseId"
                params={{ synapseType: "webhook", synapseId: connector.connectorId }}
                search={{ step: "test", post: number }}
              />
            )}
          >
            {t("post.useAsTest")}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

/** Characters up to which a body is laid out anew. */
const MAX_PRETTY = 50_000;

function pretty(body: string): string {
  if (body.length > MAX_PRETTY) return body;
  try {
    const text = JSON.stringify(JSON.parse(body), null, 2);
    // Numbers beyond JavaScript's would read otherwise.
    return /\d{16}|\d\.\d*0\b/.test(body) ? body : text;
  } catch {
    return body;
  }
}

function Headers({ post: { headers } }: { post: WebhookPost }) {
  const { t } = useWords("webhooks");
  if (headers.length === 0) return null;
  return (
    <section className="ac-entity__section">
      <h3>{t("post.headers")}</h3>
      <p className="ac-form__lead">{t("post.headersLead")}</p>
      <dl className="ac-webhook__headers">
        {headers.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-none={value === null || undefined}>{value ?? t("post.headerHidden")}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface ReplayProps {
  connector: ConnectorDetail;
  number: number;
  onOpen: (number: number) => void;
}

function Replay({ connector, number, onOpen }: ReplayProps) {
  const { t } = useWords("webhooks");
  const mayWrite = useCan("WRITE_CONNECTOR");
  const replay = useCall(replayWebhookPost, { refreshes: [listWebhookLog] });
  if (!mayWrite) return null;
  const isActive = connector.status === "ACTIVE";
  const { data } = replay;
  return (
    <div className="ac-webhook__replay" aria-live="polite">
      {data ? (
        <ErrorBox
          tone="ok"
          message={
            <>
              {t("post.replayed", { number: data.number, status: data.status })}{" "}
              {t("post.replayedRecords", { count: data.recordCount })}{" "}
              {data.pipelineCount === 0
                ? t("post.replayedNobody")
                : t("post.replayedReaders", { count: data.pipelineCount })}
              {data.answer ? <Code block>{data.answer}</Code> : null}
            </>
          }
          actions={
            <Button size="xs" variant="default" onClick={() => onOpen(data.number)}>
              {t("post.open")}
            </Button>
          }
        />
      ) : null}
      {replay.error ? <RefusalBox error={replay.error} /> : null}
      <div>
        <Button
          loading={replay.isPending}
          disabled={!isActive}
          onClick={() => replay.mutate({ params: { connectorId: connector.connectorId, number }, body: {} })}
        >
          {t("post.replay")}
        </Button>
        <span>{t(isActive ? "post.replayLead" : "post.replayNotActive")}</span>
      </div>
    </div>
  );
}
