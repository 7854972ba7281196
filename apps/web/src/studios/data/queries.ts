/** What the data studio asks the server, and which pushed messages make its answers old. */
import type { Id } from "@accord/contracts";
import { entitySchemaChanged, getEntity, listEntities } from "@accord/contracts/data/core-schema";
import {
  countRecords,
  getRecord,
  getRecordCounts,
  getRecordLineage,
  listRecords,
  recordsChanged,
  searchRecords,
} from "@accord/contracts/data/records";
import { listRecordActions } from "@accord/contracts/sync/actions";
import { listConflicts } from "@accord/contracts/sync/monitoring/conflicts";
import { getRecordAsOf } from "@accord/contracts/sync/monitoring/explain";
import { pipelineStatusChanged } from "@accord/contracts/sync/monitoring/runs";
import { listQuarantine } from "@accord/contracts/sync/monitoring/quarantine";
import { listSavedFilters } from "@accord/contracts/data/saved-filters";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { call } from "../../app/api.ts";
import type { PaletteEntry } from "../../app/palette.ts";
import { endpointQuery, polling, queryClient, refresh, refreshOn, useEndpoint } from "../../app/queries.ts";
import { useCan } from "../../app/session.ts";
import { onEvent } from "../../app/realtime.ts";

export type EntityId = Id<"entity">;
export type RecordId = Id<"record">;

/** Ids in addresses are texts; the server refuses what is none. */
export const asEntityId = (text: string): EntityId => text as EntityId;
export const asRecordId = (text: string): RecordId => text as RecordId;

/** A running pipeline tells of changes many times a second; nobody reads that fast. */
export const REFRESH_MS = 2_000;

/** Calls at once, and then at most once in each `ms`, the last time after the last demand. */
export function atMostEvery(ms: number, run: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return () => {
    if (waiting !== undefined) return;
    const wait = Math.max(0, last + ms - performance.now());
    waiting = setTimeout(() => {
      waiting = undefined;
      last = performance.now();
      run();
    }, wait);
  };
}

refreshOn(pipelineStatusChanged, [listQuarantine]);
refreshOn(entitySchemaChanged, [listEntities, getEntity]);
/** Once for all lists on screen. */
export const refreshRecordsSoon = atMostEvery(REFRESH_MS, () => void refresh(searchRecords, countRecords));
onEvent(
  recordsChanged,
  atMostEvery(
    REFRESH_MS,
    () => void refresh(getRecordCounts, getRecord, getRecordLineage, getRecordAsOf, listConflicts, listRecordActions),
  ),
);

export const useEntities = () => useEndpoint(listEntities, { query: { version: "published" } });

export const useEntity = (entityId: EntityId) =>
  useEndpoint(getEntity, { params: { entityId }, query: { version: "published" } });

export const useRecordCounts = () => useEndpoint(getRecordCounts, { query: {} }, polling());

export interface ListRequest {
  cursor?: string | undefined;
  direction: "next" | "previous";
  sort?: string | undefined;
  search: string;
  deleted: "hide" | "show" | "only";
  /** JSON of a predicate; empty for none. */
  predicate: string;
}

/** A page of records; the page before stays in view while the next one comes. */
export const useRecords = (entityId: EntityId, { predicate, ...request }: ListRequest) =>
  useEndpoint(
    searchRecords,
    { params: { entityId }, query: { ...request, count: 100 }, body: predicate },
    { placeholderData: keepPreviousData, ...polling() },
  );

export const useRecordCount = (entityId: EntityId, { predicate, search, deleted }: ListRequest) =>
  useEndpoint(countRecords, { params: { entityId }, query: { search, deleted }, body: predicate });

export const useRecord = (entityId: EntityId, recordId: RecordId) =>
  useEndpoint(getRecord, { params: { entityId, recordId } }, polling());

/** The record at a moment, each field with who set it. The old answer stays in view while another moment is asked for. */
export const useRecordAsOf = (entityId: EntityId, recordId: RecordId, at: string) =>
  useEndpoint(
    getRecordAsOf,
    { params: { entityId, recordId }, query: { at } },
    { placeholderData: keepPreviousData, ...polling() },
  );

/** Fields of the record about which systems disagree; nothing for somebody who may not see pipelines. */
export const useConflictsOf = (entityId: EntityId, recordId: RecordId) =>
  useEndpoint(
    listConflicts,
    { params: { entityId }, query: { recordId, count: 200 } },
    { enabled: useCan("READ_STUDIO"), ...polling() },
  );

/** What destinations refused of the record and is set aside; nothing for somebody who may not see pipelines. */
export const useSetAside = (entityId: EntityId, recordId: RecordId) =>
  useEndpoint(
    listQuarantine,
    { params: { entityId }, query: { recordId, side: "destination" } },
    { enabled: useCan("READ_STUDIO"), ...polling() },
  );

export const useSavedFilters = (entityId: EntityId) =>
  useEndpoint(listSavedFilters, { query: { entityId, count: 500, direction: "next" } });

/** History of a record, or of one of its fields; earlier entries by `fetchNextPage`. */
export const useLineage = (entityId: EntityId, recordId: RecordId, field: string | undefined) =>
  useInfiniteQuery({
    queryKey: [getRecordLineage.name, entityId, recordId, field ?? null],
    queryFn: ({ pageParam }) =>
      call(getRecordLineage, {
        params: { entityId, recordId },
        query: { ...(field ? { field } : {}), ...(pageParam ? { cursor: pageParam } : {}), count: 50 },
      }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
  });

/** Records to choose a reference from, by text. */
export const useReferenceChoices = (entityId: EntityId | undefined, search: string) =>
  useEndpoint(
    listRecords,
    {
      params: { entityId: entityId ?? asEntityId("") },
      query: { search, count: 20, direction: "next", deleted: "hide" },
    },
    { enabled: entityId !== undefined, placeholderData: keepPreviousData },
  );

/** Name of an entity, of its draft where it has one. */
export async function entityName(id: string): Promise<string> {
  const query = endpointQuery(getEntity, { params: { entityId: asEntityId(id) }, query: { version: "draft" } });
  return (await queryClient.ensureQueryData(query)).displayName;
}

export async function entityPaletteEntries(text: string): Promise<PaletteEntry[]> {
  const { entities } = await queryClient.ensureQueryData(
    endpointQuery(listEntities, { query: { version: "published" } }),
  );
  const wanted = text.trim().toLowerCase();
  return entities
    .filter(({ pluralName, apiName }) => `${pluralName} ${apiName}`.toLowerCase().includes(wanted))
    .slice(0, 6)
    .map(({ id, pluralName, description }) => ({
      id,
      label: pluralName,
      ...(description ? { description } : {}),
      to: `/data-studio/entity/${id}`,
    }));
}

/** They are performed after the record was written, so the record's own news says nothing of them. */
export const useRecordActions = (entityId: EntityId, recordId: RecordId, count: number) =>
  useEndpoint(listRecordActions, { params: { entityId, recordId }, query: { count } }, polling(true));
