/** Answers from the columnar mirror what it answers exactly as PostgreSQL would, and everything else from PostgreSQL. */
import type { MirrorSettings } from "../../../../config.ts";
import { fairQueue } from "../../../../platform/access/fair-queue.ts";
import type { Clock } from "../../../../platform/clock.ts";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import type { Log } from "../../../../platform/log/log.ts";
import type { AnalyticsEngine, Question } from "../analytics-engine.ts";
import { sizeCheck } from "./mirror-size.store.ts";
import type { Mirror } from "./mirror.ts";
import type { MirrorAnswer } from "./protocol.ts";

export interface MirroredEngineOptions {
  pool: Pool;
  clock: Pick<Clock, "monotonicMs">;
  log: Log;
  settings: Pick<MirrorSettings, "minRecords">;
  /** PostgreSQL answers after this. */
  timeoutMs: number;
  parallel: number;
  parallelPerInstance: number;
  waiting: number;
}

export function mirroredEngine(
  postgres: AnalyticsEngine,
  mirror: Mirror,
  options: MirroredEngineOptions,
): AnalyticsEngine {
  const { pool, clock, log, settings, timeoutMs } = options;
  const isLarge = sizeCheck(pool);
  const queue = fairQueue({
    maxParallel: options.parallel,
    maxParallelPerLane: options.parallelPerInstance,
    maxWaiting: options.waiting,
  });

  /** Null: PostgreSQL has to answer. */
  async function ask({ instanceId, statement, entities = [], caller }: Question): Promise<MirrorAnswer | null> {
    const { columnar } = statement;
    const schema = instanceSchema(instanceId);
    if (!columnar || columnar.reads.some(({ relation }) => relation.schema !== schema)) return null;
    const reads = columnar.reads.map(({ relation, columns }) => ({ table: relation.name, columns }));
    const ages = entities.map((entity) => `r_${entity}`);
    const tables = [...new Set([...reads.map(({ table }) => table), ...ages])];
    if (!(await isLarge(instanceId, tables, { minRecords: settings.minRecords, nowMs: clock.monotonicMs() })))
      return null;
    const question = {
      schema,
      text: columnar.text,
      params: columnar.params,
      reads: mergeReads(reads),
      ages,
      timeoutMs,
    };
    const place = { lane: instanceId, client: caller.client, signal: caller.signal };
    const answer = await queue.run(place, () => mirror.ask(question, caller.signal));
    return "refusal" in answer ? null : answer;
  }

  return {
    ...postgres,
    async run(question) {
      const found = await ask(question).catch((error: unknown) => {
        if (question.caller.signal.aborted || error instanceof AppError) throw error;
        log.warn({ err: error }, "the columnar mirror could not be asked: PostgreSQL answers");
        return null;
      });
      const plan = question.statement.columnar;
      if (!found || !plan) return postgres.run(question);
      const { entities: _, ...rest } = question;
      const answer = await postgres.run({ ...rest, statement: plan.finish(found.columns) });
      return { ...answer, dataAsOf: found.dataAsOf };
    },
  };
}

type Read = { table: string; columns: { name: string; type: string; isFolded: boolean }[] };

/** A table may be read twice, by two names. */
function mergeReads<One extends Read>(reads: readonly One[]): One[] {
  const merged = new Map<string, One>();
  for (const read of reads) {
    const known = merged.get(read.table);
    merged.set(read.table, known ? { ...read, columns: [...known.columns, ...read.columns] } : read);
  }
  return [...merged.values()];
}
