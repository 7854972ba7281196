/** The organisation's instances: create, rename, switch, delete. */
import {
  deleteInstance,
  listInstances,
  listMyInstances,
  switchInstance,
  type Instance,
} from "@accord/contracts/identity/instances";
import { getCurrentUser } from "@accord/contracts/identity/users";
import {
  CopyableId,
  DataTable,
  EmptyState,
  PageBody,
  PageHeader,
  SearchBox,
  StatusTag,
  TableSkeleton,
  Toolbar,
  type Column,
  type Tone,
} from "@accord/ui";
import { Button } from "@mantine/core";
import { IconBuildingCommunity, IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { messageOf } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { useCall, useEndpoint } from "../../../app/queries.ts";
import { useCan, useSession } from "../../../app/session.ts";
import { findInstances } from "../../../app/find-instances.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { InstanceDialog } from "./instance-dialog.tsx";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

const route = getRouteApi("/signed-in/instance");
const TONE: Record<Instance["status"], Tone> = { ACTIVE: "ok", INACTIVE: "idle", DELETING: "ember", DELETED: "error" };

export function InstancesScreen() {
  return (
    <Demand anyOf={["LIST_INSTANCES"]}>
      <Instances />
    </Demand>
  );
}

type Dialog = { kind: "create" } | { kind: "edit" | "delete"; instance: Instance };

function Instances() {
  const { t } = useWords("identity");
  usePage({
    title: t("instances.title"),
    crumbs: [{ label: t("settings.title"), to: "/settings" }, { label: t("instances.title") }],
  });
  const mayAdd = useCan("ADD_INSTANCE");
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const instances = useEndpoint(listInstances, {});
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  return (
    <PageBody fill>
      <PageHeader
        title={t("instances.title")}
        subtitle={t("instances.lead")}
        actions={
          mayAdd ? (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setDialog({ kind: "create" })}>
              {t("instances.create")}
            </Button>
          ) : null
        }
      />
      <Toolbar>
        <SearchBox
          value={q}
          placeholder={t("instances.search")}
          width={320}
          onChange={(text) => void navigate({ search: { q: text || undefined }, replace: true })}
        />
      </Toolbar>
      <QueryView query={instances} skeleton={<TableSkeleton columns={5} />}>
        {(data) => <InstanceTable instances={findInstances(data.instances, q)} onDialog={setDialog} />}
      </QueryView>
      {dialog?.kind === "create" ? <InstanceDialog onClose={close} /> : null}
      {dialog?.kind === "edit" ? <InstanceDialog instance={dialog.instance} onClose={close} /> : null}
      {dialog?.kind === "delete" ? <DeleteDialog instance={dialog.instance} onClose={close} /> : null}
    </PageBody>
  );
}

interface TableProps {
  instances: readonly Instance[];
  onDialog: (dialog: Dialog) => void;
}

function InstanceTable({ instances, onDialog }: TableProps) {
  const { t } = useWords("identity");
  const session = useSession();
  const mayEdit = useCan("EDIT_INSTANCE");
  const mayDelete = useCan("DELETE_INSTANCE");
  const change = useCall(switchInstance, {
    onSuccess: () => location.assign("/"),
    onError: (error) => toast.error(messageOf(error, t("instances.fallbackSwitch"))),
  });
  const isCurrent = (instance: Instance) => instance.accordId === session.currentInstanceAccordId;
  const columns: Column<Instance>[] = [
    {
      id: "name",
      header: t("instances.name"),
      minWidth: 220,
      grow: 1.5,
      sortValue: (instance) => instance.displayName,
      cell: (instance) => (
        <>
          <strong>{instance.displayName}</strong>
          {isCurrent(instance) ? <StatusTag tone="brand">{t("instances.current")}</StatusTag> : null}
        </>
      ),
    },
    {
      id: "type",
      header: t("instances.type"),
      width: 110,
      sortValue: (instance) => instance.type,
      cell: (instance) => t(`instances.type${instance.type}`),
    },
    {
      id: "status",
      header: t("instances.status"),
      width: 130,
      sortValue: (instance) => instance.status,
      cell: (instance) => (
        <StatusTag tone={TONE[instance.status]} busy={instance.status === "DELETING"}>
          {t(`instances.status${instance.status}`)}
        </StatusTag>
      ),
    },
    {
      id: "createdBy",
      header: t("instances.createdBy"),
      minWidth: 140,
      sortValue: (instance) => instance.createdByName,
      cell: (instance) => <span>{instance.createdByName ?? "–"}</span>,
    },
    {
      id: "id",
      header: t("instances.id"),
      width: 250,
      cell: (instance) => <CopyableId id={instance.accordId} />,
    },
  ];
  return (
    <DataTable
      fill
      label={t("instances.title")}
      columns={columns}
      rows={instances}
      rowId={(instance) => instance.accordId}
      rowLabel={(instance) => instance.displayName}
      rowMenu={(instance) => [
        !isCurrent(instance) &&
          instance.status === "ACTIVE" && {
            label: t("instances.switch"),
            onSelect: () => change.mutate({ params: { instanceId: instance.accordId } }),
          },
        mayEdit && { label: t("instances.edit"), onSelect: () => onDialog({ kind: "edit", instance }) },
        mayDelete && {
          label: t("instances.delete"),
          danger: true,
          disabledReason: isCurrent(instance) ? t("instances.deleteCurrent") : undefined,
          onSelect: () => onDialog({ kind: "delete", instance }),
        },
      ]}
      empty={<EmptyState icon={<IconBuildingCommunity size={22} />} title={t("instances.none")} />}
    />
  );
}

function DeleteDialog({ instance, onClose }: { instance: Instance; onClose: () => void }) {
  const { t } = useWords("identity");
  const remove = useCall(deleteInstance, { refreshes: [listInstances, listMyInstances, getCurrentUser] });
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t("instances.deleteTitle", { name: instance.displayName })}
      action={t("instances.delete")}
      typeName={instance.name}
      showError={(error) => <RefusalBox title={t("instances.fallbackDelete")} error={error} />}
      onConfirm={() =>
        remove.mutateAsync({ params: { instanceId: instance.accordId }, query: { name: instance.name } })
      }
    >
      {t("instances.deleteBody")}
    </ConfirmDialog>
  );
}
