/** The panel beside a draft: cards to add and the datasets they stand on. */
import { listDataCards } from "@accord/contracts/insights/cards";
import type { Dashboard, DashboardCard } from "@accord/contracts/insights/dashboards";
import { listDatasets } from "@accord/contracts/insights/datasets";
import { EmptyState, SearchBox, SidePanel, TableSkeleton } from "@accord/ui";
import { ActionIcon, Button, Tabs, Tooltip } from "@mantine/core";
import { IconCheck, IconPencil, IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { CardIcon } from "../cards/card-icon.tsx";
import { useMayMakeCards } from "../cards/may-make-cards.ts";
import { placeNewCard } from "./board.tsx";

export interface LibraryProps {
  tab: "cards" | "datasets";
  dashboard: Dashboard;
  address: string;
  version: "draft" | "published";
  onTab: (tab: "cards" | "datasets") => void;
  onClose: () => void;
  onAdd: (card: DashboardCard) => void;
}

export function Library({ tab: wanted, dashboard, address, version, onTab, onClose, onAdd }: LibraryProps) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const mayView = useCan("VIEW_DATACARD");
  const mayMakeDatasets = useCan("CREATE_DATASET");
  const mayMakeCards = useMayMakeCards();
  const tab = mayView ? wanted : "datasets";
  const params = { dashboardId: address, version };
  return (
    <SidePanel
      title={t("library.title")}
      onClose={onClose}
      bar={
        <Tabs value={tab} onChange={(next) => onTab(next === "datasets" ? "datasets" : "cards")}>
          <Tabs.List>
            {mayView ? <Tabs.Tab value="cards">{t("library.cards")}</Tabs.Tab> : null}
            <Tabs.Tab value="datasets">{t("library.datasets")}</Tabs.Tab>
          </Tabs.List>
        </Tabs>
      }
      footer={
        tab === "cards" ? (
          mayMakeCards ? (
            <Button
              leftSection={<IconPlus size={16} />}
              onClick={() =>
                void navigate({
                  to: "/insights-studio/$dashboardId/$version/datacard/$dataCardId",
                  params: { ...params, dataCardId: "new" },
                })
              }
            >
              {t("library.newCard")}
            </Button>
          ) : null
        ) : mayMakeDatasets ? (
          <Button
            leftSection={<IconPlus size={16} />}
            onClick={() =>
              void navigate({
                to: "/insights-studio/$dashboardId/$version/dataset/$datasetId",
                params: { ...params, datasetId: "new" },
              })
            }
          >
            {t("library.newDataset")}
          </Button>
        ) : null
      }
    >
      <SearchBox value={text} onChange={setText} placeholder={t("library.search")} width="100%" />
      {tab === "cards" ? (
        <Cards text={text} dashboard={dashboard} onAdd={onAdd} />
      ) : (
        <Datasets text={text} params={params} />
      )}
    </SidePanel>
  );
}

function Cards({ text, dashboard, onAdd }: { text: string; dashboard: Dashboard; onAdd: LibraryProps["onAdd"] }) {
  const { t } = useWords("insights");
  const placed = new Set<string>(dashboard.dataCards.map(({ id }) => id));
  return (
    <QueryView query={useEndpoint(listDataCards)} skeleton={<TableSkeleton />}>
      {({ dataCards }) => {
        const shown = dataCards.filter(({ displayName }) => displayName.toLowerCase().includes(text.toLowerCase()));
        if (shown.length === 0) return <EmptyState compact title={t("library.noCards")} />;
        return (
          <ul className="ac-library__list">
            {shown.map((card) => (
              <li key={card.id} className="ac-library__item">
                <CardIcon type={card.vizType} />
                <span>
                  <strong>{card.displayName}</strong>
                  <small>{card.datasetName}</small>
                </span>
                <Tooltip label={placed.has(card.id) ? t("library.onDashboard") : t("library.add")}>
                  <ActionIcon
                    variant="subtle"
                    aria-label={`${t("library.add")}: ${card.displayName}`}
                    disabled={placed.has(card.id)}
                    onClick={() => onAdd({ id: card.id, layout: placeNewCard(dashboard.dataCards, card.id) })}
                  >
                    {placed.has(card.id) ? <IconCheck size={16} /> : <IconPlus size={16} />}
                  </ActionIcon>
                </Tooltip>
              </li>
            ))}
          </ul>
        );
      }}
    </QueryView>
  );
}

function Datasets({ text, params }: { text: string; params: { dashboardId: string; version: string } }) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const mayEdit = useCan("UPDATE_DATASET");
  return (
    <QueryView query={useEndpoint(listDatasets)} skeleton={<TableSkeleton />}>
      {({ datasets }) => {
        const shown = datasets.filter(({ displayName }) => displayName.toLowerCase().includes(text.toLowerCase()));
        if (shown.length === 0) return <EmptyState compact title={t("library.noDatasets")} />;
        return (
          <ul className="ac-library__list">
            {shown.map((dataset) => (
              <li key={dataset.id} className="ac-library__item">
                <span>
                  <strong>{dataset.displayName}</strong>
                  <small>
                    {dataset.sources.join(", ")} · {t("library.uses", { count: dataset.cards })}
                  </small>
                </span>
                {mayEdit ? (
                  <ActionIcon
                    variant="subtle"
                    aria-label={`${t("card.editDataset")}: ${dataset.displayName}`}
                    onClick={() =>
                      void navigate({
                        to: "/insights-studio/$dashboardId/$version/dataset/$datasetId",
                        params: { ...params, datasetId: dataset.id },
                      })
                    }
                  >
                    <IconPencil size={16} />
                  </ActionIcon>
                ) : null}
              </li>
            ))}
          </ul>
        );
      }}
    </QueryView>
  );
}
