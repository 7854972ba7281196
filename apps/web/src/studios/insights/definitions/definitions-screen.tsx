/** Lists of datasets and of data cards: where each is used, whose it is, how fresh, and deleting it. */
import { listDataCards } from "@accord/contracts/insights/cards";
import { listDatasetUses } from "@accord/contracts/insights/dataset-uses";
import { listDatasets } from "@accord/contracts/insights/datasets";
import {
  DataTable,
  EmptyState,
  PageBody,
  PageHeader,
  RelativeTime,
  SearchBox,
  TableSkeleton,
  Toolbar,
} from "@accord/ui";
import { Button, Group } from "@mantine/core";
import {
  IconBell,
  IconCards,
  IconDatabase,
  IconDatabaseSearch,
  IconFileExport,
  IconPencil,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { usePage } from "../../../app/page.ts";
import { useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { AlertsDrawer, useMayAlert } from "../card-alerts/alerts-drawer.tsx";
import { AskButton } from "../parts/ask-button.tsx";
import { CardIcon } from "../cards/card-icon.tsx";
import { useMayMakeCards } from "../parts/may-make-cards.ts";
import { ExportsDrawer, useMayExport } from "../dataset-exports/exports-drawer.tsx";
import { asCardId, asDatasetId } from "../parts/queries.ts";
import { type Definition, DeleteCard, DeleteDataset } from "./delete-definition.tsx";
import "./definitions.css";

const datasetsRoute = getRouteApi("/signed-in/insights-studio/datasets");
const cardsRoute = getRouteApi("/signed-in/insights-studio/cards");

const fits = (text: string, ...words: readonly string[]): boolean =>
  words.join(" ").toLowerCase().includes(text.trim().toLowerCase());

export function DatasetsScreen() {
  const { t } = useWords("insights");
  usePage({
    title: t("definitions.datasets"),
    crumbs: [{ label: t("title"), to: "/insights-studio" }, { label: t("definitions.datasets") }],
  });
  return (
    <Demand anyOf={["READ_INSIGHTS"]}>
      <Datasets />
    </Demand>
  );
}

function Datasets() {
  const { t } = useWords("insights");
  const { q = "", exports: exportsOf } = datasetsRoute.useSearch();
  const search = datasetsRoute.useNavigate();
  const navigate = useNavigate();
  const [deleted, setDeleted] = useState<Definition | null>(null);
  const may = {
    create: useCan("CREATE_DATASET"),
    edit: useCan("UPDATE_DATASET"),
    exportIt: useMayExport(),
    makeCards: useMayMakeCards(),
    remove: useCan("DELETE_DATASET"),
  };
  const uses = new Map(useEndpoint(listDatasetUses).data?.datasets.map((one) => [one.id, one]));
  const open = (datasetId: string): void =>
    void navigate({ to: "/insights-studio/datasets/$datasetId", params: { datasetId } });
  const showExports = (datasetId: string | undefined): void =>
    void search({ search: (at) => ({ ...at, exports: datasetId }) });
  const create = may.create ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => open("new")}>
      {t("library.newDataset")}
    </Button>
  ) : null;
  return (
    <PageBody>
      <PageHeader title={t("definitions.datasets")} subtitle={t("definitions.datasetsSubtitle")} actions={create} />
      <QueryView query={useEndpoint(listDatasets)} skeleton={<TableSkeleton />}>
        {({ datasets }) =>
          datasets.length === 0 ? (
            <EmptyState icon={<IconDatabase size={22} />} title={t("library.noDatasets")} action={create} />
          ) : (
            <>
              <Toolbar>
                <SearchBox
                  value={q}
                  placeholder={t("definitions.searchDatasets")}
                  onChange={(text) => void search({ search: (at) => ({ ...at, q: text || undefined }), replace: true })}
                />
              </Toolbar>
              <DataTable
                label={t("definitions.datasets")}
                rows={datasets.filter((one) => fits(q, one.displayName, one.description, ...one.sources))}
                rowId={({ id }) => id}
                rowLabel={({ displayName }) => displayName}
                onRowOpen={may.edit ? ({ id }) => open(id) : undefined}
                empty={t("definitions.noneFits")}
                columns={[
                  {
                    ...{ id: "name", header: t("editor.displayName"), grow: 2, minWidth: 180 },
                    cell: ({ displayName }) => displayName,
                  },
                  {
                    ...{ id: "sources", header: t("editor.sources"), grow: 1, minWidth: 140 },
                    cell: ({ sources }) => sources.join(", "),
                  },
                  { id: "cards", header: t("library.cards"), width: 92, cell: ({ cards }) => String(cards) },
                  {
                    ...{ id: "dashboards", header: t("definitions.usedOn"), grow: 2, minWidth: 150 },
                    cell: ({ id }) => uses.get(id)?.dashboards.join(", ") ?? "",
                  },
                  {
                    ...{ id: "asOf", header: t("definitions.dataAsOf"), width: 128 },
                    cell: ({ id }) => <RelativeTime at={uses.get(id)?.dataAsOf ?? null} none={t("changes.nothing")} />,
                  },
                  { id: "owner", header: t("definitions.owner"), width: 124, cell: ({ createdBy }) => createdBy },
                  {
                    ...{ id: "updated", header: t("home.updated"), width: 128 },
                    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
                  },
                ]}
                rowMenu={(dataset) => [
                  may.makeCards && {
                    ...{ label: t("explore.action"), icon: <IconDatabaseSearch size={15} /> },
                    onSelect: () => void navigate({ to: "/insights-studio/explore", search: { dataset: dataset.id } }),
                  },
                  may.edit && {
                    ...{ label: t("card.editDataset"), icon: <IconPencil size={15} /> },
                    onSelect: () => open(dataset.id),
                  },
                  may.exportIt && {
                    ...{ label: t("exports.menu"), icon: <IconFileExport size={15} /> },
                    onSelect: () => showExports(dataset.id),
                  },
                  may.remove && {
                    ...{ label: t("toolbar.delete"), icon: <IconTrash size={15} />, danger: true },
                    onSelect: () => setDeleted(dataset),
                  },
                ]}
              />
              <ShownExports
                dataset={datasets.find(({ id }) => id === exportsOf)}
                onClose={() => showExports(undefined)}
              />
            </>
          )
        }
      </QueryView>
      {deleted ? <DeleteDataset definition={deleted} onClose={() => setDeleted(null)} /> : null}
    </PageBody>
  );
}

