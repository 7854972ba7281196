/**
 * Performs actions so that a crash neither loses nor doubles them unnoticed: each is written down before it begins, its
 * outcome after it ended. One that was begun by somebody who vanished is begun again only where that does no harm;
 * else it ends as UNKNOWN and says so.
 */
import { actionFailures } from "@accord/contracts/messages/en/sync/run/action-failures";
import { fill } from "@accord/contracts/messages/fill";
import type { Values } from "@accord/contracts/data/values";
import {
  type ActionEnd,
  type ActionOutcome,
  toFinalState,
  nextState,
  OUTCOME_UNKNOWN,
  isIdempotent,
} from "@accord/sync-engine/actions";
import { ConnectorError } from "@accord/connector-sdk";
import type { DataResult, DataRequest } from "@accord/sync-engine/functions";
import type { Deps } from "../../../platform/deps.ts";
import { fairQueue } from "../../../platform/access/fair-queue.ts";
import { LeaseDeadline, readClocks, type SendPermit } from "../../../platform/lease-deadline.ts";
import type { ActionRun, StoredRun } from "./action-runs.store.ts";
import { claimDue, HOLD_MS, insertActions, readByKeys, settleAction, reclaim } from "./action-runs.store.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import type { Batching, CustomRequests } from "./custom-actions/custom-requests.ts";
import type { ActionHandler } from "./action-handlers.ts";
import { openedOutcome, openedRun, sealedCall, sealedOutcome } from "./sealed-work.ts";

export type ActionQuestion = Extract<DataRequest, { kind: "action" }>;

/** Actions performed at the same time for one page. */
const AT_ONCE = 8;
/** Requests that nobody waits for at the same time, of all instances and of one: a host that hangs holds these at most. */
const PLACES = { maxParallel: 32, maxParallelPerLane: 6 };
/** Claimed at once; the last of them begins well within the time that they are held. */
const CLAIMED_AT_ONCE = 24;

export type ActionExecutor = ReturnType<typeof actionExecutor>;

