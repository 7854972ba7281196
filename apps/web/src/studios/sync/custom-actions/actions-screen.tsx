/** Custom actions of the instance: what each calls, who made it, which pipelines use it and how it ended last. */
import {
  type Column,
  DataTable,
  EmptyState,
  PageBody,
  PageHeader,
  RelativeTime,
  SearchBox,
  TableSkeleton,
} from "@accord/ui";
import { Button } from "@mantine/core";
import { IconBrandSlack, IconExternalLink, IconPlus, IconTrash, IconWebhook } from "@tabler/icons-react";
import type { CustomAction } from "@accord/contracts/sync/actions";
import type { ActionUsage } from "@accord/contracts/sync/custom-action-checks";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { usePage } from "../../../app/page.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryError, QueryView } from "../../../shared/query-view.tsx";
import { StudioTabs } from "../addresses/studio-tabs.tsx";
import { fixedOrigin } from "@accord/sync-engine/actions";
import { ActionIcon } from "./parts/action-icon.tsx";
import { DeleteActionDialog } from "./parts/delete-action-dialog.tsx";
import { LastResult } from "./parts/last-result.tsx";
import { SlackSettings } from "./parts/slack-settings.tsx";
import { useActions, useActionUsage } from "./queries.ts";
import "./custom-actions.css";

const route = getRouteApi("/signed-in/sync-studio/actions");

export function ActionsScreen() {
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <Actions />
    </Demand>
  );
}

interface Row {
  action: CustomAction;
  /** Undefined while it is not known. */
  usage: ActionUsage | null | undefined;
}

function Actions() {
  const { t } = useWords("customActions");
  const { search = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const actions = useActions();
  const usage = useActionUsage();
  const mayWrite = useCan("WRITE_STUDIO");
  const maySetUp = useCan("SERVICE_CREDENTIAL");
  const [isSlack, setIsSlack] = useState(false);
  const [removed, setRemoved] = useState<CustomAction>();
  usePage({
    title: t("title"),
    crumbs: [{ label: t("studio"), to: "/sync-studio/details" }, { label: t("title") }],
  });
  const rows = useRows(actions.data?.actions, usage.data?.actions, search);
  const open = (actionId: CustomAction["id"]) =>
    void navigate({ to: "/sync-studio/actions/$actionId", params: { actionId } });
  const newButton = mayWrite ? (
    <Button component={Link} to="/sync-studio/actions/new" leftSection={<IconPlus size={15} />}>
      {t("new")}
    </Button>
  ) : null;
  return (
    <PageBody>
      <PageHeader
        title={t("title")}
        subtitle={t("lead")}
        actions={
          <>
            <SearchBox
              value={search}
              placeholder={t("search")}
              onChange={(text) => void navigate({ search: text ? { search: text } : {}, replace: true })}
            />
            {maySetUp ? (
              <Button variant="default" leftSection={<IconBrandSlack size={15} />} onClick={() => setIsSlack(true)}>
                {t("slack.open")}
              </Button>
            ) : null}
            {newButton}
          </>
        }
      />
      <StudioTabs current="actions" entityId={undefined} />
      {usage.isError ? <QueryError error={usage.error} onRetry={() => void usage.refetch()} /> : null}
      <QueryView query={actions} skeleton={<TableSkeleton />}>
        {(data) => (
          <DataTable
            label={t("list.label")}
            columns={columnsOf(t)}
            rows={rows}
            rowId={({ action }) => action.id}
            rowLabel={({ action }) => action.displayName}
            onRowOpen={({ action }) => open(action.id)}
            rowMenu={({ action }) => [
              {
                label: t("menu.open"),
                icon: <IconExternalLink size={15} />,
                onSelect: () => open(action.id),
              },
              mayWrite && {
                label: t("menu.delete"),
                icon: <IconTrash size={15} />,
                danger: true,
                onSelect: () => setRemoved(action),
              },
            ]}
            empty={
              data.actions.length === 0 ? (
                <EmptyState
                  icon={<IconWebhook size={22} />}
                  title={t("list.none")}
                  body={t("list.noneHint")}
                  action={newButton}
                />
              ) : (
                <EmptyState
                  title={t("list.nothing", { text: search })}
                  action={
                    <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
                      {t("list.clear")}
                    </Button>
                  }
                />
              )
            }
          />
        )}
      </QueryView>
      <DeleteActionDialog action={removed} onClose={() => setRemoved(undefined)} />
      {isSlack ? <SlackSettings onClose={() => setIsSlack(false)} /> : null}
    </PageBody>
  );
}

/** Those that hold every word of the search, with where they are used. */
function useRows(
  actions: readonly CustomAction[] = [],
  usage: readonly ActionUsage[] | undefined,
  search: string,
): Row[] {
  return useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const byAction = new Map(usage?.map((each) => [each.actionId, each]));
    return actions
      .filter(({ displayName, apiName, description, endpoint, tags }) => {
        const text = [displayName, apiName, description, endpoint, ...tags].join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
      })
      .map((action) => ({ action, usage: usage ? (byAction.get(action.id) ?? null) : undefined }));
  }, [actions, usage, search]);
}