interface ShownExportsProps {
  /** As the address names it; none where that names no dataset. */
  dataset: { id: string; displayName: string } | undefined;
  onClose: () => void;
}

function ShownExports({ dataset, onClose }: ShownExportsProps) {
  const mayExport = useMayExport();
  if (!dataset || !mayExport) return null;
  const { id, displayName } = dataset;
  return <ExportsDrawer key={id} dataset={{ id: asDatasetId(id), displayName }} onClose={onClose} />;
}

export function CardsScreen() {
  const { t } = useWords("insights");
  usePage({
    title: t("definitions.cards"),
    crumbs: [{ label: t("title"), to: "/insights-studio" }, { label: t("definitions.cards") }],
  });
  return (
    <Demand anyOf={["VIEW_DATACARD"]}>
      <Cards />
    </Demand>
  );
}

function Cards() {
  const { t } = useWords("insights");
  const { q = "", alerts: alertsOf } = cardsRoute.useSearch();
  const search = cardsRoute.useNavigate();
  const [deleted, setDeleted] = useState<Definition | null>(null);
  const navigate = useNavigate();
  const may = {
    create: useMayMakeCards(),
    edit: useCan("UPDATE_DATACARD"),
    alert: useMayAlert(),
    remove: useCan("DELETE_DATACARD"),
  };
  const showAlerts = (cardId: string | undefined): void => void search({ search: (at) => ({ ...at, alerts: cardId }) });
  const open = (dataCardId: string): void =>
    void navigate({ to: "/insights-studio/cards/$dataCardId", params: { dataCardId } });
  const create = may.create ? (
    <Group gap="xs">
      <AskButton />
      <Button leftSection={<IconPlus size={16} />} onClick={() => open("new")}>
        {t("library.newCard")}
      </Button>
    </Group>
  ) : null;
  return (
    <PageBody>
      <PageHeader title={t("definitions.cards")} subtitle={t("definitions.cardsSubtitle")} actions={create} />
      <QueryView query={useEndpoint(listDataCards)} skeleton={<TableSkeleton />}>
        {({ dataCards }) =>
          dataCards.length === 0 ? (
            <EmptyState icon={<IconCards size={22} />} title={t("library.noCards")} action={create} />
          ) : (
            <>
              <Toolbar>
                <SearchBox
                  value={q}
                  placeholder={t("definitions.searchCards")}
                  onChange={(text) => void search({ search: (at) => ({ ...at, q: text || undefined }), replace: true })}
                />
              </Toolbar>
              <DataTable
                label={t("definitions.cards")}
                rows={dataCards.filter((one) => fits(q, one.displayName, one.description, one.datasetName))}
                rowId={({ id }) => id}
                rowLabel={({ displayName }) => displayName}
                onRowOpen={may.edit ? ({ id }) => open(id) : undefined}
                empty={t("definitions.noneFits")}
                columns={[
                  {
                    ...{ id: "name", header: t("editor.displayName"), grow: 2, minWidth: 200 },
                    cell: ({ displayName }) => displayName,
                  },
                  {
                    ...{ id: "type", header: t("definitions.type"), width: 130 },
                    cell: ({ vizType }) => (
                      <span className="ac-definitions__type">
                        <CardIcon type={vizType} /> {t(`cardType.${vizType}.name`)}
                      </span>
                    ),
                  },
                  {
                    ...{ id: "dataset", header: t("definitions.dataset"), grow: 1, minWidth: 140 },
                    cell: ({ datasetName }) => datasetName,
                  },
                  {
                    ...{ id: "dashboards", header: t("definitions.usedOn"), grow: 2, minWidth: 160 },
                    cell: ({ dashboards }) => dashboards.join(", ") || t("changes.nothing"),
                  },
                  { id: "owner", header: t("definitions.owner"), width: 160, cell: ({ createdBy }) => createdBy },
                  {
                    ...{ id: "updated", header: t("home.updated"), width: 140 },
                    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
                  },
                ]}
                rowMenu={(card) => [
                  may.edit && {
                    ...{ label: t("card.edit"), icon: <IconPencil size={15} /> },
                    onSelect: () => open(card.id),
                  },
                  may.alert && {
                    ...{ label: t("alerts.menu"), icon: <IconBell size={15} /> },
                    onSelect: () => showAlerts(card.id),
                  },
                  may.remove && {
                    ...{ label: t("toolbar.delete"), icon: <IconTrash size={15} />, danger: true },
                    onSelect: () => setDeleted(card),
                  },
                ]}
              />
            </>
          )
        }
      </QueryView>
      {alertsOf === undefined ? null : <ShownAlerts cardId={alertsOf} onClose={() => showAlerts(undefined)} />}
      {deleted ? <DeleteCard definition={deleted} onClose={() => setDeleted(null)} /> : null}
    </PageBody>
  );
}

/** Named by the address, which a notification leads to: also where the card is deleted since, which the drawer says. */
function ShownAlerts({ cardId, onClose }: { cardId: string; onClose: () => void }) {
  const displayName = useEndpoint(listDataCards).data?.dataCards.find(({ id }) => id === cardId)?.displayName;
  return <AlertsDrawer key={cardId} card={{ id: asCardId(cardId), displayName }} onClose={onClose} />;
}
