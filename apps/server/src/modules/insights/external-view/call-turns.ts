/** How many calls wait for products at once: each holds a connection and an answer of megabytes in memory. */
import type { Id } from "@accord/contracts";
import { fairQueue } from "../../../platform/access/fair-queue.ts";
import { AppError } from "../../../platform/http/app-error.ts";

export const CALL_TURNS = {
  perPerson: { atOnce: 4, waiting: 20 },
  perInstance: { atOnce: 12, waiting: 100 },
  /** Of all instances of this server. */
  atOnce: 32,
  /** Milliseconds that a call waits for its turn. */
  waitMs: 10_000,
};

export interface TurnOf {
  instanceId: Id<"instance">;
  userId: Id<"user">;
  /** Aborted when they leave. */
  signal: AbortSignal;
}

export interface CallTurns {
  /** @throws AppError `server_busy` when too many wait, or for too long; the signal's reason. */
  run<Result>(place: TurnOf, call: () => Promise<Result>): Promise<Result>;
}

export function callTurns(limits: typeof CALL_TURNS = CALL_TURNS): CallTurns {
  const { perPerson, perInstance, atOnce, waitMs } = limits;
  const people = fairQueue({
    ...{ maxParallel: Number.POSITIVE_INFINITY, maxParallelPerLane: perPerson.atOnce, maxWaiting: perPerson.waiting },
  });
  const instances = fairQueue({
    ...{ maxParallel: atOnce, maxParallelPerLane: perInstance.atOnce, maxWaiting: perInstance.waiting },
  });
  return {
    async run({ instanceId, userId, signal }, call) {
      const late = AbortSignal.timeout(waitMs);
      const waiting = AbortSignal.any([signal, late]);
      let isStarted = false;
      const start = () => {
        isStarted = true;
        return call();
      };
      try {
        return await people.run({ lane: `${instanceId} ${userId}`, client: userId, signal: waiting }, () =>
          instances.run({ lane: instanceId, client: userId, signal: waiting }, start),
        );
      } catch (error) {
        signal.throwIfAborted();
        if (!isStarted && late.aborted) throw new AppError("server_busy", { retryAfterSeconds: 5 });
        throw error;
      }
    },
  };
}
