/** Home: how the instance is doing, what changed last, and where to go on. */
import { PageBody, PageHeader } from "@accord/ui";
import { usePage } from "../../app/page.ts";
import { useCan, useSession } from "../../app/session.ts";
import { useWords } from "../../app/words.ts";
import { FirstSteps } from "./first-steps.tsx";
import { Changes, Connectors, Dashboards, Pipelines } from "./home-lists.tsx";
import { Tiles } from "./home-tiles.tsx";
import { byUrgency } from "./home.model.ts";
import { usePipelineRows } from "../../shared/failing-systems.tsx";
import "./home-screen.css";

export function HomeScreen() {
  const { t } = useWords("identity");
  usePage({ title: t("home.title") });
  const session = useSession();
  const maySync = useCan("READ_STUDIO");
  const mayConnect = useCan("READ_CONNECTOR");
  const mayRead = useCan("READ_DASHBOARD");
  const mayTrace = useCan("VIEW_TRANSACTIONS");
  const mayBegin = useCan("WRITE_STUDIO");
  const pipelines = usePipelineRows();
  const rows = pipelines.data?.rows ?? [];
  const isNew = mayBegin && mayConnect && pipelines.isSuccess && byUrgency(rows).length === 0;
  return (
    <PageBody>
      <PageHeader
        title={t("home.hello", { name: session.firstName })}
        subtitle={t("home.lead", { instance: session.currentInstanceName ?? session.orgName })}
      />
      <Tiles />
      {isNew ? (
        <FirstSteps rows={rows} />
      ) : (
        <div className="ac-home">
          <div className="ac-home__column">
            {maySync ? <Pipelines /> : null}
            {mayTrace ? <Changes /> : null}
          </div>
          <div className="ac-home__column">
            {mayConnect ? <Connectors /> : null}
            {mayRead ? <Dashboards /> : null}
          </div>
        </div>
      )}
    </PageBody>
  );
}
