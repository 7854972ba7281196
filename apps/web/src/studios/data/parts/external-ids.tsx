/** The systems a record is in, with its id there, when it was last read and last written, and what was refused there. */
import type { ExternalId } from "@accord/contracts/data/records";
import { listQuarantine, type QuarantineEntry, replayQuarantine } from "@accord/contracts/sync/monitoring/quarantine";
import { Card, CopyableId, EmptyState, RelativeTime, StatusTag } from "@accord/ui";
import { Tooltip } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { type EntityId, type RecordId, useSetAside } from "../queries.ts";
import { useSystems } from "../use-systems.ts";
import { SetAside } from "./set-aside.tsx";
import { SetAsideLink } from "./set-aside-link.tsx";
import { SystemIcon } from "./system-icon.tsx";

export interface ExternalIdsProps {
  externalIds: readonly ExternalId[];
  entityId: EntityId;
  recordId: RecordId;
  isDeleted: boolean;
}

export function ExternalIds({ externalIds, entityId, recordId, isDeleted }: ExternalIdsProps) {
  const { t } = useWords("data");
  const mayExplain = useCan("READ_STUDIO");
  const entries = useSetAside(entityId, recordId).data?.entries ?? [];
  const aside = entries.filter(({ status }) => status !== "RESOLVED");
  const elsewhere = aside.filter((entry) => !externalIds.some((link) => isOf(entry, link)));
  return (
    <Card title={t("record.inSystems")}>
      {externalIds.length + elsewhere.length === 0 ? (
        <EmptyState
          compact
          icon={<IconPlugConnectedX size={20} />}
          title={t("record.notLinked")}
          body={t("record.notLinkedBody")}
        />
      ) : (
        <ul className="ac-systems">
          {externalIds.map((link) => (
            <ExternalIdItem key={`${link.connectorId} ${link.connectorEntity} ${link.externalId}`} link={link}>
              <SetAsideThere entityId={entityId} entries={aside.filter((entry) => isOf(entry, link))} />
            </ExternalIdItem>
          ))}
          {elsewhere.map((entry) => (
            <RefusedItem key={entry.id} entityId={entityId} entry={entry} />
          ))}
        </ul>
      )}
      {mayExplain && !isDeleted ? (
        <Link
          className="ac-link ac-systems__why"
          to="/data-studio/entity/$entityId/record/$recordId/explain"
          params={{ entityId, recordId }}
        >
          {t("explain.elsewhere")}
        </Link>
      ) : null}
    </Card>
  );
}

const isOf = (entry: QuarantineEntry, link: ExternalId): boolean =>
  entry.connectorId === link.connectorId && entry.connectorEntity === link.connectorEntity;

/** A system that refused the record before it had an id there. */
function RefusedItem({ entityId, entry }: { entityId: EntityId; entry: QuarantineEntry }) {
  const system = useSystems().get(entry.connectorId);
  return (
    <li className="ac-systems__item">
      {system ? <SystemIcon {...system} /> : <span />}
      <div>
        <div className="ac-systems__name">{system?.name ?? entry.connectorEntity}</div>
        <div className="ac-systems__facts">{entry.connectorEntity}</div>
        <SetAsideThere entityId={entityId} entries={[entry]} />
      </div>
    </li>
  );
}

function SetAsideThere({ entityId, entries }: { entityId: EntityId; entries: readonly QuarantineEntry[] }) {
  const { t } = useWords("data", "sync");
  const mayTry = useCan("WRITE_STUDIO");
  const replay = useCall(replayQuarantine, {
    refreshes: [listQuarantine],
    onSuccess: ({ replayed }) => toast.success(t("sync:quarantine.replayed", { count: replayed })),
    onError: (error) => toast.failed(error),
  });
  return entries.map((entry) => (
    <SetAside
      key={entry.id}
      entry={entry}
      isBusy={replay.isPending}
      onTryAgain={mayTry ? () => replay.mutate({ params: { entityId }, body: { ids: [entry.id] } }) : undefined}
    >
      <SetAsideLink entityId={entityId} />
    </SetAside>
  ));
}

function ExternalIdItem({ link, children }: { link: ExternalId; children: ReactNode }) {
  const { t } = useWords("data");
  return (
    <li className="ac-systems__item">
      <SystemIcon name={link.connectorName} icon={link.icon} backgroundColor={link.backgroundColor} />
      <div>
        <div className="ac-systems__name">
          {t("record.inSystem", { name: link.connectorName })}
          {link.state === "dead" ? (
            <Tooltip label={t("record.goneHint")} multiline w={240}>
              <span tabIndex={0}>
                <StatusTag tone="warn">{t("record.gone")}</StatusTag>
              </span>
            </Tooltip>
          ) : null}
        </div>
        <div className="ac-systems__facts">{link.connectorEntity}</div>
        <CopyableId id={link.externalId} shortenTo={26} />
        <div className="ac-systems__facts">
          {link.lastSeenAt ? (
            <div>
              {t("record.lastSeen")} <RelativeTime at={link.lastSeenAt} />
            </div>
          ) : null}
          {link.lastWrittenAt ? (
            <div>
              {t("record.lastWritten")} <RelativeTime at={link.lastWrittenAt} />
            </div>
          ) : (
            t("record.neverWritten")
          )}
        </div>
        {children}
      </div>
    </li>
  );
}
