/** What pipelines did for a record: mails, requests, changes elsewhere; failures with their reason and what to do. */
import { type ActionRunRow, dismissActions, listRecordActions, repeatActions } from "@accord/contracts/sync/actions";
import { EmptyState, FormSkeleton, RelativeTime, StatusTag } from "@accord/ui";
import { Button, Group } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useCall } from "../../app/queries.ts";
import { useCan } from "../../app/session.ts";
import { useWords } from "../../app/words.ts";
import { QueryError } from "../../shared/query-view.tsx";
import { toast } from "../../shared/toast.tsx";
import { asEntityId, asRecordId, type EntityId, useRecordActions } from "./queries.ts";
import "./record-actions.css";

const route = getRouteApi("/signed-in/data-studio/entity/$entityId/record/$recordId/actions");

const PAGE = 50;
const MOST = 200;
const TONE = { DUE: "idle", BEGUN: "info", DONE: "ok", FAILED: "error", UNKNOWN: "warn" } as const;

export function RecordActions() {
  const params = route.useParams();
  const { t } = useWords("data");
  const [count, setCount] = useState(PAGE);
  const entityId = asEntityId(params.entityId);
  const found = useRecordActions(entityId, asRecordId(params.recordId), count);
  if (found.isError) return <QueryError error={found.error} onRetry={() => void found.refetch()} />;
  if (found.isPending) return <FormSkeleton fields={4} />;
  const { actions, nextCursor } = found.data;
  if (actions.length === 0)
    return <EmptyState icon={<IconBolt size={22} />} title={t("actions.none")} body={t("actions.noneBody")} />;
  return (
    <>
      <ul className="ac-actions" aria-label={t("actions.list")}>
        {actions.map((action) => (
          <Action key={action.id} action={action} entityId={entityId} />
        ))}
      </ul>
      {nextCursor !== null && count < MOST ? (
        <Button variant="default" onClick={() => setCount(MOST)}>
          {t("actions.more")}
        </Button>
      ) : null}
    </>
  );
}

function Action({ action, entityId }: { action: ActionRunRow; entityId: EntityId }) {
  const { t } = useWords("data");
  const mayWrite = useCan("WRITE_STUDIO");
  const onError = (error: unknown): void => toast.failed(error);
  const refreshes = [listRecordActions];
  const again = useCall(repeatActions, { refreshes, onError, onSuccess: () => toast.info(t("actions.repeated")) });
  const letGo = useCall(dismissActions, { refreshes, onError, onSuccess: () => toast.success(t("actions.dismissed")) });
  const isFailed = action.state === "FAILED" || action.state === "UNKNOWN";
  const isOpen = isFailed && action.dismissedAt === null;
  const chosen = { params: { entityId }, body: { ids: [action.id] } };
  return (
    <li>
      <StatusTag tone={isFailed && !isOpen ? "idle" : TONE[action.state]}>
        {isFailed && !isOpen ? t("actions.settled") : t(`actions.state_${action.state}`)}
      </StatusTag>
      <div className="ac-actions__words">
        <strong>{action.label}</strong>
        {isFailed && action.message ? <p>{action.message}</p> : null}
        {action.attempts > 1 ? <small>{t("actions.attempts", { count: action.attempts })}</small> : null}
      </div>
      {isOpen && mayWrite ? (
        <Group gap="xs">
          <Button size="xs" variant="default" loading={again.isPending} onClick={() => again.mutate(chosen)}>
            {t("actions.again")}
          </Button>
          <Button size="xs" variant="subtle" loading={letGo.isPending} onClick={() => letGo.mutate(chosen)}>
            {t("actions.dismiss")}
          </Button>
        </Group>
      ) : null}
      <RelativeTime at={action.endedAt ?? action.createdAt} />
    </li>
  );
}
