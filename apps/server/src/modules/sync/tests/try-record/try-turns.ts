/** Lets a few records be tried at a time: instances take turns, and no more than a few tries of one wait. */
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import { TRY_RECORD_LIMITS } from "@accord/contracts/sync/tests/try-record";
import { fairQueue } from "../../../../platform/access/fair-queue.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { isQueryTimeout } from "../../runs/index.ts";
import { Ended } from "../test-run/result-trace.ts";

const MAX_AT_ONCE = 2;
const MAX_WAITING = 10;

/** Who tries; `signal` aborts once nobody waits for the answer. */
interface Trier {
  instanceId: string;
  userId: string;
  signal: AbortSignal;
}

/** `seconds`: the time of one try, which passes while it runs and not while it waits. */
export function tryTurns({ seconds }: { seconds: number } = TRY_RECORD_LIMITS) {
  const queue = fairQueue({
    maxParallel: MAX_AT_ONCE,
    maxWaiting: MAX_WAITING,
    tooMany: () => new AppError("test_failed", { reason: words.tooManyTries }),
  });
  return {
    /** Throws `test_failed` where too many wait already or the time is over, and the signal's reason. */
    run: <Result>(
      { instanceId, userId, signal }: Trier,
      work: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> =>
      queue.run({ lane: instanceId, client: userId, signal }, async () => {
        const time = AbortSignal.timeout(seconds * 1000);
        try {
          return await work(AbortSignal.any([signal, time]));
        } catch (error) {
          if (error instanceof Ended) throw new AppError("test_failed", { reason: error.message });
          if (!time.aborted && !isQueryTimeout(error)) throw error;
          throw new AppError("test_failed", { reason: fill(words.tryTooLong, { seconds }) }, { cause: error });
        }
      }),
  };
}
