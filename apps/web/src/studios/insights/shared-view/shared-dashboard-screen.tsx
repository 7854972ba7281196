/** A shared dashboard as somebody outside sees it: to look at, with the variables they may change. */
import { formatDate } from "@accord/cards/definitions";
import { cardShapeOf } from "@accord/contracts/insights/card-configuration";
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import type { VariableValues } from "@accord/contracts/insights/variables";
import {
  closeSharedDashboard,
  encodeEmail,
  getSharedCardData,
  getSharedDashboard,
  type SharedCard,
} from "@accord/contracts/insights/sharing";
import { EmptyState, RelativeTime } from "@accord/ui";
import { Button, Menu, Select } from "@mantine/core";
import { IconChartBar, IconChartHistogram, IconLogout, IconPrinter, IconTable } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Navigate, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { endpointQuery, queryClient, useCall, useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { QueryError } from "../../../shared/query-view.tsx";
import { useTableChoice } from "../cards/table-choice.ts";
import { CardTile } from "../cards/card-tile.tsx";
import { FilterBar } from "../cross-filter/filter-bar.tsx";
import { type DashboardFilters, useCrossFilters } from "../cross-filter/use-cross-filters.ts";
import { Board } from "../dashboards/board.tsx";
import { updatableVariables, valuesAsked, ViewerVariables } from "../cards/viewer-variables.tsx";
import { PrintedArea } from "../printing/printed-area.tsx";
import { usePrint } from "../printing/use-print.ts";
import "./shared-view.css";

type SharedInput = Parameters<typeof endpointQuery<typeof getSharedCardData>>[1];

export function SharedDashboardScreen() {
  const { t } = useWords("insights");
  const { email = "", dashboardId = "" } = useParams({ strict: false });
  const navigate = useNavigate();
  const query = useEndpoint(getSharedDashboard, { params: { dashboardId } }, { refetchInterval: 60_000, retry: false });
  const [values, setValues] = useState<VariableValues>({});
  const printing = usePrint();
  const { data } = query;
  const cards = data?.cards ?? NO_CARDS;
  const filters = useCrossFilters(cards);
  const params = { email, dashboardId };
  usePage({ title: query.data?.displayName ?? t("outside.enterTitle") });
  const leave = useCall(closeSharedDashboard, {
    onSuccess: () => {
      queryClient.clear();
      void navigate({ to: "/insightssharing/enter-password/user/$email/dashboard/$dashboardId", params });
    },
  });
  const refusal = query.error instanceof ApiError ? query.error : null;
  if (refusal?.code === "share_expired")
    return (
      <Navigate to="/insightssharing/expired-dashboard/user/$email/dashboard/$dashboardId" params={params} replace />
    );
  // Another person's session in this browser counts as none: the address in the link says whose this is.
  if (refusal?.status === 401 || (query.data && encodeEmail(query.data.email) !== email))
    return <Navigate to="/insightssharing/enter-password/user/$email/dashboard/$dashboardId" params={params} replace />;
  if (query.isError && !query.data) return <QueryError error={query.error} onRetry={() => void query.refetch()} />;
  const ask = (card: SharedCard) => {
    const own = filters.on(card.id);
    const variablesMap = valuesAsked(card, cards, { values, filters: own });
    const body = { variablesMap, ...(own.length > 0 ? { filters: own } : {}) };
    return { params: { dashboardId, cardId: card.id }, body };
  };
  const filtered = cards.map((card) => ({
    ...{ id: card.id, displayName: card.displayName, configuration: wholeConfiguration(card) },
    query: endpointQuery(getSharedCardData, ask(card)),
  }));
  return (
    <PrintedArea>
      <div className="ac-outside">
        <header className="ac-outside__bar">
          <div className="ac-outside__words">
            <h1>{data?.displayName ?? " "}</h1>
            <p>
              {data ? t("outside.sharedBy", { name: data.sharedBy }) : " "}
              {data?.expiryDate ? (
                <> · {t("outside.until", { date: formatDate(data.expiryDate.slice(0, 10), "day") })}</>
              ) : null}
            </p>
          </div>
          {data && data.others.length > 1 ? (
            <Select
              aria-label={t("outside.switch")}
              allowDeselect={false}
              value={dashboardId}
              data={data.others.map((other) => ({ value: other.dashboardId, label: other.displayName }))}
              onChange={(next) =>
                next &&
                void navigate({
                  to: "/insightssharing/user/$email/dashboard/$dashboardId",
                  params: { email, dashboardId: next },
                })
              }
            />
          ) : null}
          <Button
            variant="default"
            leftSection={<IconPrinter size={16} />}
            loading={printing.isWaiting}
            onClick={printing.print}
          >
            {t("toolbar.print")}
          </Button>
          <Button
            variant="default"
            leftSection={<IconLogout size={16} />}
            loading={leave.isPending}
            onClick={() => leave.mutate({ body: {} })}
          >
            {t("outside.leave")}
          </Button>
        </header>
        <main className="ac-outside__main">
          {data?.description ? <p>{data.description}</p> : null}
          <ViewerVariables variables={updatableVariables(cards)} values={values} onChange={setValues} />
          {data && cards.length === 0 ? (
            <EmptyState icon={<IconChartHistogram size={22} />} title={t("outside.noCards")} />
          ) : null}
          {filters.filters.length > 0 ? <FilterBar filters={filters} cards={filtered} /> : null}
          <Board cards={cards} vizTypeOf={({ configuration }) => configuration.vizType}>
            {(card) => <SharedTile card={card} input={ask(card)} filters={filters} />}
          </Board>
        </main>
        <footer className="ac-outside__foot">{t("outside.product")}</footer>
      </div>
    </PrintedArea>
  );
}

const NO_CARDS: SharedCard[] = [];

/** Guests get what drawing a card takes; what it is made of is not theirs to know. */
const wholeConfiguration = ({ configuration }: SharedCard): CardConfiguration => ({
  ...{ formatVersion: 1, datasetId: "", variablesMap: {} },
  ...configuration,
});

function SharedTile({ card, input, filters }: { card: SharedCard; input: SharedInput; filters: DashboardFilters }) {
  const { t } = useWords("insights");
  const [asTable, setAsTable] = useTableChoice(card.id);
  const filter = useMemo(() => filters.of(card.id), [filters, card.id]);
  const query = useEndpoint(getSharedCardData, input, {
    placeholderData: keepPreviousData,
    ...{ refetchInterval: 60_000, retry: false },
  });
  const menu =
    cardShapeOf(card.configuration.vizType).kind === "rows" ? null : (
      <>
        <Menu.Item
          leftSection={asTable ? <IconChartBar size={15} /> : <IconTable size={15} />}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? t("card.asChart") : t("card.asTable")}
        </Menu.Item>
        {query.data?.data.dataAsOf ? (
          <Menu.Label>
            {t("toolbar.asOf")} <RelativeTime at={query.data.data.dataAsOf} />
          </Menu.Label>
        ) : null}
      </>
    );
  return (
    <CardTile
      name={card.displayName}
      description={card.description}
      configuration={wholeConfiguration(card)}
      query={query}
      filter={filter}
      asTable={asTable}
      menu={menu}
    />
  );
}
