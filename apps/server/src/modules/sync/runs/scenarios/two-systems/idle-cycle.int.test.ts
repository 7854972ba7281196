/** What a cycle costs that finds nothing to do: most cycles are like that. */
import type { Connection } from "@accord/connector-sdk";
import { expect, test } from "vitest";
import { newSyncWorld } from "../../../../../../test-kit/sync-world/new-sync-world.ts";
import { runOneCycle, untilIdle } from "../../../../../../test-kit/sync-world/sync-cycle.ts";
import { insertContact } from "../../../../../../test-kit/sync-world/sync-workers.ts";
import { INSTANCE, SYSTEMS, syncWorldNeeds } from "../../../../../../test-kit/sync-world/sync-world.ts";
import { systemClock } from "../../../../../platform/clock.ts";
import { makeNewId } from "../../../../../platform/ids.ts";
import { makeLog } from "../../../../../platform/log/log.ts";
import type { RunsDependencies } from "../../index.ts";

/** What belongs to opening, awaiting and closing. */
const AROUND: ReadonlySet<string> = new Set(["then", "close"]);

/** Notes every call of a system. */
function counted(needs: RunsDependencies, calls: string[]): RunsDependencies {
  const openConnection: RunsDependencies["connectors"]["openConnection"] = async (at, id, options) => {
    const connection = await needs.connectors.openConnection(at, id, options);
    return new Proxy(connection, {
      get(target, name, receiver) {
        if (typeof name === "string" && !AROUND.has(name)) calls.push(`${String(name)} ${id}`);
        return Reflect.get(target, name, receiver) as Connection[keyof Connection];
      },
    });
  };
  return { ...needs, connectors: { ...needs.connectors, openConnection } };
}

test(
  "a cycle with nothing to do asks each source once, tells nobody and writes nothing",
  { timeout: 120_000 },
  async () => {
    const pool = await newSyncWorld();
    for (let index = 0; index < 20; index += 1) {
      await insertContact(pool, SYSTEMS[index % 2] ?? "a", `p${index}@example.com`, "n");
    }
    const calls: string[] = [];
    const world = {
      pool,
      needs: counted(syncWorldNeeds(pool), calls),
      log: makeLog({ logLevel: "silent" }),
      newId: makeNewId(systemClock),
    };
    await untilIdle(world);
    const written = async (): Promise<unknown> => {
      const { rows } = await pool.query(
        `SELECT (SELECT count(*) FROM "i_${INSTANCE}".ledger) AS ledger, (SELECT sum(accord_version) FROM "i_${INSTANCE}"."r_Contact") AS versions,
              (SELECT count(*) FROM "i_${INSTANCE}".delivery) AS deliveries`,
      );
      return rows[0];
    };
    const before = await written();
    calls.length = 0;

    const summary = await runOneCycle(world);

    expect(summary.outcome).toBe("finished");
    expect(calls.toSorted()).toEqual(SYSTEMS.map((system) => `read ${system}`));
    expect(await written()).toEqual(before);
  },
);
