/** /synapses/custom-synapses: synapses that people of this instance described or wrote, and how to make another one. */
import { PageBody, PageHeader, PageSkeleton, SearchBox } from "@accord/ui";
import { Button, Menu } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { usePage } from "../../../app/page.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { useConnectors } from "../queries.ts";
import { useSdkSynapses } from "../sdk/sdk-queries.ts";
import { useCustomSynapses } from "./synapse-queries.ts";
import { useWebhookDrafts } from "../webhook/webhook-queries.ts";
import { rowsOf, type SynapseRow } from "./list/synapse-rows.model.ts";
import { SynapseTable } from "./list/synapse-table.tsx";
import { MAKING, SynapseWays, useMake } from "./list/synapse-ways.tsx";
import "./custom.css";
import "../sdk/sdk.css";

const route = getRouteApi("/signed-in/synapses/custom-synapses");

export function CustomSynapsesScreen() {
  return (
    <Demand anyOf={["READ_CONNECTOR"]}>
      <Synapses />
    </Demand>
  );
}

function Synapses() {
  const { t } = useWords("customSynapses");
  usePage({
    title: t("title"),
    crumbs: [{ label: t("synapses"), to: "/synapses/connections" }, { label: t("title") }],
  });
  const mayWrite = useCan("WRITE_CONNECTOR");
  const http = useCustomSynapses();
  const connectors = useConnectors();
  const sdk = useSdkSynapses();
  // A mark alone: the list does not wait for it.
  const drafts = useWebhookDrafts().data?.drafts ?? [];
  return (
    <PageBody>
      <PageHeader title={t("title")} subtitle={t("subtitle")} actions={mayWrite ? <AddMenu /> : null} />
      <QueryView query={http} skeleton={<PageSkeleton />}>
        {({ synapses }) => (
          <QueryView query={connectors} skeleton={<PageSkeleton />}>
            {({ connectors: all }) => (
              <QueryView query={sdk} skeleton={<PageSkeleton />}>
                {({ synapses: uploaded }) => <Listed rows={rowsOf(synapses, all, uploaded, drafts)} />}
              </QueryView>
            )}
          </QueryView>
        )}
      </QueryView>
    </PageBody>
  );
}

function Listed({ rows }: { rows: readonly SynapseRow[] }) {
  const { t } = useWords("customSynapses");
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  if (rows.length === 0) return <SynapseWays />;
  return (
    <>
      <div className="ac-synapse-search">
        <SearchBox
          value={q}
          onChange={(text) => void navigate({ search: { q: text || undefined }, replace: true })}
          placeholder={t("search")}
        />
      </div>
      <SynapseTable rows={rows} text={q} />
    </>
  );
}

function AddMenu() {
  const { t } = useWords("customSynapses");
  const make = useMake();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconPlus size={16} />}>{t("add")}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {MAKING.map(({ kind }) => (
          <Menu.Item key={kind} onClick={() => make(kind)}>
            {t(`making.${kind}.action`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
