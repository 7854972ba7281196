/** Posts to a webhook, the newest first: accepted and refused ones, with their outcomes. */
import type { ConnectorDetail } from "@accord/contracts/connections/connectors";
import type { WebhookLogEntry, WebhookOutcome } from "@accord/contracts/connections/webhooks";
import { DataTable, EmptyState, RelativeTime, StatusTag, TableSkeleton, type Column } from "@accord/ui";
import { Button, SegmentedControl } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";
import { useWords } from "../../../app/words.ts";
import { NewerOlder } from "../../../shared/newer-older.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { OUTCOME_TONE, useOutcomeWords, useSize } from "./post-words.ts";
import { usePosts } from "./webhook-queries.ts";

const route = getRouteApi("/signed-in/synapses/connections/$connectorId");

/** What an entry is called in the address of the page. */
const keyOf = ({ kind, number }: WebhookLogEntry): string => `${kind}-${number}`;

export function PostLog({ connector }: { connector: ConnectorDetail }) {
  const { t } = useWords("webhooks");
  const { outcome, cursor, direction, post } = route.useSearch();
  const navigate = route.useNavigate();
  const posts = usePosts(connector.connectorId, { outcome, cursor, direction });
  const isNewest = direction === "previous" && posts.data?.page.previousCursor === null && !posts.isPlaceholderData;
  // Who has gone back to the newest posts sees new ones come again.
  useEffect(() => {
    if (isNewest)
      void navigate({ search: (old) => ({ ...old, cursor: undefined, direction: undefined }), replace: true });
  }, [isNewest, navigate]);
  return (
    <section className="ac-webhook__log" aria-labelledby="webhook-log">
      <div className="ac-webhook__bar">
        <h2 id="webhook-log">{t("log.title")}</h2>
        <OutcomeFilter value={outcome} />
        <span className="ac-webhook__live">{t(cursor ? "log.notLive" : "log.live")}</span>
      </div>
      <QueryView query={posts} skeleton={<TableSkeleton columns={6} rows={5} />}>
        {({ entries, page, cut }) => (
          <>
            <PostTable
              entries={entries}
              activeRow={post}
              stale={posts.isPlaceholderData}
              onOpen={(entry) => void navigate({ search: (old) => ({ ...old, post: keyOf(entry) }), replace: true })}
              footer={<LogFoot page={page} isFirst={!cursor} />}
            />
            <p className="ac-webhook__note">
              {t("log.kept")} {cut > 0 ? t("log.cut", { count: cut }) : null}
            </p>
          </>
        )}
      </QueryView>
    </section>
  );
}

function OutcomeFilter({ value }: { value: WebhookOutcome | undefined }) {
  const { t } = useWords("webhooks");
  const navigate = route.useNavigate();
  const outcomes = ["accepted", "noRecords", "refused"] as const;
  return (
    <SegmentedControl
      size="xs"
      aria-label={t("log.outcome")}
      value={value ?? "all"}
      data={[
        { value: "all", label: t("log.all") },
        ...outcomes.map((outcome) => ({ value: outcome, label: t(`log.outcomes.${outcome}`) })),
      ]}
      onChange={(next) =>
        void navigate({
          search: (old) => ({
            ...old,
            outcome: outcomes.find((known) => known === next),
            ...{ cursor: undefined, direction: undefined },
          }),
          replace: true,
        })
      }
    />
  );
}

interface LogFootProps {
  page: { nextCursor: string | null; previousCursor: string | null };
  isFirst: boolean;
}

/** At the newest page the foot is left out where there is no other. */
function LogFoot({ page: { nextCursor, previousCursor }, isFirst }: LogFootProps) {
  const navigate = route.useNavigate();
  const go = (cursor: string | undefined, direction: "previous" | undefined) =>
    void navigate({ search: (old) => ({ ...old, cursor, direction, post: undefined }) });
  if (isFirst && !nextCursor) return null;
  return (
    <NewerOlder
      onNewer={isFirst ? undefined : () => (previousCursor ? go(previousCursor, "previous") : go(undefined, undefined))}
      onOlder={nextCursor ? () => go(nextCursor, undefined) : undefined}
    />
  );
}

interface PostTableProps {
  entries: readonly WebhookLogEntry[];
  activeRow: string | undefined;
  stale: boolean;
  footer: ReactNode;
  onOpen: (entry: WebhookLogEntry) => void;
}

function usePostColumns(): Column<WebhookLogEntry>[] {
  const { t } = useWords("webhooks");
  const outcomeOf = useOutcomeWords();
  const sizeOf = useSize();
  return [
    { id: "at", header: t("log.time"), width: 120, cell: ({ at }) => <RelativeTime at={at} /> },
    {
      id: "outcome",
      header: t("log.outcome"),
      minWidth: 230,
      cell: (entry) => <StatusTag tone={OUTCOME_TONE[entry.outcome]}>{outcomeOf(entry)}</StatusTag>,
    },
    { id: "status", header: t("log.status"), width: 80, align: "end", cell: ({ status }) => String(status) },
    {
      id: "records",
      header: t("log.records"),
      width: 90,
      align: "end",
      cell: ({ recordCount }) => (recordCount === null ? "–" : String(recordCount)),
    },
    { id: "size", header: t("log.size"), width: 100, align: "end", cell: ({ size }) => sizeOf(size) },
    {
      id: "body",
      header: t("log.begins"),
      minWidth: 160,
      grow: 1.6,
      mono: true,
      cell: ({ body, times, replayOf, kind }) => {
        if (replayOf !== null) return t("log.replayOf", { number: replayOf });
        if (times > 1) return t("log.times", { count: times });
        return body ?? (kind === "post" ? t("log.hidden") : "–");
      },
    },
  ];
}

function PostTable({ entries, activeRow, stale, footer, onOpen }: PostTableProps) {
  const { t } = useWords("webhooks");
  const columns = usePostColumns();
  const outcomeOf = useOutcomeWords();
  const { outcome } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <DataTable
      label={t("log.title")}
      columns={columns}
      rows={entries}
      rowId={keyOf}
      rowLabel={(entry) => `${outcomeOf(entry)} ${entry.at}`}
      activeRow={activeRow}
      // Beside an opened post, which shows them, there is no room.
      hiddenColumns={activeRow ? ["records", "size"] : []}
      stale={stale}
      onRowOpen={onOpen}
      footer={footer}
      empty={
        outcome ? (
          <EmptyState
            icon={<IconInbox size={22} />}
            title={t("log.noMatch")}
            body={t("log.noMatchBody")}
            action={
              <Button
                variant="default"
                onClick={() => void navigate({ search: (old) => ({ ...old, outcome: undefined }), replace: true })}
              >
                {t("log.all")}
              </Button>
            }
          />
        ) : (
          <EmptyState icon={<IconInbox size={22} />} title={t("log.none")} body={t("log.noneBody")} />
        )
      }
    />
  );
}