export function actionExecutor(
  deps: Pick<Deps, "clock" | "dataPool" | "newId" | "log" | "secrets">,
  perform: ActionHandler,
  {
    batchingOf,
    hasSecretFields,
  }: Pick<CustomRequests, "batchingOf"> & {
    /** Of a pipeline's entity. */
    hasSecretFields(instanceId: ActionRun["instanceId"], pipelineId: string): Promise<boolean>;
  },
) {
  const { dataPool, secrets } = deps;
  const places = fairQueue({ ...PLACES, maxWaiting: CLAIMED_AT_ONCE });
  const opened = (run: StoredRun): ActionRun => ({
    ...openedRun(secrets, run),
    outcome: openedOutcome(secrets, run.instanceId, run.outcome),
  });

  /** Writes down how an action ended. */
  async function settle(run: ActionRun, end: ActionEnd): Promise<void> {
    const isSecret = await hasSecretFields(run.instanceId, run.pipelineId);
    const outcome = isSecret ? sealedOutcome(secrets, run, end.outcome) : end.outcome;
    await settleAction(dataPool, run, { ...end, outcome });
  }

  /** Runs that one request does: those of the same batch action that nobody began before; all others by themselves. */
  async function inBatches(runs: readonly ActionRun[], isFresh: (run: ActionRun) => boolean): Promise<ActionRun[][]> {
    const alike = Map.groupBy(runs, (run) =>
      run.work.kind === "custom" && isFresh(run) ? `${run.instanceId} ${run.pipelineId} ${run.work.actionId}` : run.id,
    );
    const batches: ActionRun[][] = [];
    for (const group of alike.values()) {
      const [first] = group;
      const work = group.length > 1 ? first?.work : undefined;
      const batching =
        first && work?.kind === "custom" ? await batchingOf(first.instanceId, work.actionId) : SINGLE_REQUESTS;
      const isFit = ({ work }: ActionRun): boolean => work.kind !== "custom" || batching.fits(work.variables);
      const [fit, unfit] = [group.filter(isFit), group.filter((run) => !isFit(run))];
      for (let start = 0; start < fit.length; start += batching.size)
        batches.push(fit.slice(start, start + batching.size));
      batches.push(...unfit.map((run) => [run]));
    }
    return batches;
  }

  /** Performs a batch that was begun now, and writes down for each of it how it ended. */
  async function finishBatch(
    [first, ...others]: readonly ActionRun[],
    tell: (run: ActionRun, end: ActionOutcome) => void,
    permit: SendPermit | undefined,
  ) {
    if (!first) return;
    const end = toFinalState(await perform(first, others, permit));
    for (const run of [first, ...others]) {
      await settle(run, end);
      tell(run, end.outcome);
    }
  }

  /** Performs again what somebody began and left, where that does no harm, and writes down how it ended. */
  async function finish(run: ActionRun, permit: SendPermit | undefined): Promise<ActionOutcome> {
    const end = toFinalState(isIdempotent(run.work) ? await perform(run, [], permit) : OUTCOME_UNKNOWN);
    await settle(run, end);
    return end.outcome;
  }

  /** Awaited actions of a page. An equal one that was performed before gives its recorded outcome. */
  async function performNow(pipeline: PipelineContext, asked: readonly ActionQuestion[]): Promise<DataResult[]> {
    const calls = asked.map(({ call }) => {
      return { id: deps.newId(), call: sealedCall(secrets, pipeline.instanceId, call), key: call.key };
    });
    await insertActions(dataPool, pipeline, calls, { begun: true, links: null });
    const keys = calls.map(({ key }) => key);
    const runs = (await readByKeys(dataPool, pipeline, keys)).map(opened);
    const own = new Set<string>(calls.map(({ id }) => id));
    const outcomes = new Map<string, ActionOutcome>();
    const tell = (run: ActionRun, end: ActionOutcome): void => void outcomes.set(run.key ?? "", end);
    await inTurns(await inBatches(runs, ({ id }) => own.has(id)), async (batch) => {
      const [run] = batch;
      if (!run) return;
      if (run.outcome && run.state !== "BEGUN") tell(run, run.outcome);
      else if (own.has(run.id)) await finishBatch(batch, tell, pipeline.permit);
      else tell(run, await goOnWith(run, pipeline.permit));
    });
    return asked.map(({ call }) => asResult(outcomes.get(call.key) ?? OUTCOME_UNKNOWN.outcome));
  }

  async function goOnWith(run: ActionRun, permit: SendPermit | undefined): Promise<ActionOutcome> {
    // Whoever began it may still be at it: this page waits its turn.
    if (run.isHeld || !(await reclaim(dataPool, run))) {
      throw new ConnectorError("unavailable", fill(actionFailures.stillPerformed, { action: run.label }), {
        retryAfterMs: 30_000,
      });
    }
    return finish({ ...run, attempts: run.attempts + 1 }, permit);
  }

  /** Claimed actions that nobody waits for, done by one request; a failure that may pass gets another try. */
  async function performClaimed([first, ...others]: readonly ActionRun[], claim: LeaseDeadline): Promise<void> {
    if (!first) return;
    // Not begun yet: as if it had never been claimed, unless somebody else has claimed it by now.
    if (claim.isOver) return giveBack([first, ...others]);
    const attempt = first.isHeld && !isIdempotent(first.work) ? OUTCOME_UNKNOWN : await perform(first, others, claim);
    for (const run of [first, ...others]) await settle(run, nextState(run.work, run.attempts, attempt));
  }

  async function giveBack(runs: readonly ActionRun[]): Promise<void> {
    for (const run of runs) {
      await settleAction(dataPool, run, { state: "DUE", outcome: NOT_BEGUN, inMs: 0 });
    }
  }

  return {
    /** In the order of the questions. */
    async perform(pipeline: PipelineContext, asked: readonly ActionQuestion[]): Promise<DataResult[]> {
      const later = asked.filter((dataRequest) => dataRequest.later);
      const written = later.map(({ call }) => {
        return { id: deps.newId(), call: sealedCall(secrets, pipeline.instanceId, call), key: call.key };
      });
      await insertActions(dataPool, pipeline, written, { begun: false, links: null });
      const now = asked.filter((dataRequest) => !dataRequest.later);
      const answers = now.length > 0 ? await performNow(pipeline, now) : [];
      return asked.map((dataRequest) =>
        dataRequest.later ? DONE_LATER : (answers[now.indexOf(dataRequest)] ?? asResult(OUTCOME_UNKNOWN.outcome)),
      );
    },

    /** Performs some of what is due in an instance, which takes turns with others. Answers whether there may be more. */
    async drain(instanceId: ActionRun["instanceId"], signal: AbortSignal): Promise<boolean> {
      const claimedAt = readClocks(deps.clock);
      const runs = signal.aborted ? [] : (await claimDue(dataPool, instanceId, CLAIMED_AT_ONCE)).map(opened);
      const claim = new LeaseDeadline(deps.clock, HOLD_MS, claimedAt);
      const work = async (batch: readonly ActionRun[]): Promise<void> => {
        try {
          await performClaimed(batch, claim);
        } catch (error) {
          deps.log.warn({ err: error, actionId: batch[0]?.id }, "an action broke off");
        }
      };
      await Promise.all(
        (await inBatches(runs, ({ isHeld }) => !isHeld)).map((batch) =>
          places.run({ lane: instanceId, client: batch[0]?.pipelineId ?? "" }, () => work(batch)),
        ),
      );
      return runs.length > 0;
    },
  };
}

const NOT_BEGUN: ActionOutcome = {
  succeeded: false,
  body: null,
  code: "not_begun",
  message: actionFailures.workerStopped,
};

const SINGLE_REQUESTS: Batching = { size: 1, fits: () => true };

const DONE_LATER: DataResult = { ok: true, found: [] };

const asResult = ({ succeeded, body, code, message }: ActionOutcome): DataResult => ({
  ok: true,
  found: [{ succeeded, body, code, message } satisfies Values],
});

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const open = [...items];
  const lanes = Array.from({ length: Math.min(AT_ONCE, open.length) }, async () => {
    for (let item = open.shift(); item !== undefined; item = open.shift()) await work(item);
  });
  const ends = await Promise.allSettled(lanes);
  const broken = ends.find((end) => end.status === "rejected");
  if (broken) throw broken.reason;
}
