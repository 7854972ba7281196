/** Which logs there are of the whole instance, each with what it is for. */
import { Card, EmptyState, PageBody, PageHeader } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconListDetails, IconMoodPuzzled } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import { usePage } from "../../../app/page.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import "./logs.css";

export function LogsScreen() {
  return (
    <Demand anyOf={["VIEW_TRANSACTIONS", "READ_STUDIO"]}>
      <Logs />
    </Demand>
  );
}

function Logs() {
  const { t } = useWords("sync");
  const { type } = useParams({ strict: false });
  const mayTransactions = useCan("VIEW_TRANSACTIONS");
  const mayStudio = useCan("READ_STUDIO");
  usePage({ title: t("allLogs.title"), crumbs: [{ label: t("allLogs.title") }] });
  return (
    <PageBody>
      <PageHeader title={t("allLogs.title")} subtitle={t("allLogs.lead")} />
      {type === undefined ? null : (
        <EmptyState
          icon={<IconMoodPuzzled size={22} />}
          title={t("allLogs.missing", { type })}
          body={t("allLogs.missingBody")}
        />
      )}
      <div className="ac-logs">
        {mayTransactions ? (
          <Card title={t("allLogs.transactions")}>
            <p>{t("allLogs.transactionsBody")}</p>
            <Button variant="default" renderRoot={(props) => <Link {...props} to="/logs/transactions" />}>
              {t("allLogs.transactions")}
            </Button>
          </Card>
        ) : null}
        {mayStudio ? (
          <Card title={t("allLogs.errors")}>
            <p>{t("allLogs.errorsBody")}</p>
            <Button variant="default" renderRoot={(props) => <Link {...props} to="/logs/sync-errors" />}>
              {t("allLogs.errors")}
            </Button>
          </Card>
        ) : null}
      </div>
      {mayStudio ? (
        <p className="ac-logs__hint">
          <IconListDetails size={16} aria-hidden /> {t("allLogs.pipelinesHint")}{" "}
          <Link to="/sync-studio/details">{t("allLogs.pipelines")}</Link>
        </p>
      ) : null}
    </PageBody>
  );
}
