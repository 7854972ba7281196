/** A card on a dashboard with its data, its menu, its full-size view and its settings here. */
import { CARD_DEFINITIONS } from "@accord/cards/definitions";
import { cardShapeOf } from "@accord/contracts/insights/card-configuration";
import type { Dashboard, DashboardCard } from "@accord/contracts/insights/dashboards";
import { RelativeTime } from "@accord/ui";
import { Menu, Modal } from "@mantine/core";
import {
  IconAdjustments,
  IconArrowsMaximize,
  IconBell,
  IconChartBar,
  IconCopy,
  IconDatabase,
  IconPencil,
  IconTable,
  IconTrash,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { AlertsDrawer, useMayAlert } from "../card-alerts/alerts-drawer.tsx";
import { CardFace } from "../cards/card-face.tsx";
import { CardLinks } from "../cards/card-links.tsx";
import { useMayMakeCards } from "../parts/may-make-cards.ts";
import { useTableChoice } from "../cards/table-choice.ts";
import { CardTile } from "../cards/card-tile.tsx";
import type { DashboardFilters } from "../cross-filter/use-cross-filters.ts";
import { type CardAsked, type OpenDashboard, useCardData, useRecordsOf } from "../parts/queries.ts";
import { CardSettings } from "./card-settings.tsx";

export interface DashboardTileProps {
  placed: DashboardCard;
  card: OpenDashboard["cards"][number];
  dashboard: Dashboard;
  address: string;
  version: "draft" | "published";
  editable: boolean;
  /** What the card is asked with. */
  asked: CardAsked;
  filters: DashboardFilters;
  refreshMs: number | null;
  onRemove: () => void;
  onKeyMove?: (change: { x: number; y: number; w: number; h: number }) => void;
}

export function DashboardTile({
  placed,
  card,
  dashboard,
  address,
  version,
  editable,
  asked,
  filters,
  refreshMs,
  onRemove,
  onKeyMove,
}: DashboardTileProps) {
  const { t } = useWords("insights");
  const query = useCardData(asked, refreshMs);
  const recordsOf = useRecordsOf(asked);
  const filter = useMemo(() => filters.of(card.id), [filters, card.id]);
  const [asTable, setAsTable] = useTableChoice(card.id);
  const [view, setView] = useState<"full" | "settings" | "alerts" | null>(null);
  const navigate = useNavigate();
  const mayEdit = useCan("UPDATE_DATACARD");
  const mayCopy = useMayMakeCards();
  const mayEditDataset = useCan("UPDATE_DATASET");
  const mayAlert = useMayAlert();
  const { configuration } = card;
  const isTable = cardShapeOf(configuration.vizType).kind === "rows";
  const to = (suffix: "copy" | "copy-add" | null): void => {
    const params = { dashboardId: address, version, dataCardId: card.id };
    if (suffix)
      void navigate({
        to: "/insights-studio/$dashboardId/$version/datacard/$dataCardId/$copy",
        params: { ...params, copy: suffix },
      });
    else void navigate({ to: "/insights-studio/$dashboardId/$version/datacard/$dataCardId", params });
  };
  const menu = (
    <>
      <Menu.Item leftSection={<IconArrowsMaximize size={15} />} onClick={() => setView("full")}>
        {t("card.full")}
      </Menu.Item>
      {isTable ? null : (
        <Menu.Item
          leftSection={asTable ? <IconChartBar size={15} /> : <IconTable size={15} />}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? t("card.asChart") : t("card.asTable")}
        </Menu.Item>
      )}
      {query.data?.data.dataAsOf ? (
        <Menu.Label>
          {t("toolbar.asOf")} <RelativeTime at={query.data.data.dataAsOf} />
        </Menu.Label>
      ) : null}
      {mayEdit ? (
        <>
          <Menu.Divider />
          <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => to(null)}>
            {t("card.edit")}
          </Menu.Item>
          {mayCopy ? (
            <Menu.Item leftSection={<IconCopy size={15} />} onClick={() => to(editable ? "copy-add" : "copy")}>
              {t("card.copy")}
            </Menu.Item>
          ) : null}
        </>
      ) : null}
      {mayAlert ? (
        <Menu.Item leftSection={<IconBell size={15} />} onClick={() => setView("alerts")}>
          {t("alerts.menu")}
        </Menu.Item>
      ) : null}
      {mayEditDataset ? (
        <Menu.Item
          leftSection={<IconDatabase size={15} />}
          onClick={() =>
            void navigate({
              to: "/insights-studio/$dashboardId/$version/dataset/$datasetId",
              params: { dashboardId: address, version, datasetId: configuration.datasetId },
            })
          }
        >
          {t("card.editDataset")}
        </Menu.Item>
      ) : null}
      {editable ? (
        <>
          <Menu.Item leftSection={<IconAdjustments size={15} />} onClick={() => setView("settings")}>
            {t("card.settings")}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconTrash size={15} />} color="error" onClick={onRemove}>
            {t("card.remove")}
          </Menu.Item>
        </>
      ) : null}
    </>
  );
  return (
    <>
      <CardTile
        name={card.displayName}
        description={card.description}
        configuration={configuration}
        query={query}
        asTable={asTable}
        recordsOf={recordsOf}
        filter={filter}
        errorActions={
          <CardLinks dashboardId={address} version={version} dataCardId={card.id} datasetId={configuration.datasetId} />
        }
        menu={menu}
        {...(onKeyMove ? { onKeyMove } : {})}
      />
      <Modal
        opened={view === "full"}
        onClose={() => setView(null)}
        title={card.displayName}
        size={CARD_DEFINITIONS[configuration.vizType].isNarrow ? "max(50vw, min(90vw, 360px))" : "90vw"}
      >
        <div className="ac-full" style={{ height: window.innerHeight - 300 }}>
          <CardFace
            name={card.displayName}
            configuration={configuration}
            query={query}
            asTable={asTable}
            recordsOf={recordsOf}
            filter={filter}
          />
        </div>
      </Modal>
      {view === "alerts" ? <AlertsDrawer card={card} onClose={() => setView(null)} /> : null}
      {view === "settings" ? (
        <CardSettings card={card} placed={placed} dashboard={dashboard} onClose={() => setView(null)} />
      ) : null}
    </>
  );
}
