/** Who signed in at the system of a connection, until when that holds, and signing in (again). */
import type { ConnectorDetail } from "@accord/contracts/connections/connectors";
import type { ConnectorSignIn, SignInAttempt } from "@accord/contracts/connections/oauth-sign-in";
import { ErrorBox, FormSkeleton, RelativeTime } from "@accord/ui";
import { Button, Loader } from "@mantine/core";
import { IconCircleCheck, IconExternalLink } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { refresh } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { ProblemBox } from "../parts/check-result.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import { CONNECTOR_READS, useConnectorSignIn, type ConnectorId } from "../queries.ts";
import { isDescribedHere } from "../connections.model.ts";
import { momentWords, openAttempt } from "./granted.model.ts";
import { openSignIn } from "./open-sign-in.ts";
import "./oauth.css";

interface GrantedProps {
  connector: ConnectorDetail;
  /** Where to sign in, by what is typed: what is not saved yet is saved first. null: that is not known yet. */
  place: string | null;
  isChanged: boolean;
  /** Something that is typed can't be saved. */
  hasErrors: boolean;
  readOnly: boolean;
  save: () => Promise<unknown>;
}

export function Granted(props: GrantedProps) {
  const { t } = useWords("systemSignIn");
  const signIn = useConnectorSignIn(props.connector.connectorId);
  return (
    <section className="ac-granted" aria-label={t("state.label")}>
      <h3>{t("state.label")}</h3>
      <QueryView query={signIn} skeleton={<FormSkeleton fields={1} />}>
        {(data) => <Shown {...props} signIn={data} />}
      </QueryView>
    </section>
  );
}

function Shown({ signIn, ...props }: GrantedProps & { signIn: ConnectorSignIn }) {
  const { t } = useWords("systemSignIn");
  const navigate = useNavigate();
  const { connector, place, isChanged, hasErrors, readOnly, save } = props;
  const [failure, setFailure] = useState<Error>();
  const attempt = openAttempt(signIn);
  const isGranted = signIn.state === "signedIn";
  const begin = (more: { useAccountOf?: SignInAttempt["id"] } = {}) => {
    setFailure(undefined);
    const saved = async (): Promise<ConnectorId> => {
      if (isChanged) await save();
      return connector.connectorId;
    };
    openSignIn(saved, t("opening"), more)
      .catch((error: Error) => setFailure(error))
      .finally(() => void refresh(...CONNECTOR_READS));
  };
  return (
    <>
      <Grant signIn={signIn} />
      {attempt?.status === "waiting" && place ? (
        <p className="ac-granted__by" role="status">
          <Loader size={14} aria-hidden /> {t("attempt.waiting", { host: place })}
        </p>
      ) : null}
      {attempt?.problem ? <ProblemBox title={t("attempt.failed")} problem={attempt.problem} /> : null}
      {attempt?.problem && isGranted ? <p>{t("attempt.stays")}</p> : null}
      {attempt?.otherAccount ? <p>{t("attempt.otherLead")}</p> : null}
      {failure ? <RefusalBox error={failure} /> : null}
      {readOnly ? (
        <p>{t("readOnly")}</p>
      ) : (
        <div className="ac-granted__foot">
          <Button
            variant={isGranted ? "default" : "filled"}
            leftSection={<IconExternalLink size={16} />}
            disabled={place === null || hasErrors}
            onClick={() => begin()}
          >
            {t(isChanged ? "action.saveFirst" : signIn.state === "none" ? "action.signIn" : "action.again", {
              host: place ?? "…",
            })}
          </Button>
          {attempt?.otherAccount ? (
            <Button
              color="red"
              variant="outline"
              disabled={place === null || hasErrors || isChanged}
              onClick={() => begin({ useAccountOf: attempt.id })}
            >
              {attempt.otherAccount.found
                ? t("attempt.useOther", { name: attempt.otherAccount.found.name ?? attempt.otherAccount.found.id })
                : t("attempt.useUnnamed")}
            </Button>
          ) : null}
          {isGranted && isDescribedHere(connector) && connector.entities.length === 0 ? (
            <Button
              variant="default"
              onClick={() =>
                void navigate({
                  to: "/synapses/connections/$connectorId/http-entity",
                  params: { connectorId: connector.connectorId },
                })
              }
            >
              {t("action.describe")}
            </Button>
          ) : null}
        </div>
      )}
    </>
  );
}

function Grant({ signIn }: { signIn: ConnectorSignIn }) {
  const { t } = useWords("systemSignIn");
  const name = signIn.signedInBy ?? "";
  switch (signIn.state) {
    case "none":
      return <p>{t("state.none")}</p>;
    case "outdated":
      return <ErrorBox tone="warn" message={t("state.outdated", { name })} />;
    case "refused":
      return signIn.problem ? <ProblemBox title={t("state.refused")} problem={signIn.problem} /> : null;
    case "signedIn": {
      const until = signIn.expiresAt ? momentWords(signIn.expiresAt) : null;
      return (
        <>
          <p className="ac-granted__by">
            <IconCircleCheck size={16} aria-hidden />
            <span>
              {t("state.by", { name })} <RelativeTime at={signIn.signedInAt} />
            </span>
          </p>
          {signIn.account ? (
            <p>
              {signIn.account.name === null
                ? t("state.account", { name: signIn.account.id })
                : t("state.accountWithId", { name: signIn.account.name, id: signIn.account.id })}
            </p>
          ) : null}
          <p>
            {signIn.isRenewed
              ? until
                ? t("state.renewedUntil", { until })
                : t("state.renewed")
              : until
                ? t("state.until", { until })
                : t("state.noEnd")}
          </p>
        </>
      );
    }
    default:
      return signIn.state satisfies never;
  }
}
