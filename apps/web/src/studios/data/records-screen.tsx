/** The records of one entity: search, filter, order, columns, pages, selection; and what changed meanwhile. */
import { Predicate } from "@accord/contracts/data/predicate";
import {
  countRecords,
  recordsChanged,
  restoreRecord,
  searchRecords,
  type Record as RecordRow,
} from "@accord/contracts/data/records";
import type { CoreEntity } from "@accord/contracts/data/entities";
import {
  ColumnChoice,
  EmptyState,
  FilterChips,
  PageBody,
  PageHeader,
  SearchBox,
  TableSkeleton,
  Toolbar,
  ErrorBox,
} from "@accord/ui";
import { Button } from "@mantine/core";
import { IconDatabaseOff, IconFilter, IconFilterOff, IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { usePage } from "../../app/page.ts";
import { refresh, useCall } from "../../app/queries.ts";
import { useEvent } from "../../app/realtime.ts";
import { useCan } from "../../app/session.ts";
import { useWords } from "../../app/words.ts";
import { Demand } from "../../shared/demand.tsx";
import { QueryView } from "../../shared/query-view.tsx";
import { countConditions } from "../../shared/predicate-builder/predicate.model.ts";
import { toast } from "../../shared/toast.tsx";
import { CreateRecordDrawer } from "./parts/create-record-drawer.tsx";
import { DeleteDialog } from "./parts/delete-dialog.tsx";
import { DeletedChoice } from "./parts/deleted-choice.tsx";
import { chipsOf } from "./parts/filter-chips.ts";
import { FilterPanel } from "./parts/filter-panel.tsx";
import { RecordTable } from "./parts/record-table.tsx";
import { SavedFilterMenu } from "./parts/saved-filter-menu.tsx";
import { asEntityId, refreshRecordsSoon, useEntity, useRecordCount, useRecords } from "./queries.ts";
import type { RecordsSearch } from "./records-search.ts";
import { useColumns } from "./use-columns.ts";
import "./records-screen.css";

const route = getRouteApi("/signed-in/data-studio/entity/$entityId");
const PAGE_SIZE = 100;
/** Up to this many changes at a time are simply shown; a flood is announced, so that the rows stay put. */
const QUIET_CHANGES = 25;

export function RecordsScreen() {
  const entityId = asEntityId(route.useParams().entityId);
  const { t } = useWords("data");
  const entity = useEntity(entityId);
  usePage({
    title: t("list.pageTitle", { name: entity.data?.displayName ?? "" }),
    crumbs: [
      { label: t("title"), to: "/data-studio" },
      { kind: "entity", id: entityId },
    ],
  });
  return (
    <Demand anyOf={["READ_DATA_STUDIO"]}>
      <QueryView isScreen query={entity} skeleton={<TableSkeleton columns={7} rows={14} />}>
        {(data) => <Records key={data.id} entity={data} />}
      </QueryView>
    </Demand>
  );
}

/** The condition in the address; null when there is none, undefined when it can't be read. */
function readWhere(text: string | undefined): Predicate | null | undefined {
  if (text === undefined) return null;
  try {
    return Predicate.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function Records({ entity }: { entity: CoreEntity }) {
  const { t } = useWords("data");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useCan("WRITE_DATA_STUDIO");
  const [filtering, setFiltering] = useState(false);
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<readonly RecordRow[]>([]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [changed, setChanged] = useState(0);

  const where = useMemo(() => readWhere(search.where), [search.where]);
  const request = {
    cursor: search.cursor,
    direction: search.dir ?? ("next" as const),
    ...(search.sort ? { sort: search.sort } : {}),
    search: search.q ?? "",
    deleted: search.deleted ?? ("hide" as const),
    predicate: where ? JSON.stringify(where) : "",
  };
  const page = useRecords(entity.id, request);
  const total = useRecordCount(entity.id, request);
  const columns = useColumns(entity.id, page.data?.metadata.selectedColumns);
  const restore = useCall(restoreRecord, {
    refreshes: [searchRecords, countRecords],
    onSuccess: () => toast.success(t("list.restored")),
  });

  useEvent(recordsChanged, ({ entityId, count }) => {
    if (entityId !== entity.id) return;
    if (count <= QUIET_CHANGES) refreshRecordsSoon();
    else setChanged((old) => old + count);
  });

  /** Any change of what is listed starts at the first page. */
  const show = (change: Partial<RecordsSearch>, replace = false) => {
    setSelected(new Set());
    setChanged(0);
    void navigate({
      search: (old) => ({ ...old, cursor: undefined, dir: undefined, page: undefined, ...change }),
      replace,
    });
  };
  const clear = () => show({ q: undefined, where: undefined, filter: undefined, deleted: undefined });
  const isFiltered = request.search !== "" || request.predicate !== "" || request.deleted !== "hide";
  const conditions = where ? countConditions(where) : 0;

  return (
    <PageBody fill>
      <PageHeader
        title={entity.pluralName}
        subtitle={
          total.data
            ? t("list.count", {
                count: total.data.count,
                total: t(`count.${total.data.precision}`, { count: total.data.count }),
              })
            : " "
        }
        actions={
          mayWrite ? (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
              {t("list.newRecord")}
            </Button>
          ) : undefined
        }
      />
      <Toolbar
        end={
          <>
            <DeletedChoice
              value={request.deleted}
              onChange={(deleted) => show({ deleted: deleted === "hide" ? undefined : deleted })}
            />
            <ColumnChoice
              columns={entity.fields.map((field) => ({ id: field.apiName, header: field.displayName }))}
              hidden={columns.hidden(entity.fields.map((field) => field.apiName))}
              onChange={(hidden) =>
                columns.choose(entity.fields.map((field) => field.apiName).filter((name) => !hidden.includes(name)))
              }
            />
          </>
        }
      >
        <SearchBox
          value={request.search}
          width={280}
          placeholder={t("list.search", { name: entity.pluralName })}
          onChange={(text) => show({ q: text || undefined }, true)}
        />
        <Button
          variant={conditions > 0 ? "light" : "default"}
          leftSection={<IconFilter size={16} />}
          onClick={() => setFiltering((old) => !old)}
          aria-expanded={filtering}
        >
          {conditions > 0 ? t("list.filterActive", { count: conditions }) : t("list.filter")}
        </Button>
        <SavedFilterMenu
          entityId={entity.id}
          current={where ?? null}
          activeId={search.filter}
          onApply={(filter) => show({ where: JSON.stringify(filter.criteria), filter: filter.id })}
          onSaved={(id) => void navigate({ search: (old) => ({ ...old, filter: id }), replace: true })}
        />
      </Toolbar>
      {where === undefined ? <ErrorBox message={t("list.filterBroken")} /> : null}
      {filtering ? (
        <FilterPanel
          entity={entity}
          initial={where ?? null}
          onApply={(predicate) => {
            show({
              where: predicate ? JSON.stringify(predicate) : undefined,
              ...(predicate ? {} : { filter: undefined }),
            });
          }}
          onClose={() => setFiltering(false)}
        />
      ) : null}
      {!filtering && where ? (
        <FilterChips
          chips={chipsOf(where, entity, (rest) =>
            show({ where: rest ? JSON.stringify(rest) : undefined, ...(rest ? {} : { filter: undefined }) }),
          ).map((chip) => ({ ...chip, onOpen: () => setFiltering(true) }))}
          onClear={() => show({ where: undefined, filter: undefined })}
        />
      ) : null}
      {changed > 0 ? (
        <div className="ac-changed" role="status">
          {t("list.changedNotice", { count: changed })}
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              setChanged(0);
              void refresh(searchRecords);
            }}
          >
            {t("list.refresh")}
          </Button>
        </div>
      ) : null}
      <QueryView query={page} skeleton={<TableSkeleton columns={7} rows={14} />}>
        {(data) => (
          <RecordTable
            entity={entity}
            page={data}
            shown={columns.shown ?? data.metadata.selectedColumns}
            sort={search.sort}
            onSort={(sort) => show({ sort })}
            selected={mayWrite ? selected : undefined}
            onSelected={setSelected}
            onDelete={mayWrite ? setDeleting : undefined}
            onRestore={
              mayWrite
                ? (record) => restore.mutate({ params: { entityId: entity.id, recordId: record.accordId }, body: {} })
                : undefined
            }
            stale={page.isPlaceholderData}
            firstRow={((search.page ?? 1) - 1) * PAGE_SIZE}
            total={total.data}
            onPage={(direction, cursor) =>
              void navigate({
                search: (old) => ({
                  ...old,
                  cursor: cursor ?? undefined,
                  dir: direction === "previous" && cursor ? "previous" : undefined,
                  page: cursor ? Math.max(1, (old.page ?? 1) + (direction === "next" ? 1 : -1)) : undefined,
                }),
              })
            }
            empty={
              isFiltered ? (
                <EmptyState
                  icon={<IconFilterOff size={22} />}
                  title={t("list.filteredTitle")}
                  body={t("list.filteredBody")}
                  action={<Button onClick={clear}>{t("shell:action.clearFilters")}</Button>}
                />
              ) : (
                <EmptyState
                  icon={<IconDatabaseOff size={22} />}
                  title={t("list.noneTitle", { name: entity.displayName })}
                  body={t("list.noneBody")}
                  action={
                    mayWrite ? <Button onClick={() => setCreating(true)}>{t("list.newRecord")}</Button> : undefined
                  }
                />
              )
            }
          />
        )}
      </QueryView>
      <CreateRecordDrawer entity={entity} opened={creating} onClose={() => setCreating(false)} />
      <DeleteDialog
        entity={entity}
        records={deleting}
        onClose={() => setDeleting([])}
        onDone={() => setSelected(new Set())}
      />
    </PageBody>
  );
}
