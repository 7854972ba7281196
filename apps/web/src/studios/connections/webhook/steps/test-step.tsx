/** Step 4 of a webhook: a payload tried with what was entered, nothing stored. */
import { tryWebhookPayload } from "@accord/contracts/connections/webhooks";
import { FormIntro, StatusTag } from "@accord/ui";
import { Button, Code, Textarea } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { ApiError } from "../../../../app/api-error.ts";
import { useCall } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";
import type { ConnectorId } from "../../queries.ts";
import { PickedTable } from "../picked-table.tsx";
import { useProblemWords, type WebhookWork } from "../use-webhook-form.ts";
import { isBodiless, jsonProblem, serverProblems } from "../webhook-form.model.ts";
import { ReceivedPosts, useTakePost } from "./received-posts.tsx";

const route = getRouteApi("/signed-in/synapses/custom-synapses/$synapseType/$synapseId");

export function TestStep({ work }: { work: WebhookWork }) {
  const { t } = useWords("webhooks");
  const words = useProblemWords();
  const { form, problems, change, show, connector } = work;
  const trial = useCall(tryWebhookPayload);
  const take = (payload: string): void => {
    change({ payload });
    trial.reset();
  };
  const run = async (): Promise<void> => {
    const problem = jsonProblem(form.payload, words);
    if (problem) return show({ payload: problem });
    try {
      await trial.mutateAsync({ body: { config: work.config(), payload: form.payload } });
    } catch (error) {
      const found = error instanceof ApiError ? serverProblems(error.fieldProblems) : {};
      if (found["payload"]) show(found);
    }
  };
  return (
    <>
      <FormIntro>{t("form.testLead")}</FormIntro>
      {connector ? <TakeNamed connectorId={connector.connectorId} onTake={take} /> : null}
      <Textarea
        data-autofocus
        label={t("form.testPayload")}
        autosize
        minRows={5}
        maxRows={16}
        maxLength={400_000}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--ac-mono)" } }}
        value={form.payload}
        error={problems["payload"]}
        onChange={(event) => take(event.currentTarget.value)}
      />
      <div className="ac-webhook__line">
        <Button variant="light" loading={trial.isPending} onClick={() => void run()}>
          {t("form.run")}
        </Button>
        {connector ? <ReceivedPosts connectorId={connector.connectorId} onTake={take} /> : null}
      </div>
      <div aria-live="polite">
        {trial.error && !problems["payload"] ? <RefusalBox error={trial.error} /> : null}
        {trial.data ? <Tried tried={trial.data} /> : null}
      </div>
    </>
  );
}

/** The post that the address names is taken once, and no longer named then: what is typed later stays. */
function TakeNamed({ connectorId, onTake }: { connectorId: ConnectorId; onTake: (body: string) => void }) {
  const { post } = route.useSearch();
  const navigate = route.useNavigate();
  const take = useTakePost(connectorId);
  const taken = useRef<number>(undefined);
  useEffect(() => {
    if (post === undefined || taken.current === post) return;
    taken.current = post;
    void take(post).then((body) => {
      if (body !== null) onTake(body);
      void navigate({ search: (old) => ({ ...old, post: undefined }), replace: true, ignoreBlocker: true });
    });
  });
  return null;
}

type TriedPayload = NonNullable<ReturnType<typeof useCall<typeof tryWebhookPayload>>["data"]>;

function Tried({ tried }: { tried: TriedPayload }) {
  const { t } = useWords("webhooks");
  return (
    <div className="ac-webhook__stack">
      <section className="ac-entity__section">
        <h3>{t("form.picked")}</h3>
        {tried.count === 0 ? (
          <StatusTag tone="warn">{t("form.nothingPicked")}</StatusTag>
        ) : (
          <PickedTable picked={tried} />
        )}
      </section>
      <section className="ac-entity__section">
        <h3>{t("form.wouldAnswer")}</h3>
        <Code block>
          {tried.answer.status} {isBodiless(tried.answer.status) ? t("form.noBody") : tried.answer.body}
        </Code>
      </section>
    </div>
  );
}
