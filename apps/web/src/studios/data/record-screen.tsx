/** One record: its name, its tabs, and what may be done with it. */
import { getRecordLineage, getRecord, restoreRecord, type Record as RecordRow } from "@accord/contracts/data/records";
import { FormSkeleton, PageBody, PageHeader, StatusTag } from "@accord/ui";
import { Button, Menu, ActionIcon, Tabs } from "@mantine/core";
import { IconArrowBackUp, IconCopy, IconDots, IconTrash } from "@tabler/icons-react";
import { getRouteApi, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { ReplyOf } from "@accord/contracts";
import { usePage } from "../../app/page.ts";
import { refresh, useCall } from "../../app/queries.ts";
import { useCan } from "../../app/session.ts";
import { useWords } from "../../app/words.ts";
import { Demand } from "../../shared/demand.tsx";
import { QueryView } from "../../shared/query-view.tsx";
import { toast } from "../../shared/toast.tsx";
import { DeleteDialog } from "./parts/delete-dialog.tsx";
import { asEntityId, asRecordId, useEntity, useRecord } from "./queries.ts";
import { nameOf } from "./value.model.ts";
import "./record-screen.css";

const route = getRouteApi("/signed-in/data-studio/entity/$entityId/record/$recordId");

const TABS = ["fields", "lineage", "explain", "actions"] as const;

export function RecordScreen() {
  const params = route.useParams();
  const entityId = asEntityId(params.entityId);
  const { t } = useWords("data");
  const entity = useEntity(entityId);
  const record = useRecord(entityId, asRecordId(params.recordId));
  const name = entity.data && record.data ? nameOf(entity.data, record.data.record.values) : "";
  const shown =
    name || (record.data ? t("record.unnamed", { entity: entity.data?.displayName.toLowerCase() ?? "" }) : "");
  usePage({
    title: t("record.pageTitle", { name: shown }),
    crumbs: [
      { label: t("title"), to: "/data-studio" },
      { kind: "entity", id: entityId, to: `/data-studio/entity/${entityId}` },
      { label: shown || params.recordId },
    ],
  });
  return (
    <Demand anyOf={["READ_DATA_STUDIO"]}>
      <PageBody>
        <QueryView isScreen query={entity} skeleton={<FormSkeleton fields={8} />}>
          {(ofEntity) => (
            <QueryView isScreen query={record} skeleton={<FormSkeleton fields={8} />}>
              {(data) => <RecordFrame entity={ofEntity} data={data} name={shown} />}
            </QueryView>
          )}
        </QueryView>
      </PageBody>
    </Demand>
  );
}

interface RecordFrameProps {
  entity: CoreEntity;
  data: ReplyOf<typeof getRecord>;
  name: string;
}

function RecordFrame({ entity, data, name }: RecordFrameProps) {
  const { t } = useWords("data");
  const params = route.useParams();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const mayWrite = useCan("WRITE_DATA_STUDIO");
  const mayExplain = useCan("READ_STUDIO");
  const [deleting, setDeleting] = useState<readonly RecordRow[]>([]);
  const { record, externalIds } = data;
  const restore = useCall(restoreRecord, {
    onSuccess: async () => {
      toast.success(t("list.restored"));
      await refresh(getRecord, getRecordLineage);
    },
    onError: (error) => toast.failed(error),
  });
  const tab = TABS.find((one) => pathname.endsWith(`/${one}`)) ?? "fields";
  return (
    <>
      <PageHeader
        title={name}
        tags={record.deleted ? <StatusTag tone="error">{t("record.deleted")}</StatusTag> : undefined}
        subtitle={record.deleted ? t("record.deletedHint") : undefined}
        actions={
          <>
            {record.deleted && mayWrite ? (
              <Button
                variant="default"
                leftSection={<IconArrowBackUp size={16} />}
                loading={restore.isPending}
                onClick={() => restore.mutate({ params: { entityId: entity.id, recordId: record.accordId }, body: {} })}
              >
                {t("record.restore")}
              </Button>
            ) : null}
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="default" size={30} aria-label={t("shell:action.more")}>
                  <IconDots size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  leftSection={<IconCopy size={16} />}
                  onClick={() => toast.copy(record.accordId, t("list.copiedId"))}
                >
                  {t("list.copyId")}
                </Menu.Item>
                {mayWrite && !record.deleted ? (
                  <Menu.Item color="error" leftSection={<IconTrash size={16} />} onClick={() => setDeleting([record])}>
                    {t("record.delete")}
                  </Menu.Item>
                ) : null}
              </Menu.Dropdown>
            </Menu>
          </>
        }
      />
      <Tabs
        value={tab}
        onChange={(next) => {
          const chosen = TABS.find((one) => one === next) ?? "fields";
          void navigate({ to: `/data-studio/entity/$entityId/record/$recordId/${chosen}`, params });
        }}
      >
        <Tabs.List>
          <Tabs.Tab value="fields">{t("record.fields")}</Tabs.Tab>
          <Tabs.Tab value="lineage">{t("record.lineage")}</Tabs.Tab>
          {mayExplain ? <Tabs.Tab value="explain">{t("explain.tab")}</Tabs.Tab> : null}
          <Tabs.Tab value="actions">{t("record.actions")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={tab} pt={16}>
          <Outlet />
        </Tabs.Panel>
      </Tabs>
      <DeleteDialog
        entity={entity}
        records={deleting}
        externalIds={externalIds}
        onClose={() => setDeleting([])}
        onDone={(kept) => {
          if (!kept) void navigate({ to: "/data-studio/entity/$entityId", params: { entityId: entity.id } });
        }}
      />
    </>
  );
}
