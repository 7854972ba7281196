/** The systems a record is in, with its id there, when it was last read and last written. */
import type { ExternalId } from "@accord/contracts/data/records";
import { Card, CopyableId, EmptyState, RelativeTime, StatusTag } from "@accord/ui";
import { Tooltip } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { SystemIcon } from "./system-icon.tsx";

export interface ExternalIdsProps {
  externalIds: readonly ExternalId[];
  entityId: string;
  recordId: string;
  isDeleted: boolean;
}

export function ExternalIds({ externalIds, entityId, recordId, isDeleted }: ExternalIdsProps) {
  const { t } = useWords("data");
  const mayExplain = useCan("READ_STUDIO");
  return (
    <Card title={t("record.inSystems")}>
      {externalIds.length === 0 ? (
        <EmptyState
          compact
          icon={<IconPlugConnectedX size={20} />}
          title={t("record.notLinked")}
          body={t("record.notLinkedBody")}
        />
      ) : (
        <ul className="ac-systems">
          {externalIds.map((link) => (
            <ExternalIdItem key={`${link.connectorId} ${link.connectorEntity} ${link.externalId}`} link={link} />
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

function ExternalIdItem({ link }: { link: ExternalId }) {
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
      </div>
    </li>
  );
}
