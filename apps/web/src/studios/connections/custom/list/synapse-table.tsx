/** The table of custom synapses: kind, state, version, with whom they are shared, what uses them; actions by permission. */
import { deleteHttpSynapse, type CustomSynapse } from "@accord/contracts/connections/http-synapses";
import { type Column, DataTable, EmptyState, RelativeTime, type RowAction, StatusTag } from "@accord/ui";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { refresh, useCall } from "../../../../app/queries.ts";
import { listConnectorTypes } from "@accord/contracts/connections/connectors";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { ConnectorIcon } from "../../../../shared/connector-icon/connector-icon.tsx";
import { ConnectorStatusTag } from "../../parts/connector-status.tsx";
import { SdkStateTags } from "../../sdk/sdk-state.tsx";
import { actionsOf } from "../../sdk/sdk-synapse.model.ts";
import { useSdkActions } from "../../sdk/use-sdk-actions.tsx";
import { DeleteSynapseDialog } from "../delete-dialog.tsx";
import { SynapseState } from "../synapse-actions.tsx";
import { ShareDialog } from "../share-dialog.tsx";
import { SYNAPSE_READS } from "../synapse-queries.ts";
import { rowsWith, type SynapseRow } from "./synapse-rows.model.ts";

function useColumns(): Column<SynapseRow>[] {
  const { t } = useWords("customSynapses");
  return [
    {
      id: "name",
      header: t("name"),
      grow: 2,
      minWidth: 112,
      sortValue: ({ name }) => name,
      cell: ({ icon, name }) => (
        <span className="ac-synapse-steps__head">
          <ConnectorIcon icon={icon} color="teal" size={24} />
          <strong>{name}</strong>
        </span>
      ),
    },
    {
      id: "kind",
      header: t("kind"),
      width: 84,
      sortValue: ({ kind }) => kind,
      cell: ({ kind }) => t(`kinds.${kind}`),
    },
    { id: "state", header: t("state"), grow: 1.6, minWidth: 140, cell: (row) => <State row={row} /> },
    {
      id: "version",
      header: t("versionColumn"),
      width: 76,
      align: "end",
      cell: ({ version }) => version ?? "–",
    },
    {
      id: "sharedWith",
      header: t("sharedWith"),
      width: 128,
      sortValue: ({ sharedWith }) => sharedWith,
      cell: ({ sharedWith }) => (sharedWith ? t(`sharedScopes.${sharedWith}`) : "–"),
    },
    {
      id: "usedBy",
      header: t("usedBy"),
      width: 78,
      align: "end",
      cell: ({ usedBy }) =>
        usedBy === null ? "–" : <span title={t("connectionCount", { count: usedBy })}>{usedBy}</span>,
    },
    {
      id: "changed",
      header: t("changed"),
      width: 104,
      sortValue: ({ changedAt }) => changedAt,
      cell: ({ changedAt }) => <RelativeTime at={changedAt} />,
    },
  ];
}

function State({ row }: { row: SynapseRow }) {
  const { t } = useWords("customSynapses");
  if (row.kind === "http") return <SynapseState synapse={row.synapse} />;
  if (row.kind === "webhook")
    return (
      <span className="ac-sdk__row">
        <ConnectorStatusTag connector={row.connector} />
        {row.hasDraft ? <StatusTag tone="warn">{t("states.NEW")}</StatusTag> : null}
      </span>
    );
  return <SdkStateTags synapse={row.synapse} />;
}

export function SynapseTable({ rows, text }: { rows: readonly SynapseRow[]; text: string }) {
  const { t } = useWords("customSynapses", "sdkSynapses");
  const leave = useNavigate();
  const mayWrite = useCan("WRITE_CONNECTOR");
  const columns = useColumns();
  const [asked, setAsked] = useState<{ what: "share" | "delete"; synapse: CustomSynapse } | null>(null);
  const sdk = useSdkActions();
  const remove = useCall(deleteHttpSynapse, { refreshes: [...SYNAPSE_READS] });
  const shown = rowsWith(rows, text, ({ kind }) => t(`kinds.${kind}`));
  const open = (row: SynapseRow): void =>
    void (row.kind === "webhook"
      ? leave({ to: "/synapses/connections/$connectorId", params: { connectorId: row.connector.id } })
      : leave({
          to: "/synapses/custom-synapses/$synapseType/$synapseId",
          params: { synapseType: row.kind, synapseId: row.id },
        }));
  const connectHttp = async ({ id }: CustomSynapse): Promise<void> => {
    await refresh(listConnectorTypes);
    void leave({ to: "/synapses/connections/new", search: { type: id } });
  };
  const httpMenu = (synapse: CustomSynapse): (RowAction | false)[] =>
    !mayWrite
      ? []
      : [
          synapse.publishedVersion !== null && { label: t("connect"), onSelect: () => void connectHttp(synapse) },
          synapse.publishedVersion !== null && {
            label: t("share"),
            onSelect: () => setAsked({ what: "share", synapse }),
          },
          { label: t("delete"), danger: true, onSelect: () => setAsked({ what: "delete", synapse }) },
        ];
  const menuOf = (row: SynapseRow): (RowAction | false)[] => [
    { label: t("open"), onSelect: () => open(row) },
    ...(row.kind === "http" ? httpMenu(row.synapse) : []),
    row.kind === "webhook" &&
      mayWrite && {
        label: t("editWebhook"),
        onSelect: () =>
          void leave({
            to: "/synapses/custom-synapses/$synapseType/$synapseId",
            params: { synapseType: "webhook", synapseId: row.connector.id },
          }),
      },
    ...(row.kind === "sdk"
      ? actionsOf(row.synapse, mayWrite).map((action) => ({
          label: action === "delete" ? t("delete") : t(`sdkSynapses:action.${action}`),
          danger: action === "delete",
          onSelect: () => sdk.run(action, row.synapse),
        }))
      : []),
  ];
  return (
    <>
      <DataTable
        label={t("title")}
        rows={shown}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        onRowOpen={open}
        rowMenu={menuOf}
        columns={columns}
        empty={<EmptyState compact title={t("noMatch", { text })} />}
      />
      {asked?.what === "share" ? <ShareDialog synapse={asked.synapse} onClose={() => setAsked(null)} /> : null}
      <DeleteSynapseDialog
        name={asked?.what === "delete" ? asked.synapse.displayName : null}
        onClose={() => setAsked(null)}
        onDelete={async () => {
          if (asked) await remove.mutateAsync({ params: { connectorMetaDefinitionId: asked.synapse.id } });
        }}
      />
      {sdk.dialogs}
    </>
  );
}
