/** Alerts of a card: a list with their states, and the form of one of them, in a drawer. */
import type { Id } from "@accord/contracts";
import { ALERT_LIMITS, type CardAlert, listCardAlerts } from "@accord/contracts/insights/card-alerts";
import { dataCardData } from "@accord/contracts/insights/cards";
import { EmptyState, ErrorBox, FormSkeleton, TableSkeleton } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconBell, IconLock, IconPlus } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { polling, useEndpoint } from "../../../app/queries.ts";
import { useCan, useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { FormDrawer } from "../../../shared/unsaved-changes/form-overlays.tsx";
import { type Candidate, watchableIn } from "./alert-draft.ts";
import { AlertForm } from "./alert-form.tsx";
import { AlertItem } from "./alert-item.tsx";
import "../parts/drawer-list.css";
import "./alerts.css";

export interface AlertsDrawerProps {
  /** Without a name where it is not there any more. */
  card: { id: Id<"dataCard">; displayName?: string | undefined };
  onClose: () => void;
}

/** Whether somebody may see and change alerts. */
export const useMayAlert = (): boolean => [useCan("UPDATE_DATACARD"), useCan("READ_INSIGHTS")].every(Boolean);

export function AlertsDrawer({ card: { id, displayName }, onClose }: AlertsDrawerProps) {
  const { t } = useWords("insights");
  const may = useMayAlert();
  return (
    <FormDrawer
      opened
      onClose={onClose}
      position="right"
      size={520}
      title={displayName === undefined ? t("alerts.list") : t("alerts.title", { name: displayName })}
    >
      <div className="ac-alerts">
        {may ? <Alerts cardId={id} /> : <EmptyState compact icon={<IconLock size={22} />} title={t("alerts.mayNot")} />}
      </div>
    </FormDrawer>
  );
}

function Alerts({ cardId }: { cardId: Id<"dataCard"> }) {
  // Evaluations change them, and no message says so.
  const query = useEndpoint(listCardAlerts, { params: { id: cardId } }, { staleTime: 0, ...polling(true) });
  const [edited, setEdited] = useState<CardAlert | "new" | null>(null);
  const list = useRef<HTMLElement>(null);
  const close = (): void => {
    setEdited(null);
    // What opened the form is drawn anew.
    requestAnimationFrame(() => list.current?.focus());
  };
  return (
    <QueryView query={query} skeleton={<TableSkeleton rows={3} />}>
      {({ alerts, people }) =>
        edited === null ? (
          <AlertList {...{ alerts, list }} onOpen={setEdited} />
        ) : (
          <OpenForm {...{ cardId, people }} alert={edited === "new" ? undefined : edited} onClose={close} />
        )
      }
    </QueryView>
  );
}

interface AlertListProps {
  alerts: readonly CardAlert[];
  /** Takes the focus of a form that is closed, and of an alert that is deleted. */
  list: React.RefObject<HTMLElement | null>;
  onOpen: (which: CardAlert | "new") => void;
}

function AlertList({ alerts, list, onOpen }: AlertListProps) {
  const { t } = useWords("insights");
  const isFull = alerts.length >= ALERT_LIMITS.perCard;
  const add = (
    <Button leftSection={<IconPlus size={16} />} disabled={isFull} onClick={() => onOpen("new")}>
      {t("alerts.add")}
    </Button>
  );
  return (
    <section className="ac-alerts__list" aria-label={t("alerts.list")} tabIndex={-1} ref={list}>
      <p className="ac-quiet">{t("alerts.about")}</p>
      {alerts.length === 0 ? (
        <EmptyState
          compact
          icon={<IconBell size={22} />}
          title={t("alerts.none")}
          body={t("alerts.noneBody")}
          action={add}
        />
      ) : (
        <>
          {add}
          {isFull ? <p className="ac-quiet">{t("alerts.full", { limit: ALERT_LIMITS.perCard })}</p> : null}
          <ul className="ac-drawer-list">
            {alerts.map((alert) => (
              <AlertItem
                key={alert.id}
                alert={alert}
                onEdit={() => onOpen(alert)}
                onDeleted={() => list.current?.focus()}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface OpenFormProps {
  cardId: Id<"dataCard">;
  people: readonly Candidate[];
  alert: CardAlert | undefined;
  onClose: () => void;
}

/** The form needs to know what the card shows. */
function OpenForm({ cardId, people, alert, onClose }: OpenFormProps) {
  const { t } = useWords("insights");
  const { id: self } = useSession();
  const shown = useEndpoint(dataCardData, { params: { id: cardId }, body: {} });
  const back = (
    <Button variant="default" onClick={onClose}>
      {t("alerts.back")}
    </Button>
  );
  return (
    <>
      <QueryView query={shown} skeleton={<FormSkeleton fields={5} />}>
        {(card) => {
          const watchable = watchableIn(card);
          if (!watchable) return <ErrorBox tone="info" message={t("alerts.table")} />;
          return (
            <AlertForm {...{ cardId, people, alert, self, watchable, onClose }} configuration={card.configuration} />
          );
        }}
      </QueryView>
      {shown.data && watchableIn(shown.data) ? null : back}
    </>
  );
}
