/** The bell: what people of the instance were told, and what ended in this tab, newest first. */
import { ActionIcon, Button, Popover } from "@mantine/core";
import {
  listNotifications,
  markNotificationsRead,
  notificationsChanged,
} from "@accord/contracts/operations/notifications";
import { EmptyState, RelativeTime, StatusTag } from "@accord/ui";
import { IconBell } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { polling, refreshOn, useCall, useEndpoint } from "../../app/queries.ts";
import { useWords } from "../../app/words.ts";
import { type BellEntry, bellEntries, linkParts } from "./bell.model.ts";
import { markNoticesRead, useNotices } from "../../app/notices.ts";

refreshOn(notificationsChanged, [listNotifications]);

const PAGE = 30;
const MOST = 100;
const TONE = { success: "ok", info: "info", warning: "warn", error: "error" } as const;

export function Bell() {
  const { t } = useWords();
  const [count, setCount] = useState(PAGE);
  const { notices, unread: unreadHere } = useNotices();
  const { data } = useEndpoint(listNotifications, { query: { count } }, polling());
  const seen = useCall(markNotificationsRead, { refreshes: [listNotifications] });
  const told = data?.notifications ?? [];
  const unread = unreadHere + (data?.unread ?? 0);
  const entries = bellEntries(told, notices);
  const hasOlder = count < MOST && data?.pageInfo.nextCursor != null;
  const opened = (): void => {
    markNoticesRead();
    const newest = told[0];
    if (newest && (data?.unread ?? 0) > 0) seen.mutate({ body: { upTo: newest.id } });
  };
  return (
    // What was new stays marked while one reads; it counts as seen once the list is closed.
    <Popover position="bottom-end" width={360} trapFocus onClose={opened}>
      <Popover.Target>
        <ActionIcon
          className="ac-bar__bell"
          aria-label={unread > 0 ? `${t("bar.notifications")} (${unread})` : t("bar.notifications")}
        >
          <IconBell size={18} stroke={1.7} />
          {unread > 0 ? <span className="ac-bar__dot" aria-hidden /> : null}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={t("bar.notifications")}>
        {entries.length === 0 ? (
          <EmptyState
            compact
            icon={<IconBell size={20} />}
            title={t("bar.noNotifications")}
            body={t("bar.noNotificationsHint")}
          />
        ) : (
          <ul className="ac-notices">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
            {hasOlder ? (
              <li>
                <Button variant="subtle" size="compact-sm" onClick={() => setCount(MOST)}>
                  {t("bar.olderNotifications")}
                </Button>
              </li>
            ) : null}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function Entry({ entry }: { entry: BellEntry }) {
  const { t } = useWords();
  return (
    <li data-unread={entry.isRead ? undefined : true}>
      <StatusTag tone={TONE[entry.severity]} plain>
        {entry.link ? <Link {...linkParts(entry.link)}>{entry.message}</Link> : entry.message}
        {entry.isRead ? null : <span className="ac-hidden">{t("bar.unread")}</span>}
      </StatusTag>
      {entry.detail ? <p>{entry.detail}</p> : null}
      <small>
        <RelativeTime at={entry.at} />
      </small>
    </li>
  );
}
