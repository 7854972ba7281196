/** Published versions of a pipeline: who published what and when; two chosen ones are compared, one is restored. */
import {
  DataTable,
  EmptyState,
  PageBody,
  PageHeader,
  RelativeTime,
  StatusTag,
  TableSkeleton,
  type Column,
} from "@accord/ui";
import { Button } from "@mantine/core";
import { IconGitCompare, IconHistory } from "@tabler/icons-react";
import type { Id } from "@accord/contracts";
import type { VersionRow } from "@accord/contracts/sync/pipeline-versions";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isBadAddress, isNotFound } from "../../../app/api-error.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { EntityPages } from "../addresses/entity-pages.tsx";
import { useEntityPage } from "../addresses/use-entity-page.ts";
import { StudioNotFound } from "../addresses/studio-not-found.tsx";
import { usePipelineRow, useVersions } from "../pipeline-editor/queries.ts";
import { RestoreDialog } from "../pipeline-editor/draft/restore-dialog.tsx";
import { restoreVersion } from "./restore-version.ts";

const route = getRouteApi("/signed-in/sync-studio/entity/$entityId/versions");

export function VersionsScreen() {
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <Versions />
    </Demand>
  );
}

type Words = ReturnType<typeof useWords<"sync">>["t"];

function Versions() {
  const { t } = useWords("sync");
  const { entityId } = route.useParams();
  const versions = useVersions(entityId);
  const name = usePipelineRow(entityId).data?.name ?? "";
  useEntityPage(entityId, t("versions.titleOf", { name }), { label: t("versions.title") });
  if (versions.isError && (isNotFound(versions.error) || isBadAddress(versions.error))) return <StudioNotFound />;
  return (
    <PageBody>
      <QueryView isScreen query={versions} skeleton={<TableSkeleton />}>
        {(data) => <VersionTable entityId={entityId} name={name} versions={data.versions} />}
      </QueryView>
    </PageBody>
  );
}

interface TableProps {
  entityId: Id<"entity">;
  name: string;
  versions: readonly VersionRow[];
}

function VersionTable({ entityId, name, versions }: TableProps) {
  const { t } = useWords("sync");
  const mayWrite = useCan("WRITE_STUDIO");
  const hasDraft = usePipelineRow(entityId).data?.pipelineStatusTagData.includes("Draft") ?? false;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [restoring, setRestoring] = useState<VersionRow>();
  const { open, compare, restore } = useVersionActions(entityId);
  return (
    <>
      <PageHeader
        title={t("versions.titleOf", { name })}
        subtitle={t("versions.pageLead")}
        actions={<Comparing versions={versions} selected={selected} hasDraft={hasDraft} onCompare={compare} />}
      />
      <EntityPages entityId={entityId} current="versions" />
      <DataTable
        label={t("versions.titleOf", { name })}
        columns={columnsOf(t)}
        rows={versions}
        rowId={({ id }) => id}
        rowLabel={({ number }) => t("versions.older", { number })}
        selected={selected}
        onSelectedChange={setSelected}
        onRowOpen={open}
        rowMenu={(version) => [
          { label: t("versions.openOne"), onSelect: () => open(version) },
          ...previousOf(versions, version).map((previous) => ({
            label: t("versions.comparePrevious"),
            onSelect: () => compare(previous.id, version.id),
          })),
          mayWrite && !version.current && { label: t("versions.restore"), onSelect: () => setRestoring(version) },
        ]}
        empty={<EmptyState icon={<IconHistory size={22} />} title={t("versions.none")} body={t("versions.noneHint")} />}
      />
      <RestoreDialog
        entityId={entityId}
        version={restoring}
        hasDraft={hasDraft}
        onClose={() => setRestoring(undefined)}
        onRestore={restore}
      />
    </>
  );
}

type VersionId = Id<"pipelineVersion">;

/** What can be done with versions of a pipeline from their list. */
function useVersionActions(entityId: Id<"entity">) {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  return {
    open: ({ id }: VersionRow) =>
      void navigate({
        to: "/sync-studio/entity/$entityId/versions/$versionId",
        params: { entityId, versionId: id },
        search: { beside: "versions" },
      }),
    compare: (versionId: VersionId, otherId: VersionId | "draft") =>
      void navigate({
        to: "/sync-studio/entity/$entityId/versions/$versionId/compare/$otherId",
        params: { entityId, versionId, otherId },
      }),
    restore: async ({ id, number }: VersionRow) => {
      await restoreVersion(entityId, id);
      toast.success(t("versions.restored", { number }));
      await navigate({
        to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
        params: { entityId, graphVersion: "draft" },
      });
    },
  };
}

interface ComparingProps {
  versions: readonly VersionRow[];
  selected: ReadonlySet<string>;
  hasDraft: boolean;
  onCompare: (versionId: VersionId, otherId: VersionId | "draft") => void;
}

/** The draft with what runs, or the two that are selected. */
function Comparing({ versions, selected, hasDraft, onCompare }: ComparingProps) {
  const { t } = useWords("sync");
  const current = versions.find((version) => version.current);
  // The older one is what the newer one is compared with.
  const [newer, older] = versions.filter(({ id }) => selected.has(id));
  return (
    <>
      {hasDraft && current ? (
        <Button variant="default" onClick={() => onCompare(current.id, "draft")}>
          {t("versions.compareDraft")}
        </Button>
      ) : null}
      <Button
        leftSection={<IconGitCompare size={15} />}
        disabled={!newer || !older || selected.size !== 2}
        title={t("versions.chooseTwo")}
        onClick={() => newer && older && onCompare(older.id, newer.id)}
      >
        {t("versions.compareTwo")}
      </Button>
    </>
  );
}

/** The version before one, of a list that begins with the newest. */
const previousOf = (versions: readonly VersionRow[], { id }: VersionRow): readonly VersionRow[] => {
  const index = versions.findIndex((version) => version.id === id);
  return index < 0 ? [] : versions.slice(index + 1, index + 2);
};

const columnsOf = (t: Words): Column<VersionRow>[] => [
  { id: "number", header: t("versions.number"), width: 80, align: "end", cell: (row) => row.number },
  {
    id: "name",
    header: t("versions.name"),
    grow: 1,
    minWidth: 140,
    cell: (row) => (
      <span>
        <strong>{row.name}</strong> {row.current ? <StatusTag tone="ok">{t("versions.runs")}</StatusTag> : null}
      </span>
    ),
    sortValue: (row) => row.name,
  },
  { id: "summary", header: t("publish.summary"), grow: 2, minWidth: 120, cell: (row) => row.summary },
  {
    id: "by",
    header: t("versions.by"),
    width: 160,
    cell: ({ publishedBy: by }) => (by ? `${by.firstName} ${by.lastName}`.trim() : ""),
  },
  {
    id: "when",
    header: t("table.published"),
    width: 140,
    cell: (row) => <RelativeTime at={row.publishedAt} />,
    sortValue: (row) => row.publishedAt,
  },
];
