/** Mails the product wrote: without a mail server an administrator passes their links on from here. */
import { getMail, listMails, type Mail } from "@accord/contracts/operations/mails";
import type { Id } from "@accord/contracts";
import {
  DataTable,
  EmptyState,
  ErrorBox,
  FormSkeleton,
  KeyValueList,
  PageBody,
  PageHeader,
  RelativeTime,
  SidePanel,
  StatusTag,
  TableSkeleton,
  type Column,
  type Tone,
} from "@accord/ui";
import { IconMail } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { usePage } from "../../../app/page.ts";
import { polling, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { NewerOlder } from "../../../shared/newer-older.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { OneTimeLink } from "../users/one-time-link.tsx";
import { linkParts } from "./link-parts.ts";
import "./outbox-screen.css";

const route = getRouteApi("/signed-in/settings/outbox");
const TONE: Record<Mail["status"], Tone> = { WAITING: "ember", SENT: "ok", KEPT: "info", FAILED: "error" };

export function OutboxScreen() {
  return (
    <Demand anyOf={["READ_OUTBOX"]}>
      <Outbox />
    </Demand>
  );
}

function Outbox() {
  const { t } = useWords("identity");
  usePage({
    title: t("outbox.title"),
    crumbs: [{ label: t("settings.title"), to: "/settings" }, { label: t("outbox.title") }],
  });
  const { mail: openId, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const mails = useEndpoint(
    listMails,
    { query: cursor ? { cursor } : {} },
    { placeholderData: keepPreviousData, ...polling(true) },
  );
  const open = (id: string | undefined) => void navigate({ search: (old) => ({ ...old, mail: id }), replace: true });
  const isKept = mails.data?.mails.some((mail) => mail.status === "KEPT") ?? false;

  const columns: Column<Mail>[] = [
    {
      id: "subject",
      header: t("outbox.subject"),
      minWidth: 220,
      grow: 1.6,
      cell: (mail) => <strong>{mail.subject}</strong>,
    },
    { id: "to", header: t("outbox.to"), minWidth: 190, cell: (mail) => <span>{mail.to}</span> },
    {
      id: "status",
      header: t("outbox.status"),
      width: 120,
      cell: (mail) => (
        <StatusTag tone={TONE[mail.status]} busy={mail.status === "WAITING"}>
          {t(`outbox.status${mail.status}`)}
        </StatusTag>
      ),
    },
    { id: "written", header: t("outbox.written"), width: 130, cell: (mail) => <RelativeTime at={mail.createdAt} /> },
  ];

  return (
    <div className="ac-outbox">
      <PageBody fill>
        <PageHeader title={t("outbox.title")} subtitle={isKept ? t("outbox.keptLead") : t("outbox.lead")} />
        <QueryView query={mails} skeleton={<TableSkeleton columns={4} />}>
          {({ mails: rows, pageInfo }) => (
            <DataTable
              fill
              label={t("outbox.title")}
              columns={columns}
              rows={rows}
              rowId={(mail) => mail.id}
              rowLabel={(mail) => mail.subject}
              activeRow={openId}
              onRowOpen={(mail) => open(mail.id)}
              stale={mails.isPlaceholderData}
              empty={<EmptyState icon={<IconMail size={22} />} title={t("outbox.none")} body={t("outbox.noneHint")} />}
              footer={
                pageInfo.nextCursor || cursor ? (
                  <NewerOlder
                    onNewer={cursor ? () => history.back() : undefined}
                    onOlder={
                      pageInfo.nextCursor
                        ? () => void navigate({ search: { cursor: pageInfo.nextCursor ?? undefined } })
                        : undefined
                    }
                  />
                ) : null
              }
            />
          )}
        </QueryView>
      </PageBody>
      {openId ? <MailPanel mailId={openId as Id<"mail">} onClose={() => open(undefined)} /> : null}
    </div>
  );
}

function MailPanel({ mailId, onClose }: { mailId: Id<"mail">; onClose: () => void }) {
  const { t } = useWords("identity");
  const mayMakeLinks = useCan("REINVITE_USER");
  const mail = useEndpoint(getMail, { params: { mailId } });
  return (
    <SidePanel title={mail.data?.subject ?? t("outbox.subject")} onClose={onClose} takeFocus width={420}>
      <QueryView query={mail} skeleton={<FormSkeleton />}>
        {(data) => (
          <div className="ac-mail">
            {data.error ? <ErrorBox message={data.error} /> : null}
            <KeyValueList
              facts={[
                { key: t("outbox.to"), value: data.to },
                { key: t("outbox.status"), value: t(`outbox.status${data.status}`) },
                { key: t("outbox.written"), value: <RelativeTime at={data.createdAt} /> },
              ]}
            />
            <div className="ac-mail__text">
              {linkParts(data.text).map((part, index) =>
                part.isLink ? (
                  <a key={index} href={part.text}>
                    {part.text}
                  </a>
                ) : (
                  <span key={index}>{part.text}</span>
                ),
              )}
            </div>
            {data.linkFor && mayMakeLinks ? (
              <OneTimeLink
                key={data.id}
                userId={data.linkFor}
                lead={t(data.status === "KEPT" ? "outbox.linkKept" : "outbox.linkSent")}
              />
            ) : null}
          </div>
        )}
      </QueryView>
    </SidePanel>
  );
}
