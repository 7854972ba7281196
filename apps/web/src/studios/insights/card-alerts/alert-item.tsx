/** One alert: its state in words, what it compares, the last value, and what can be done with it. */
import {
  type AlertState,
  type CardAlert,
  deleteCardAlert,
  listCardAlerts,
} from "@accord/contracts/insights/card-alerts";
import { ErrorBox, KeyValueList, RelativeTime, StatusTag, type Tone } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { TestAlert, valueText } from "./test-alert.tsx";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";

const TONES: Readonly<Record<AlertState, Tone>> = {
  UNKNOWN: "idle",
  OK: "ok",
  CROSSED: "warn",
  NO_VALUE: "info",
  FAILED: "error",
};

const plain = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 20 });

/** What an alert watches, in one line. */
function Line({ alert: { condition, watch, everyMinutes } }: { alert: CardAlert }) {
  const { t } = useWords("insights");
  const facts = {
    condition:
      condition.kind === "above" || condition.kind === "below"
        ? t(`alerts.condition.${condition.kind}`, { limit: plain(condition.limit) })
        : t(`alerts.condition.${condition.kind}`, { from: plain(condition.from), to: plain(condition.to) }),
    minutes: t(`alerts.minutes.m${everyMinutes}`),
  };
  return (
    <p>
      {watch.kind === "series"
        ? t(`alerts.line.${watch.marks}`, { series: watch.label, ...facts })
        : t("alerts.line.value", facts)}
    </p>
  );
}

interface AlertItemProps {
  alert: CardAlert;
  onEdit: () => void;
  onDeleted: () => void;
}

export function AlertItem({ alert, onEdit, onDeleted }: AlertItemProps) {
  const { t } = useWords("insights");
  const { name, state, last, problem, owner } = alert;
  const [isAsking, setAsking] = useState(false);
  return (
    <li className="ac-drawer-entry">
      <div className="ac-drawer-entry__head">
        <strong>{name}</strong>
        <span role="status">
          <StatusTag tone={TONES[state]}>{t(`alerts.state.${state}`)}</StatusTag>
        </span>
      </div>
      <Line alert={alert} />
      {problem === null ? null : <ErrorBox tone={state === "FAILED" ? "error" : "info"} message={problem} />}
      <KeyValueList
        facts={[
          { key: t("alerts.lastValue"), value: last === null ? null : valueText(last) },
          { key: t("alerts.checked"), value: <RelativeTime at={alert.checkedAt} none={t("alerts.never")} /> },
          { key: t("alerts.crossed"), value: <RelativeTime at={alert.crossedAt} none={t("alerts.never")} /> },
        ]}
      />
      <Called alert={alert} />
      <p className="ac-quiet">{owner === "" ? t("alerts.noOwner") : t("alerts.owner", { name: owner })}</p>
      <TestAlert cardId={alert.cardId} label={t("alerts.testOf", { name })} tested={alert}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPencil size={15} />}
          aria-label={t("alerts.editOf", { name })}
          onClick={onEdit}
        >
          {t("alerts.edit")}
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="idle"
          leftSection={<IconTrash size={15} />}
          aria-label={t("alerts.deleteOf", { name })}
          onClick={() => setAsking(true)}
        >
          {t("alerts.delete")}
        </Button>
      </TestAlert>
      {isAsking ? <AskDelete alert={alert} onClose={() => setAsking(false)} onDeleted={onDeleted} /> : null}
    </li>
  );
}

/** The address that is called as well, or why that failed. */
function Called({ alert: { webhook: origin, webhookProblem: reason } }: { alert: CardAlert }) {
  const { t } = useWords("insights");
  if (origin === null) return null;
  if (reason === null) return <p className="ac-quiet">{t("alerts.webhookOf", { origin })}</p>;
  return <ErrorBox tone="warn" message={t("alerts.webhookFailed", { origin, reason })} />;
}

function AskDelete({
  alert: { id, name },
  onClose,
  onDeleted,
}: Pick<AlertItemProps, "alert" | "onDeleted"> & { onClose: () => void }) {
  const { t } = useWords("insights");
  const remove = useCall(deleteCardAlert, { refreshes: [listCardAlerts] });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t("alerts.deleteTitle", { name })}
      action={t("alerts.delete")}
      onConfirm={async () => {
        await remove.mutateAsync({ params: { alertId: id } });
        toast.success(t("alerts.deleted"));
        onDeleted();
      }}
    >
      {t("alerts.deleteBody")}
    </ConfirmDialog>
  );
}
