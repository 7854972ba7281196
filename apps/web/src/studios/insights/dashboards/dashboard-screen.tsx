/** One dashboard in its published or draft version. */
import { dashboardAllows } from "@accord/analytics-engine";
import { type DashboardCard, visitDashboard } from "@accord/contracts/insights/dashboards";
import type { VariableValues } from "@accord/contracts/insights/variables";
import { CardSkeleton, EmptyState, PageBody, PageHeader, StatusTag } from "@accord/ui";
import { Button, Group } from "@mantine/core";
import { IconLayoutGridAdd } from "@tabler/icons-react";
import { Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { call } from "../../../app/api.ts";
import { usePage } from "../../../app/page.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { NotFoundScreen } from "../../../frame/error-screens/error-screens.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { showSuccess } from "../parts/show-success.ts";
import { AskButton } from "../parts/ask-button.tsx";
import { useMayMakeCards } from "../parts/may-make-cards.ts";
import { PrintedArea } from "../printing/printed-area.tsx";
import { FilterBar } from "../cross-filter/filter-bar.tsx";
import { useCrossFilters } from "../cross-filter/use-cross-filters.ts";
import { asDashboardId, type CardAsked, cardDataQuery, type OpenDashboard, useDashboard } from "../parts/queries.ts";
import { useAutoRefresh } from "./auto-refresh.ts";
import { Board, EditableBoard, nudged } from "./board.tsx";
import { DashboardTile } from "./dashboard-tile.tsx";
import { DashboardToolbar } from "./dashboard-toolbar.tsx";
import { Library } from "./library.tsx";
import { UnpublishedChanges } from "./unpublished-changes.tsx";
import { useSidebar } from "./sidebar-choice.ts";
import { updatableVariables, valuesAsked, ViewerVariables } from "../cards/viewer-variables.tsx";
import { useLayoutSaves } from "./use-layout-saves.ts";
import "./dashboards.css";

export function DashboardScreen() {
  const { dashboardId = "", version = "published" } = useParams({ strict: false });
  const query = useDashboard(dashboardId);
  if (version !== "published" && version !== "draft") return <NotFoundScreen />;
  return (
    <QueryView isScreen query={query} skeleton={<Waiting />}>
      {(open) => {
        const { dashboard } = open;
        const wantsDraft = version === "draft" && dashboard.draftStatus === "APPROVED";
        if (wantsDraft && dashboard.draft) return <DraftOf id={dashboard.draft} />;
        // What was read before the draft was made doesn't know of it.
        if (wantsDraft && query.isFetching) return <Waiting />;
        if (wantsDraft) return <Navigate to="/insights-studio/$dashboardId" params={{ dashboardId }} replace />;
        if (version === "published" && dashboard.draftStatus === "NEW")
          return (
            <Navigate to="/insights-studio/$dashboardId/$version" params={{ dashboardId, version: "draft" }} replace />
          );
        return <OpenScreen key={open.dashboard.id} open={open} />;
      }}
    </QueryView>
  );
}

/** Remembers the dashboard as the last one looked at; nothing is lost when that fails. */
function useVisit(id: string): void {
  useEffect(() => {
    call(visitDashboard, { params: { id: asDashboardId(id) }, body: {} }).catch(() => {});
  }, [id]);
}

/** A published dashboard's draft, at the published one's address. */
function DraftOf({ id }: { id: string }) {
  return (
    <QueryView isScreen query={useDashboard(id)} skeleton={<Waiting />}>
      {(open) => <OpenScreen key={open.dashboard.id} open={open} />}
    </QueryView>
  );
}

const NO_VALUES: VariableValues = {};

const Waiting = () => (
  <PageBody>
    <CardSkeleton />
  </PageBody>
);

function OpenScreen({ open }: { open: OpenDashboard }) {
  const { t } = useWords("insights");
  const { dashboard, cards } = open;
  const mayEdit = useCan("UPDATE_DASHBOARD");
  const mayMakeCards = useMayMakeCards();
  const navigate = useNavigate();
  const { library: named, values = NO_VALUES } = useSearch({ strict: false });
  const [sidebar, changeSidebar] = useSidebar();
  // An address that names a tab opens it.
  const library = named ?? (sidebar.open ? sidebar.tab : undefined);
  const isDraft = dashboard.draftStatus === "NEW";
  const editable = isDraft && mayEdit && dashboardAllows(dashboard, "edit");
  const address = dashboard.parentId ?? dashboard.id;
  const version = isDraft ? "draft" : "published";
  useVisit(address);
  usePage({
    title: dashboard.displayName,
    crumbs: [{ label: t("title"), to: "/insights-studio" }, { label: dashboard.displayName }],
  });

  const autoRefresh = useAutoRefresh();
  const { cards: shown, change } = useLayoutSaves(dashboard);
  const remove = (card: DashboardCard, name: string): void =>
    change(
      shown.filter(({ id }) => id !== card.id),
      { onSaved: () => showSuccess(t("board.removed", { name })) },
    );
  const openLibrary = (tab: "cards" | "datasets" | undefined): void => {
    changeSidebar(tab ? { open: true, tab } : { open: false });
    void navigate({ to: ".", search: (old) => ({ ...old, library: tab }), replace: true });
  };

  const choose = (next: VariableValues): void =>
    void navigate({ to: ".", search: (old) => ({ ...old, values: next }), replace: true });

  const filters = useCrossFilters(shown);
  const ask = (card: OpenDashboard["cards"][number]): CardAsked => {
    const own = filters.on(card.id);
    const chosen = { values: isDraft ? NO_VALUES : values, filters: own };
    const place = { cardId: card.id, dashboardId: asDashboardId(dashboard.id) };
    return { ...place, variablesMap: valuesAsked(card, cards, chosen), filters: own };
  };
  const filtered = cards
    .filter(({ id }) => shown.some((card) => card.id === id))
    .map((card) => ({ ...card, query: cardDataQuery(ask(card)) }));

  const tile = (card: DashboardCard) => {
    const found = cards.find(({ id }) => id === card.id);
    if (!found) return null;
    return (
      <DashboardTile
        key={card.id}
        placed={card}
        card={found}
        dashboard={dashboard}
        address={address}
        version={version}
        editable={editable}
        asked={ask(found)}
        filters={filters}
        refreshMs={autoRefresh.intervalMs}
        onRemove={() => remove(card, found.displayName)}
        {...(editable ? { onKeyMove: (by) => change(nudged(shown, card.id, by)) } : {})}
      />
    );
  };

  return (
    <>
      <div className="ac-dash">
        <div className="ac-dash__main">
          <PrintedArea>
            <PageBody>
              <PageHeader
                title={dashboard.displayName}
                subtitle={dashboard.description || undefined}
                tags={isDraft ? <StatusTag tone="warn">{t("tag.draft")}</StatusTag> : null}
                actions={
                  <DashboardToolbar
                    dashboard={dashboard}
                    address={address}
                    autoRefresh={autoRefresh}
                    onAddCard={editable && mayMakeCards ? () => openLibrary("cards") : undefined}
                  />
                }
              />
              {isDraft ? null : <UnpublishedChanges dashboard={dashboard} changes={open.unpublishedChanges} />}
              {isDraft ? null : (
                <ViewerVariables
                  variables={updatableVariables(cards)}
                  preset={Object.assign({}, ...dashboard.dataCards.map(({ variablesMap }) => variablesMap))}
                  values={values}
                  onChange={choose}
                />
              )}
              {filters.filters.length > 0 ? <FilterBar filters={filters} cards={filtered} /> : null}
              {shown.length === 0 ? (
                <EmptyState
                  icon={<IconLayoutGridAdd size={22} />}
                  title={t("board.emptyTitle")}
                  body={isDraft ? t("board.emptyBody") : t("board.emptyPublished")}
                  action={
                    editable && mayMakeCards ? (
                      <Group gap="xs" justify="center">
                        <Button
                          onClick={() =>
                            void navigate({
                              to: "/insights-studio/$dashboardId/$version/datacard/$dataCardId",
                              params: { dashboardId: address, version, dataCardId: "new" },
                            })
                          }
                        >
                          {t("toolbar.newCard")}
                        </Button>
                        <AskButton params={{ dashboardId: address, version }} />
                      </Group>
                    ) : null
                  }
                />
              ) : editable ? (
                <EditableBoard cards={shown} onChange={(next) => change(next)}>
                  {tile}
                </EditableBoard>
              ) : (
                <Board
                  cards={shown}
                  vizTypeOf={({ id }) => cards.find((card) => card.id === id)?.configuration.vizType ?? ""}
                >
                  {tile}
                </Board>
              )}
            </PageBody>
          </PrintedArea>
        </div>
        {library && editable ? (
          <Library
            tab={library}
            view={sidebar.view}
            dashboard={dashboard}
            address={address}
            version={version}
            onTab={openLibrary}
            onView={(view) => changeSidebar({ view })}
            onClose={() => openLibrary(undefined)}
            onAdd={(card) =>
              change([...shown, card], {
                onSaved: () => showSuccess(t("board.card_added")),
                refused: t("board.data_card_not_added"),
              })
            }
          />
        ) : null}
      </div>
    </>
  );
}
