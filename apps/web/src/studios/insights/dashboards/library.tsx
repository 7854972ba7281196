/** The panel beside a draft: cards to add and the datasets they stand on. */
import { placeNewCard } from "@accord/analytics-engine";
import { listDataCards } from "@accord/contracts/insights/cards";
import type { Dashboard, DashboardCard } from "@accord/contracts/insights/dashboards";
import { listDatasets } from "@accord/contracts/insights/datasets";
import { EmptyState, SearchBox, SidePanel, TableSkeleton } from "@accord/ui";
import { ActionIcon, Button, Group, SegmentedControl, Tabs, Tooltip } from "@mantine/core";
import { IconCheck, IconEye, IconPencil, IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { AskButton } from "../parts/ask-button.tsx";
import { CardIcon } from "../cards/card-icon.tsx";
import { useMayMakeCards } from "../parts/may-make-cards.ts";
import type { Sidebar } from "./sidebar-choice.ts";

export interface LibraryProps {
  tab: Sidebar["tab"];
  view: Sidebar["view"];
  dashboard: Dashboard;
  address: string;
  version: "draft" | "published";
  onTab: (tab: Sidebar["tab"]) => void;
  onView: (view: Sidebar["view"]) => void;
  onClose: () => void;
  onAdd: (card: DashboardCard) => void;
}

export function Library(props: LibraryProps) {
  const { tab: wanted, view, dashboard, address, version, onTab, onView, onClose, onAdd } = props;
  const { t } = useWords("insights");
  const [text, setText] = useState("");
  const mayView = useCan("VIEW_DATACARD");
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
      footer={<NewOne tab={tab} params={params} />}
    >
      <SearchBox value={text} onChange={setText} placeholder={t("library.search")} width="100%" />
      <SegmentedControl
        className="ac-library__view"
        size="xs"
        aria-label={t("library.view")}
        value={view}
        data={(["list", "tiles"] as const).map((value) => ({ value, label: t(`library.${value}`) }))}
        onChange={(next) => onView(next === "tiles" ? "tiles" : "list")}
      />
      {tab === "cards" ? (
        <Cards text={text} view={view} dashboard={dashboard} onAdd={onAdd} />
      ) : (
        <Datasets text={text} view={view} params={params} />
      )}
    </SidePanel>
  );
}

/** Begins a new card or dataset, for those who may make one. */
function NewOne({ tab, params }: { tab: Sidebar["tab"]; params: { dashboardId: string; version: string } }) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const mayMakeDatasets = useCan("CREATE_DATASET");
  const mayMakeCards = useMayMakeCards();
  if (tab === "cards" ? !mayMakeCards : !mayMakeDatasets) return null;
  const begin = (): void =>
    tab === "cards"
      ? void navigate({
          to: "/insights-studio/$dashboardId/$version/datacard/$dataCardId",
          params: { ...params, dataCardId: "new" },
        })
      : void navigate({
          to: "/insights-studio/$dashboardId/$version/dataset/$datasetId",
          params: { ...params, datasetId: "new" },
        });
  return (
    <Group gap="xs" grow>
      <Button leftSection={<IconPlus size={16} />} onClick={begin}>
        {t(tab === "cards" ? "library.newCard" : "library.newDataset")}
      </Button>
      {tab === "cards" ? <AskButton params={params} /> : null}
    </Group>
  );
}

function Cards({
  text,
  view,
  dashboard,
  onAdd,
}: Pick<LibraryProps, "view" | "dashboard" | "onAdd"> & { text: string }) {
  const { t } = useWords("insights");
  const placed = new Set<string>(dashboard.dataCards.map(({ id }) => id));
  return (
    <QueryView query={useEndpoint(listDataCards)} skeleton={<TableSkeleton />}>
      {({ dataCards }) => {
        const shown = dataCards.filter(({ displayName }) => displayName.toLowerCase().includes(text.toLowerCase()));
        if (shown.length === 0) return <EmptyState compact title={t("library.noCards")} />;
        return (
          <ul className="ac-library__list" data-view={view}>
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

function Datasets({
  text,
  view,
  params,
}: {
  text: string;
  view: Sidebar["view"];
  params: { dashboardId: string; version: string };
}) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const mayEdit = useCan("UPDATE_DATASET");
  const mayPreview = useCan("PREVIEW_DATACARD");
  return (
    <QueryView query={useEndpoint(listDatasets)} skeleton={<TableSkeleton />}>
      {({ datasets }) => {
        const shown = datasets.filter(({ displayName }) => displayName.toLowerCase().includes(text.toLowerCase()));
        if (shown.length === 0) return <EmptyState compact title={t("library.noDatasets")} />;
        return (
          <ul className="ac-library__list" data-view={view}>
            {shown.map((dataset) => (
              <li key={dataset.id} className="ac-library__item">
                <span>
                  <strong>{dataset.displayName}</strong>
                  <small>
                    {dataset.sources.join(", ")} · {t("library.uses", { count: dataset.cards })}
                  </small>
                </span>
                {mayPreview ? (
                  <ActionIcon
                    variant="subtle"
                    aria-label={`${t("library.preview")}: ${dataset.displayName}`}
                    onClick={() =>
                      void navigate({
                        to: "/insights-studio/$dashboardId/$version/dataset/$datasetId/$mode",
                        params: { ...params, datasetId: dataset.id, mode: "preview" },
                      })
                    }
                  >
                    <IconEye size={16} />
                  </ActionIcon>
                ) : null}
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
