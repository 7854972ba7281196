/** Changes of records as sentences: what happened to which records, and who or which system did it. */
import type { Transaction } from "@accord/contracts/sync/monitoring/transactions";
import { RelativeTime, type Tone, StatusTag } from "@accord/ui";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../app/words.ts";
import { truncate } from "../../shared/names.ts";
import { groupChanges } from "./home.model.ts";
import { LATEST, useConnectors, useEntityNames } from "./queries.ts";

const LINES = 8;

const TONE: Partial<Record<Transaction["operation"], Tone>> = { create: "ok", delete: "error", refuse: "warn" };

/** One cycle fills all that was read: there is more of it than was counted. */
const isCut = (transactions: readonly Transaction[], groups: number): boolean =>
  transactions.length >= LATEST && groups <= 2;

export function ChangeList({ transactions }: { transactions: readonly Transaction[] }) {
  const { t } = useWords("identity");
  const entityNames = useEntityNames();
  const connectors = useConnectors();
  const actorOf = ({ actor }: Transaction): string => {
    if (actor.kind === "user") return actor.name;
    if (actor.kind === "system") return t("home.bySystem");
    const connector = connectors.data?.connectors.find(({ id }) => id === actor.connectorId);
    return connector?.name ?? t("home.unknownSource");
  };
  return (
    <ul className="ac-home__list">
      {groupChanges(transactions, LINES).map(({ newest: change, records }, _index, groups) => (
        <li key={change.id} className="ac-home__row">
          <StatusTag tone={TONE[change.operation] ?? "info"} plain>
            {records > 1 ? (
              <Link to="/data-studio/entity/$entityId" params={{ entityId: change.entityId }}>
                {entityNames.get(change.entityId) ?? change.entityId} {t(`home.operation${change.operation}`)}
              </Link>
            ) : (
              <Link
                to="/data-studio/entity/$entityId/record/$recordId"
                params={{ entityId: change.entityId, recordId: change.recordId }}
              >
                {entityNames.get(change.entityId) ?? change.entityId} {t(`home.operation${change.operation}`)}
              </Link>
            )}
          </StatusTag>
          <span className="ac-home__systems">
            {records > 1
              ? t(isCut(transactions, groups.length) ? "home.recordsOrMore" : "home.recordsTouched", { count: records })
              : truncate(change.changes.map(({ field }) => field).join(", "), 60)}
          </span>
          <span className="ac-home__when">
            {actorOf(change)}, <RelativeTime at={change.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
