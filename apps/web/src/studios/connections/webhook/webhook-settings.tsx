/** The connection of a webhook is set in steps of its own. */
import type { ConnectorDetail } from "@accord/contracts/connections/connectors";
import { FormIntro } from "@accord/ui";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { ReviewFacts } from "./steps/review-step.tsx";
import { DraftNotice } from "./draft-notice.tsx";
import { formOf } from "./webhook-form.model.ts";
import { useWebhookDraft } from "./webhook-queries.ts";
import "./webhook.css";

export function WebhookSettings({ connector }: { connector: ConnectorDetail }) {
  const { t } = useWords("webhooks");
  const mayWrite = useCan("WRITE_CONNECTOR");
  const { data } = useWebhookDraft(connector.connectorId);
  return (
    <div className="ac-webhook__stack">
      {data?.draft ? <DraftNotice connector={connector} draft={data.draft} /> : null}
      <FormIntro>{t("editLead")}</FormIntro>
      <ReviewFacts form={formOf(connector)} />
      {mayWrite ? (
        <div>
          <Button
            renderRoot={(props) => (
              <Link
                {...props}
                to="/synapses/custom-synapses/$synapseType/$synapseId"
                params={{ synapseType: "webhook", synapseId: connector.connectorId }}
              />
            )}
          >
            {t("edit")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
