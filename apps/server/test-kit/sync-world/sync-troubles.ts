/** The sync world with systems that misbehave on demand, and workers in this process. */
import {
  type Connection,
  ConnectorError,
  type SourceRecord,
  type WriteOperation,
  type WriteOutcome,
} from "@accord/connector-sdk";
import type { RunsDependencies } from "../../src/modules/sync/runs/index.ts";
import { runsModule } from "../../src/modules/sync/runs/index.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import type { Pool } from "../../src/platform/db/db.ts";
import { readConfig } from "../../src/config.ts";
import type { Deps } from "../../src/platform/deps.ts";
import { makeNewId } from "../../src/platform/ids.ts";
import { makeLog } from "../../src/platform/log/log.ts";
import { syncWorldNeeds } from "./sync-world.ts";
import { testSecrets } from "../test-secrets.ts";

/** What a system does with the next batch it is sent, or the next read. */
export type Trouble =
  /** Does everything, and the answer is lost. */
  | "answerLost"
  /** Does the first half; of the rest it says to try again. */
  | "halfDone"
  /** Asks for fewer calls, for a moment. */
  | "tooManyCalls"
  /** Is not there. */
  | "unreachable"
  /** The next read breaks off. */
  | "readBreaks";

type Write = (operations: readonly WriteOperation[]) => Promise<WriteOutcome[]>;

export class FaultInjector {
  /** To come, in order; each is met once. */
  readonly ahead: Trouble[] = [];
  /** Those that are over: what they do to a system is done. */
  readonly met: Trouble[] = [];
  /** Names that no system takes. */
  readonly refused = new Set<string>();
  version = 1;
  /** Systems no longer know of phone numbers. */
  losesPhones = false;

  #meet(kinds: readonly Trouble[]): Trouble | undefined {
    const [next] = this.ahead;
    if (next === undefined || !kinds.includes(next)) return undefined;
    this.ahead.shift();
    return next;
  }

  async write(operations: readonly WriteOperation[], write: Write): Promise<WriteOutcome[]> {
    const trouble = this.#meet(["answerLost", "halfDone", "tooManyCalls", "unreachable"]);
    try {
      return await this.#write(operations, write, trouble);
    } finally {
      if (trouble) this.met.push(trouble);
    }
  }

  async #write(
    operations: readonly WriteOperation[],
    write: Write,
    trouble: Trouble | undefined,
  ): Promise<WriteOutcome[]> {
    if (trouble === "tooManyCalls") throw new ConnectorError("rateLimited", "Too many calls.", { retryAfterMs: 300 });
    if (trouble === "unreachable") throw new ConnectorError("unavailable", "Not there.", { neverSent: true });
    const half = trouble === "halfDone" ? Math.ceil(operations.length / 2) : operations.length;
    const outcomes: WriteOutcome[] = [];
    for (const [index, operation] of operations.entries()) {
      if (index >= half) outcomes.push({ status: "retry", message: "Busy." });
      else if (this.#isRefused(operation)) outcomes.push({ status: "rejected", code: "refused", message: "Not this." });
      else outcomes.push(...(await write([operation])));
    }
    if (trouble === "answerLost") throw new ConnectorError("timeout", "No answer.");
    return outcomes;
  }

  #isRefused(operation: WriteOperation): boolean {
    return operation.kind !== "delete" && this.refused.has(String(operation.values["name"]));
  }

  beforeRead(): void {
    const trouble = this.#meet(["readBreaks"]);
    if (!trouble) return;
    this.met.push(trouble);
    throw new ConnectorError("unavailable", "The connection broke.");
  }
}

export function troubledNeeds(pool: Pool, troubles: FaultInjector): RunsDependencies {
  const needs = syncWorldNeeds(pool);
  const { openConnection } = needs.connectors;
  const { publishedVersion } = needs.pipelines;
  return {
    ...needs,
    connectors: {
      ...needs.connectors,
      openConnection: async (...words) => troubled(await openConnection(...words), troubles),
    },
    pipelines: {
      ...needs.pipelines,
      publishedVersion: async (...words) => {
        const version = await publishedVersion(...words);
        return version && { ...version, number: troubles.version };
      },
    },
  };
}

function troubled(connection: Connection, troubles: FaultInjector): Connection {
  return {
    ...connection,
    read: async (request) => {
      troubles.beforeRead();
      const page = await connection.read(request);
      return troubles.losesPhones ? { ...page, records: page.records.map(withoutPhone) } : page;
    },
    write: (request) =>
      troubles.write(request.operations, (operations) =>
        connection.write!({ ...request, operations: [...operations] }),
      ),
  };
}

function withoutPhone({ values, ...record }: SourceRecord): SourceRecord {
  const { phone: _, ...others } = values;
  return { ...record, values: others };
}

/** A worker in this process; answers how to stop it. */
export async function startWorkerHere(
  pool: Pool,
  troubles: FaultInjector,
  clock: Clock = systemClock,
): Promise<() => Promise<void>> {
  const log = makeLog({ logLevel: "silent" });
  const realtime = { publish: async () => {} };
  const deps = {
    config: readConfig({}),
    clock,
    newId: makeNewId(systemClock),
    log,
    dataPool: pool,
    realtime,
    secrets: testSecrets,
  } as unknown as Deps;
  const stop = await runsModule(deps, troubledNeeds(pool, troubles)).startWorker?.();
  return stop ?? (async () => {});
}
