/** What is forgotten, and when: a batch of each kind in turn, until nothing is left or the time of the turn is over. */
import { lastPostRead } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import { isValue } from "@accord/contracts/data/values";
import type { Deps } from "../../../platform/deps.ts";
import { deleteMails } from "../../../platform/mail/mail.store.ts";
import type { ConnectorsService } from "../../connections/connectors/index.ts";
import { REFUSAL_DAYS } from "../../connections/webhooks/index.ts";
import type { InstancesService } from "../../identity/instances/index.ts";
import type { PipelineService } from "../pipelines/index.ts";
import type { ScheduleStore } from "../runs/index.ts";
import { compactLedger } from "./ledger-compaction.store.ts";
import { MAX_ROWS, type RetentionStore } from "./retention.store.ts";

type InstanceId = Id<"instance">;

export interface RetentionParts {
  deps: Pick<Deps, "appDb" | "clock" | "config" | "dataPool" | "log">;
  store: RetentionStore;
  schedule: Pick<ScheduleStore, "list">;
  instances: Pick<InstancesService, "listActive">;
  connectors: Pick<ConnectorsService, "getConnector">;
  pipelines: Pick<PipelineService, "publishedVersion">;
}

/** In milliseconds. What is left then waits for the next turn. */
const MAX_TURN_MS = 20_000;
const DAY_MS = 86_400_000;

/** Deletes a batch. Answers whether there may be more. */
interface Task {
  what: string;
  work(): Promise<boolean>;
}

/** `turn` counts up: each turn begins with another task, so that none waits for all others for ever. */
export async function forgetOld(parts: RetentionParts, signal: AbortSignal, turn: number): Promise<void> {
  const { clock, log } = parts.deps;
  const end = clock.monotonicMs() + MAX_TURN_MS;
  const tasks = await tasksOf(parts);
  const first = tasks.length === 0 ? 0 : turn % tasks.length;
  const left = [...tasks.slice(first), ...tasks.slice(0, first)];
  for (let task = left.shift(); task; task = left.shift()) {
    if (signal.aborted || clock.monotonicMs() > end) return;
    try {
      if (await task.work()) left.push(task);
    } catch (error) {
      log.warn({ err: error, what: task.what }, "old rows could not be deleted; the next turn tries again");
    }
  }
}

async function tasksOf(parts: RetentionParts): Promise<Task[]> {
  const { store, deps } = parts;
  const { mails, ...kept } = deps.config.keepDays;
  const tasks: Task[] = [];
  const add = (what: string, days: number, remove: () => Promise<number>): void => {
    if (days > 0) tasks.push({ what, work: async () => (await remove()) === MAX_ROWS });
  };
  const mailsBefore = new Date(deps.clock.now().getTime() - mails * DAY_MS);
  add("mails", mails, () => deleteMails(deps.appDb, mailsBefore, MAX_ROWS));
  for (const { id: at } of await parts.instances.listActive()) {
    tasks.push({ what: `posts of ${at}`, work: () => deleteProcessedMessages(parts, at, kept.posts) });
    add(`refused posts of ${at}`, REFUSAL_DAYS, () => store.deleteRefusals(at, REFUSAL_DAYS));
    add(`cycles of ${at}`, kept.cycles, () => store.deleteCycles(at, kept.cycles));
    add(`quarantine of ${at}`, kept.quarantine, () => store.deleteResolved(at, kept.quarantine));
    if (kept.ledger > 0)
      tasks.push({ what: `ledger of ${at}`, work: () => compactLedger(deps.dataPool, at, kept.ledger) });
  }
  return tasks;
}

/** Those of deleted webhooks at once; of the others those that every pipeline has read. `days` 0: none of those. */
async function deleteProcessedMessages(parts: RetentionParts, at: InstanceId, days: number): Promise<boolean> {
  const { store, connectors } = parts;
  const webhooks = await store.webhooks(at);
  if (webhooks.length === 0) return false;
  const read = await postsRead(parts, at);
  let isMore = false;
  for (const connectorId of webhooks) {
    const upTo = read.get(connectorId) ?? Number.MAX_SAFE_INTEGER;
    if (!(await connectors.getConnector(at, connectorId)))
      isMore = (await store.deleteWebhook(at, connectorId)) === MAX_ROWS || isMore;
    else if (days > 0) isMore = (await store.deletePosts(at, connectorId, { days, upTo })) === MAX_ROWS || isMore;
  }
  return isMore;
}

/** The last post that all sources of published pipelines have read, by connector; paused ones count as well. */
async function postsRead({ store, schedule, pipelines }: RetentionParts, at: InstanceId): Promise<Map<string, number>> {
  const cursors = new Map(
    (await store.positions(at)).map(({ pipelineId, nodeId, cursor }) => [`${pipelineId} ${nodeId}`, cursor]),
  );
  const read = new Map<string, number>();
  for (const { pipelineId } of await schedule.list(at)) {
    const version = await pipelines.publishedVersion(at, pipelineId);
    for (const { id: nodeId, nodeType, configuration } of version?.graph.nodes ?? []) {
      const { connectorId } = configuration;
      if (nodeType !== "ENTITY_SOURCE" || typeof connectorId !== "string") continue;
      const cursor = cursors.get(`${pipelineId} ${nodeId}`) ?? null;
      const known = read.get(connectorId) ?? Number.MAX_SAFE_INTEGER;
      read.set(connectorId, Math.min(known, lastPost(cursor)));
    }
  }
  return read;
}

/** Positions of other kinds of connectors are not looked at later on. */
function lastPost(cursor: unknown): number {
  try {
    return isValue(cursor) ? lastPostRead(cursor) : 0;
  } catch {
    return 0;
  }
}
