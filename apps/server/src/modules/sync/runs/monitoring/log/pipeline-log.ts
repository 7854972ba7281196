/** Use case of a pipeline's log: entries of cycles, actions and quarantined records as one list, page by page. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import { id } from "@accord/contracts";
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { LOG_KINDS, LOG_SEVERITIES, LogSeverity } from "@accord/contracts/sync/monitoring/page-filters";
import { type PipelineLogEntry, type PipelineLogFilter } from "@accord/contracts/sync/monitoring/pipeline-logs";
import type { Graph } from "@accord/contracts/sync/graph";
import type { GraphVersion } from "@accord/contracts/sync/pipelines";
import { isSecretField } from "@accord/expressions";
import type { Caller } from "../../../../../platform/ctx.ts";
import { invalid, type PageQuery } from "../../keyset-paging.ts";
import { demandPipeline, type EntityId, type InstanceId, type ServiceContext } from "../../published-pipelines.ts";
import { total } from "../../worker/cycle-summaries.ts";
import type { StoredLogEntry } from "./pipeline-log-rows.ts";
import { type LoggedNode, type LogSearch, msOf, type PipelineLogStore } from "./pipeline-log.store.ts";
import { runId } from "../../run-ids.ts";

interface Parts extends Pick<ServiceContext, "needs" | "schedule"> {
  log: PipelineLogStore;
  /** Why records were quarantined, without secrets, by the entry's id. */
  quarantineMessages(at: InstanceId, entityId: EntityId, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

const POSITION = /^[0-9a-f]{11}[acq][0-9a-f]{24}\d{2}[\d/:]$/;

export function pipelineLog(parts: Parts) {
  return {
    async log(
      { instanceId }: Caller,
      entityId: EntityId,
      graphVersion: GraphVersion,
      { query, filter }: { query: PageQuery; filter: PipelineLogFilter },
    ) {
      await demandPipeline(parts, instanceId, entityId);
      if (query.cursor !== undefined && !POSITION.test(query.cursor)) throw invalid("cursor", syncRefusals.noCursor);
      if (graphVersion === "draft" || graphVersion === "new")
        return { entries: [], page: { nextCursor: null, previousCursor: null }, searchedTo: null };
      const search = await searchOf(parts, instanceId, entityId, query, filter);
      const found = await parts.log.search(instanceId, search);
      const page = pageOf(found, query);
      const entries = await inWords(parts, instanceId, entityId, page.entries, search);
      return { entries, page: page.info, searchedTo: page.searchedTo };
    },
  };
}

async function searchOf(
  { needs }: Pick<Parts, "needs">,
  at: InstanceId,
  entityId: EntityId,
  { cursor, count, direction }: PageQuery,
  filter: PipelineLogFilter,
): Promise<LogSearch> {
  const version = await needs.pipelines.publishedVersion(at, entityId);
  const entity = await needs.schema.getEntity(at, entityId);
  const nodes = version?.graph.nodes ?? [];
  return {
    pipelineId: entityId,
    severities: filter.severities ?? LOG_SEVERITIES,
    kinds: filter.kinds ?? LOG_KINDS,
    nodeId: filter.nodeId ?? null,
    text: filter.text?.toLowerCase() || null,
    from: filter.from === undefined ? null : Date.parse(filter.from),
    to: filter.to === undefined ? null : Date.parse(filter.to),
    cursor: cursor ?? null,
    direction,
    count,
    nodes: version ? loggedNodes(version.graph, version.loggedNodes ?? []) : [],
    levels: Object.fromEntries(
      nodes.flatMap(({ id: nodeId, configuration }): [string, LogSeverity][] => {
        const level = LogSeverity.safeParse(configuration["level"]);
        return level.success ? [[nodeId, level.data]] : [];
      }),
    ),
    // Any of its values may stand anywhere in what was answered.
    isHidden: entity?.fields.some(isSecretField) ?? true,
  };
}

/** In the order of the graph. */
const loggedNodes = ({ nodes, edges }: Graph, logged: readonly string[]): LoggedNode[] =>
  nodes
    .filter(({ id: nodeId }) => logged.includes(nodeId))
    .map(({ id: nodeId, nodeType }) => ({
      nodeId,
      isSource: nodeType === "ENTITY_SOURCE",
      edges: edges.filter(({ destination }) => destination.nodeId === nodeId).map((edge) => edge.id),
    }));

interface Page {
  entries: StoredLogEntry[];
  info: { nextCursor: string | null; previousCursor: string | null };
  searchedTo: string | null;
}

/** Joins what the kinds of rows gave. Beyond the first end of a search entries of that kind are not known. */
function pageOf(
  found: readonly { entries: StoredLogEntry[]; end: string | null }[],
  { cursor, count, direction }: PageQuery,
): Page {
  const isNext = direction === "next";
  const ends = found.flatMap(({ end }) => (end === null ? [] : [end])).sort();
  const end = (isNext ? ends.at(-1) : ends[0]) ?? null;
  const known = found
    .flatMap(({ entries }) => entries)
    .filter(({ position }) => end === null || (isNext ? position >= end : position <= end))
    .sort((a, b) => (a.position < b.position === isNext ? 1 : -1));
  const picked = known.slice(0, count);
  const isFull = known.length > count;
  const ahead = isFull ? (picked.at(-1)?.position ?? null) : end;
  const entries = isNext ? picked : picked.toReversed();
  // The page that this one was opened from begins at the cursor: where nothing stands between, it belongs to that page.
  const [newest, oldest] = [entries[0]?.position, entries.at(-1)?.position];
  const info = isNext
    ? { nextCursor: ahead, previousCursor: cursor === undefined ? null : (newest ?? justBefore(cursor)) }
    : { nextCursor: oldest ?? (cursor === undefined ? null : justBehind(cursor)), previousCursor: ahead };
  return { entries, info, searchedTo: isFull || end === null ? null : timeOf(end) };
}

/** Texts between which and their neighbours no position lies: to go back to where a page began, the cursor included. */
const justBefore = (position: string): string =>
  position.slice(0, -1) + String.fromCharCode(position.charCodeAt(position.length - 1) - 1);
const justBehind = (position: string): string =>
  position.slice(0, -1) + String.fromCharCode(position.charCodeAt(position.length - 1) + 1);

const timeOf = (position: string): string => new Date(msOf(position)).toISOString();

async function inWords(
  parts: Parts,
  at: InstanceId,
  entityId: EntityId,
  entries: readonly StoredLogEntry[],
  { isHidden }: LogSearch,
): Promise<PipelineLogEntry[]> {
  const quarantined = entries.flatMap((entry) => (entry.kind === "record" ? [entry.quarantineId] : []));
  const messages = await parts.quarantineMessages(at, entityId, quarantined);
  const times = entries
    .filter(({ kind }) => kind === "action" || kind === "record")
    .map(({ position }) => msOf(position));
  const cycles = await parts.log.cyclesAt(at, entityId, times);
  return entries.map((entry) => {
    const during = cycles.get(msOf(entry.position));
    const base = {
      ...NOTHING,
      id: entry.position,
      timestamp: timeOf(entry.position),
      severity: entry.severity,
      kind: entry.kind,
      nodeId: entry.nodeId,
      cycleId: during === undefined ? null : runId(during),
    };
    switch (entry.kind) {
      case "cycle":
        return { ...base, ...cycleEntry(entry.cycle) };
      case "node": {
        const { cycleNumber, reached, ended, quarantined: failed } = entry;
        return { ...base, cycleId: runId(cycleNumber), node: { reached, ended, quarantined: failed } };
      }
      case "problem": {
        const { code, message, detail, targetId, count } = entry.problem;
        const facts = { code, message, detail, targetId: targetId ?? null, count: count ?? null };
        return { ...base, cycleId: runId(entry.cycleNumber), ...facts };
      }
      case "record":
        return { ...base, ...idsOf(entry), code: entry.code, message: messages.get(entry.quarantineId) ?? "" };
      case "action": {
        const { action, label, code, message, text, state } = entry.action;
        const written = text !== null && isHidden ? PASSWORD_MASK : text;
        return {
          ...base,
          ...idsOf(entry.action),
          code: code ?? (action === "logMessage" ? null : state),
          message: written ?? message ?? "",
          detail: label,
        };
      }
    }
  });
}

const NOTHING = {
  targetId: null,
  recordId: null,
  externalId: null,
  code: null,
  message: "",
  detail: null,
  count: null,
  cycle: null,
  node: null,
};

const recordId = id("record");
const idsOf = (entry: { recordId: string | null; externalId: string | null }) => ({
  recordId: recordId.nullable().catch(null).parse(entry.recordId),
  externalId: entry.externalId,
});

function cycleEntry(cycle: Extract<StoredLogEntry, { kind: "cycle" }>["cycle"]) {
  const { number, isResync, beganAt: startedAt, outcome, versionNumber, counts } = cycle;
  const { created, updated, deleted } = counts;
  const facts = { kind: isResync ? ("resync" as const) : ("cycle" as const), startedAt, outcome, versionNumber };
  return {
    cycleId: runId(number),
    cycle: { ...facts, read: total(counts.read), written: total(counts.delivered), created, updated, deleted },
  };
}