type Words = ReturnType<typeof useWords<"customActions">>["t"];

const MAX_NAMES = 2;

const columnsOf = (t: Words): Column<Row>[] => [
  {
    id: "name",
    header: t("list.name"),
    grow: 3,
    minWidth: 260,
    always: true,
    sortValue: ({ action }) => action.displayName.toLowerCase(),
    cell: ({ action }) => (
      <span className="ac-action-name">
        <ActionIcon name={action.iconPath} size={17} />
        <Link to="/sync-studio/actions/$actionId" params={{ actionId: action.id }}>
          {action.displayName}
        </Link>
        {action.description ? <small title={action.description}>{action.description}</small> : null}
      </span>
    ),
  },
  {
    id: "request",
    header: t("list.request"),
    grow: 1.4,
    minWidth: 170,
    mono: true,
    sortValue: ({ action }) => action.endpoint,
    cell: ({ action }) => `${action.method} ${hostOf(action.endpoint)}`,
  },
  {
    id: "usedBy",
    header: t("list.usedBy"),
    grow: 1.2,
    minWidth: 150,
    sortValue: ({ usage }) => usage?.pipelines.length ?? 0,
    cell: ({ usage }) => <UsedBy usage={usage} />,
  },
  {
    id: "lastResult",
    header: t("list.lastResult"),
    grow: 1.2,
    minWidth: 170,
    sortValue: ({ usage }) => usage?.lastResult?.endedAt ?? "",
    cell: ({ usage }) => (usage === undefined ? "…" : <LastResult result={usage?.lastResult ?? null} />),
  },
  {
    id: "madeBy",
    header: t("list.madeBy"),
    width: 120,
    sortValue: ({ action }) => action.createdBy?.lastName ?? "",
    cell: ({ action: { createdBy } }) =>
      createdBy ? `${createdBy.firstName} ${createdBy.lastName}` : <span className="ac-quiet">–</span>,
  },
  {
    id: "changed",
    header: t("list.changed"),
    width: 105,
    sortValue: ({ action }) => action.updatedAt,
    cell: ({ action }) => <RelativeTime at={action.updatedAt} />,
  },
];

const hostOf = (endpoint: string): string => fixedOrigin(endpoint)?.replace(/^https?:\/\//, "") ?? endpoint;

function UsedBy({ usage }: { usage: ActionUsage | null | undefined }) {
  const { t } = useWords("customActions");
  if (usage === undefined) return "…";
  if (usage === null || usage.pipelines.length === 0) return <span className="ac-quiet">{t("list.unused")}</span>;
  const names = usage.pipelines.map(({ name, isPublished }) => (isPublished ? name : t("list.draftOnly", { name })));
  const shown = names.slice(0, MAX_NAMES).join(", ");
  const rest = names.length - MAX_NAMES;
  return <span title={names.join(", ")}>{rest > 0 ? t("list.more", { names: shown, count: rest }) : shown}</span>;
}
