/** /synapses/custom-synapses: synapses that people of this instance described, and how to make another one. */
import type { Connector } from "@accord/contracts/connections/connectors";
import { deleteHttpSynapse, type CustomSynapse } from "@accord/contracts/connections/http-synapses";
import {
  type Column,
  ConfirmDialog,
  DataTable,
  EmptyState,
  PageBody,
  PageHeader,
  PageSkeleton,
  RelativeTime,
} from "@accord/ui";
import { Button, Menu, Modal } from "@mantine/core";
import { IconPlugConnected, IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { wordsOf } from "../../../../app/api-error.ts";
import { usePage } from "../../../../app/page.ts";
import { useCall } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { ConnectorIcon } from "../../../../shared/connector-icon/connector-icon.tsx";
import { Demand } from "../../../../shared/demand.tsx";
import { QueryView } from "../../../../shared/query-view.tsx";
import { toast } from "../../../../shared/toast.tsx";
import { ConnectorStatusTag } from "../parts/connector-status.tsx";
import { useConnectors } from "../queries.ts";
import { SynapseState } from "./synapse-actions.tsx";
import { SYNAPSE_READS, useCustomSynapses } from "./synapse-queries.ts";

export function CustomSynapsesScreen() {
  return (
    <Demand anyOf={["READ_CONNECTOR"]}>
      <Synapses />
    </Demand>
  );
}

type Row = { kind: "http"; synapse: CustomSynapse } | { kind: "webhook"; connector: Connector };

const nameOf = (row: Row): string => (row.kind === "http" ? row.synapse.displayName : row.connector.name);
const idOf = (row: Row): string => (row.kind === "http" ? row.synapse.id : row.connector.id);
const changedAt = (row: Row): string => (row.kind === "http" ? row.synapse.updatedAt : row.connector.updatedAt);

function Synapses() {
  const { t } = useWords("customSynapses");
  usePage({
    title: t("title"),
    crumbs: [{ label: t("synapses"), to: "/synapses/connections" }, { label: t("title") }],
  });
  const mayWrite = useCan("WRITE_CONNECTOR");
  const synapses = useCustomSynapses();
  const connectors = useConnectors();
  return (
    <PageBody>
      <PageHeader title={t("title")} subtitle={t("subtitle")} actions={mayWrite ? <AddMenu /> : null} />
      <QueryView query={synapses} skeleton={<PageSkeleton />}>
        {(data) => (
          <QueryView query={connectors} skeleton={<PageSkeleton />}>
            {({ connectors: all }) => (
              <Table
                rows={[
                  ...data.synapses.map((synapse): Row => ({ kind: "http", synapse })),
                  ...all.filter(({ webhook }) => webhook).map((connector): Row => ({ kind: "webhook", connector })),
                ]}
              />
            )}
          </QueryView>
        )}
      </QueryView>
    </PageBody>
  );
}

function AddMenu() {
  const { t } = useWords("customSynapses");
  const leave = useNavigate();
  const open = (synapseType: string) =>
    void leave({
      to: "/synapses/custom-synapses/$synapseType/$synapseId",
      params: { synapseType, synapseId: "new" },
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconPlus size={16} />}>{t("add")}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => open("http")}>{t("addHttp")}</Menu.Item>
        <Menu.Item onClick={() => open("webhook")}>{t("addWebhook")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useColumns(): Column<Row>[] {
  const { t } = useWords("customSynapses");
  return [
    {
      id: "name",
      header: t("name"),
      grow: 2,
      sortValue: nameOf,
      cell: (row) => (
        <span className="ac-synapse-steps__head">
          <ConnectorIcon
            icon={row.kind === "http" ? row.synapse.iconUri : row.connector.iconUri}
            color="teal"
            size={24}
          />
          <strong>{nameOf(row)}</strong>
        </span>
      ),
    },
    {
      id: "kind",
      header: t("kind"),
      width: 110,
      sortValue: ({ kind }) => kind,
      cell: ({ kind }) => t(`kinds.${kind}`),
    },
    {
      id: "state",
      header: t("state"),
      width: 190,
      cell: (row) =>
        row.kind === "http" ? <SynapseState synapse={row.synapse} /> : <ConnectorStatusTag connector={row.connector} />,
    },
    {
      id: "entities",
      header: t("entities"),
      width: 100,
      align: "end",
      cell: (row) => (row.kind === "http" ? row.synapse.entityCount : row.connector.entityCount),
    },
    {
      id: "connections",
      header: t("connections"),
      width: 120,
      align: "end",
      cell: (row) => (row.kind === "http" ? row.synapse.connectionCount : ""),
    },
    {
      id: "changed",
      header: t("changed"),
      width: 140,
      sortValue: changedAt,
      cell: (row) => <RelativeTime at={changedAt(row)} />,
    },
  ];
}

function Table({ rows }: { rows: readonly Row[] }) {
  const { t } = useWords("customSynapses");
  const leave = useNavigate();
  const mayWrite = useCan("WRITE_CONNECTOR");
  const [deleting, setDeleting] = useState<CustomSynapse | null>(null);
  const columns = useColumns();
  const open = (row: Row): void =>
    void (row.kind === "http"
      ? leave({
          to: "/synapses/custom-synapses/$synapseType/$synapseId",
          params: { synapseType: "http", synapseId: row.synapse.id },
        })
      : leave({ to: "/synapses/connections/$connectorId", params: { connectorId: row.connector.id } }));
  if (rows.length === 0)
    return <EmptyState icon={<IconPlugConnected size={22} />} title={t("none")} body={t("noneBody")} />;
  return (
    <>
      <DataTable
        label={t("title")}
        rows={rows}
        rowId={idOf}
        rowLabel={nameOf}
        onRowOpen={open}
        rowMenu={
          mayWrite
            ? (row) => [
                row.kind === "http" && {
                  label: t("delete"),
                  danger: true,
                  onSelect: () => setDeleting(row.synapse),
                },
              ]
            : undefined
        }
        columns={columns}
      />
      <DeleteDialog synapse={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

/** What keeps it from being deleted is said in a window of its own. */
function DeleteDialog({ synapse, onClose }: { synapse: CustomSynapse | null; onClose: () => void }) {
  const { t } = useWords("customSynapses");
  const [problem, setProblem] = useState<string | null>(null);
  const remove = useCall(deleteHttpSynapse, { refreshes: [...SYNAPSE_READS] });
  const name = synapse?.displayName ?? "";
  return (
    <>
      <ConfirmDialog
        opened={synapse !== null && problem === null}
        title={t("deleteTitle", { name })}
        action={t("delete")}
        onClose={onClose}
        onConfirm={async () => {
          if (!synapse) return;
          try {
            await remove.mutateAsync({ params: { connectorMetaDefinitionId: synapse.id } });
            toast.success(t("deleted", { name }));
          } catch (error) {
            setProblem(wordsOf(error));
          }
        }}
      >
        {t("deleteBody")}
      </ConfirmDialog>
      <Modal opened={problem !== null} onClose={() => setProblem(null)} title={t("unableToDelete")}>
        {problem}
      </Modal>
    </>
  );
}
