/** With whom a dashboard is shared: status, end, and what can be done about each share. */
import { formatDate } from "@accord/cards/definitions";
import {
  deleteShare,
  listShares,
  reshareDashboard,
  type Share,
  type ShareResult,
  updateShareExpiry,
} from "@accord/contracts/insights/sharing";
import {
  CopyableId,
  DataTable,
  EmptyState,
  PageBody,
  PageHeader,
  RelativeTime,
  SearchBox,
  StatusTag,
  TableSkeleton,
  Toolbar,
  type Tone,
} from "@accord/ui";
import { Button, Group, Modal, TextInput } from "@mantine/core";
import { IconCalendar, IconCopy, IconShare, IconUserOff, IconUsers } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { usePage } from "../../../app/page.ts";
import { useCall, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { showSuccess } from "../parts/show-success.ts";
import { asDashboardId } from "../parts/queries.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import "./sharing.css";
import { toast } from "../../../shared/toast.tsx";

const route = getRouteApi("/signed-in/insights-studio/$dashboardId/published/sharing-details");
const TONES: Record<Share["status"], Tone> = { INVITED: "info", VIEWED: "ok", EXPIRED: "idle" };

type Dialog = { kind: "expiry" | "reshare" | "revoke"; share: Share } | null;

export function SharingDetailsScreen() {
  const { t } = useWords("insights");
  const { dashboardId } = route.useParams();
  usePage({
    title: t("details.title"),
    crumbs: [
      { label: t("title"), to: "/insights-studio" },
      { kind: "dashboard", id: dashboardId, to: `/insights-studio/${dashboardId}` },
      { label: t("details.title") },
    ],
  });
  return (
    <Demand anyOf={["READ_SHARED_DASHBOARD_DETAILS"]}>
      <Details dashboardId={dashboardId} />
    </Demand>
  );
}

function Details({ dashboardId }: { dashboardId: string }) {
  const { t } = useWords("insights");
  const { q, cursor, dir } = route.useSearch();
  const navigate = route.useNavigate();
  const go = useNavigate();
  const mayShare = useCan("SHARE_DASHBOARD");
  const [dialog, setDialog] = useState<Dialog>(null);
  const query = useEndpoint(
    listShares,
    {
      params: { id: asDashboardId(dashboardId) },
      query: { pageSize: 25, direction: dir ?? "next", ...(q ? { predicate: q } : {}), ...(cursor ? { cursor } : {}) },
    },
    { placeholderData: keepPreviousData },
  );
  const page = (next: string | null, direction?: "previous"): void =>
    void navigate({ search: { q, cursor: next ?? undefined, dir: direction } });
  const share = mayShare ? (
    <Button
      leftSection={<IconShare size={16} />}
      onClick={() => void go({ to: "/insights-studio/$dashboardId/published/share-with", params: { dashboardId } })}
    >
      {t("toolbar.shareWith")}
    </Button>
  ) : null;
  return (
    <>
      <PageBody>
        <PageHeader title={t("details.title")} actions={share} />
        <QueryView query={query} skeleton={<TableSkeleton />}>
          {(data) =>
            data.total === 0 && !q ? (
              <EmptyState
                icon={<IconUsers size={22} />}
                title={t("details.emptyTitle")}
                body={t("details.emptyBody")}
                action={share}
              />
            ) : (
              <>
                <Toolbar end={<span className="ac-quiet">{t("details.total", { count: data.total })}</span>}>
                  <SearchBox
                    value={q ?? ""}
                    placeholder={t("details.search")}
                    onChange={(text) => void navigate({ search: { q: text || undefined }, replace: true })}
                  />
                </Toolbar>
                <SharesTable shares={data.shares} onDialog={setDialog} />
                {data.nextCursor || data.previousCursor ? (
                  <Group justify="flex-end" mt="md">
                    <Button
                      variant="default"
                      disabled={!data.previousCursor}
                      onClick={() => page(data.previousCursor, "previous")}
                    >
                      {t("details.previous")}
                    </Button>
                    <Button variant="default" disabled={!data.nextCursor} onClick={() => page(data.nextCursor)}>
                      {t("details.next")}
                    </Button>
                  </Group>
                ) : null}
              </>
            )
          }
        </QueryView>
      </PageBody>
      {dialog ? <ShareDialogs dashboardId={dashboardId} dialog={dialog} onClose={() => setDialog(null)} /> : null}
    </>
  );
}

function SharesTable({ shares, onDialog }: { shares: readonly Share[]; onDialog: (dialog: Dialog) => void }) {
  const { t } = useWords("insights");
  const may = {
    extend: useCan("UPDATE_SHARED_DASHBOARD_EXPIRY"),
    reshare: useCan("SHARE_DASHBOARD"),
    revoke: useCan("DELETE_SHARED_DASHBOARD_DETAILS"),
  };
  return (
    <DataTable
      label={t("details.title")}
      rows={shares}
      rowId={(share) => share.sharedItemId}
      rowLabel={(share) => share.email}
      columns={[
        { id: "email", header: t("details.person"), cell: (share) => share.email, grow: 2, minWidth: 220 },
        {
          id: "status",
          header: t("details.status"),
          width: 220,
          cell: (share) => (
            <Group gap={6} wrap="nowrap">
              <StatusTag tone={TONES[share.status]}>{t(`details.statuses.${share.status}`)}</StatusTag>
              {share.locked ? <StatusTag tone="warn">{t("details.locked")}</StatusTag> : null}
            </Group>
          ),
        },
        {
          id: "expiry",
          header: t("details.expiry"),
          width: 150,
          cell: (share) =>
            share.expiryDate ? formatDate(share.expiryDate.slice(0, 10), "day") : t("details.noExpiry"),
        },
        {
          id: "shared",
          header: t("details.shared"),
          width: 230,
          cell: (share) => (
            <>
              <RelativeTime at={share.sharedAt} /> {t("details.by", { name: share.sharedBy })}
            </>
          ),
        },
        {
          id: "viewed",
          header: t("details.viewed"),
          width: 150,
          cell: (share) => <RelativeTime at={share.lastViewedAt} none={t("details.never")} />,
        },
      ]}
      rowMenu={(share) => [
        {
          label: t("details.copyLink"),
          icon: <IconCopy size={15} />,
          onSelect: () => toast.copy(share.link, t("details.copiedLink")),
        },
        may.extend && {
          label: t("details.extend"),
          icon: <IconCalendar size={15} />,
          onSelect: () => onDialog({ kind: "expiry", share }),
        },
        may.reshare && {
          label: t("details.reshare"),
          icon: <IconShare size={15} />,
          onSelect: () => onDialog({ kind: "reshare", share }),
        },
        may.revoke && {
          label: t("details.revoke"),
          icon: <IconUserOff size={15} />,
          danger: true,
          onSelect: () => onDialog({ kind: "revoke", share }),
        },
      ]}
    />
  );
}

function ShareDialogs({
  dashboardId,
  dialog,
  onClose,
}: {
  dashboardId: string;
  dialog: NonNullable<Dialog>;
  onClose: () => void;
}) {
  const { t } = useWords("insights");
  const { share } = dialog;
  const params = { id: asDashboardId(dashboardId), sharedItemId: share.sharedItemId };
  const [date, setDate] = useState(share.expiryDate?.slice(0, 10) ?? "");
  const [given, setGiven] = useState<ShareResult | null>(null);
  const refreshes = [listShares];
  const extend = useCall(updateShareExpiry, { refreshes, onSuccess: onClose });
  const revoke = useCall(deleteShare, { refreshes });
  const reshare = useCall(reshareDashboard, { refreshes, onSuccess: setGiven });
  if (given)
    return (
      <Modal opened onClose={onClose} title={t("share.onceTitle")}>
        <p className="ac-form__lead">{t("share.onceBody")}</p>
        <ul className="ac-handover">
          <li>
            <strong>{given.share.email}</strong>
            <span>{given.password ? <CopyableId id={given.password} /> : t("share.mailed")}</span>
          </li>
        </ul>
      </Modal>
    );
  if (dialog.kind === "expiry")
    return (
      <Modal opened onClose={onClose} title={t("details.extend")}>
        <form
          className="ac-form"
          onSubmit={(event) => {
            event.preventDefault();
            extend.mutate({
              params,
              body: { expiryDate: date === "" ? null : new Date(`${date}T23:59:59.999Z`).toISOString() },
            });
          }}
        >
          {extend.isError ? <RefusalBox error={extend.error} /> : null}
          <TextInput
            data-autofocus
            type="date"
            label={t("share.expiry")}
            description={t("details.noExpiry")}
            value={date}
            onChange={(event) => setDate(event.currentTarget.value)}
          />
          <div className="ac-form__foot">
            <Button type="submit" loading={extend.isPending}>
              {t("details.save")}
            </Button>
          </div>
        </form>
      </Modal>
    );
  const isRevoke = dialog.kind === "revoke";
  return (
    <ConfirmDialog
      opened
      onClose={() => (isRevoke ? onClose() : given ? undefined : onClose())}
      danger={isRevoke}
      title={isRevoke ? t("details.revokeTitle") : t("details.reshare")}
      action={isRevoke ? t("details.revoke") : t("details.reshare")}
      onConfirm={async () => {
        if (isRevoke) {
          await revoke.mutateAsync({ params });
          showSuccess(t("remove.done"));
        } else
          await reshare.mutateAsync({
            params,
            body: { expiryDate: new Date(Date.now() + 30 * 86_400_000).toISOString() },
          });
      }}
    >
      {isRevoke ? t("details.revokeBody", { email: share.email }) : t("details.reshareBody", { email: share.email })}
    </ConfirmDialog>
  );
}
