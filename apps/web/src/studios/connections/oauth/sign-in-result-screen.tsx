/** /synapses/sign-in-result: where a system sends a person back to, in the window that was opened for it. */
import { SIGN_IN_SECONDS } from "@accord/contracts/connections/oauth-sign-in";
import { EmptyState, FormSkeleton } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { usePage } from "../../../app/page.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { asConnectorId, useConnectorSignIn, type ConnectorId } from "../queries.ts";
import "./oauth.css";

const route = getRouteApi("/open/synapses/sign-in-result");

export function SignInResultScreen() {
  const { t } = useWords("systemSignIn", "connections");
  usePage({ title: t("result.title"), crumbs: [] });
  const { connector, problem = "state" } = route.useSearch();
  return (
    <main className="ac-sign-in-result">
      {connector ? <Outcome connectorId={asConnectorId(connector)} /> : <Unknown problem={problem} />}
    </main>
  );
}

function Outcome({ connectorId }: { connectorId: ConnectorId }) {
  const { t } = useWords("systemSignIn");
  const signIn = useConnectorSignIn(connectorId);
  const status = signIn.data?.attempt?.status;
  useEffect(() => {
    // Browsers close only windows that a page opened; in another one the words stay.
    if (status === "done") window.close();
  }, [status]);
  return (
    <QueryView query={signIn} skeleton={<FormSkeleton fields={2} />}>
      {({ attempt, host }) =>
        attempt?.status === "done" ? (
          <EmptyState
            icon={<IconCircleCheck size={22} />}
            title={t("result.done", { host: host ?? "" })}
            body={t("result.doneBody")}
            action={<Leave connectorId={connectorId} />}
          />
        ) : attempt?.problem ? (
          <EmptyState
            icon={<IconCircleX size={22} />}
            title={t("result.failed")}
            body={
              <>
                {attempt.problem.message} {attempt.problem.hint}
              </>
            }
            action={<Leave connectorId={connectorId} />}
          />
        ) : (
          <EmptyState
            title={t("result.waiting")}
            body={t("result.waitingBody")}
            action={<Leave connectorId={connectorId} />}
          />
        )
      }
    </QueryView>
  );
}

function Unknown({ problem }: { problem: "state" | "session" }) {
  const { t } = useWords("systemSignIn");
  return (
    <EmptyState
      icon={<IconCircleX size={22} />}
      title={t(`result.${problem}`)}
      body={t(`result.${problem}Body`, { minutes: SIGN_IN_SECONDS / 60 })}
      action={<Leave />}
    />
  );
}

/** In case the window was not opened by a page, there is a way on as well. */
function Leave({ connectorId }: { connectorId?: ConnectorId }) {
  const { t } = useWords("systemSignIn");
  const navigate = useNavigate();
  const go = () =>
    void (connectorId
      ? navigate({ to: "/synapses/connections/$connectorId", params: { connectorId }, search: { tab: "settings" } })
      : navigate({ to: "/synapses/connections" }));
  return (
    <div className="ac-granted__foot">
      <Button onClick={() => window.close()}>{t("action.close")}</Button>
      <Button variant="default" onClick={go}>
        {t(connectorId ? "action.open" : "action.list")}
      </Button>
    </div>
  );
}
