/** A resync while it goes on: its states, how far it is, that it writes only differences, and where a cancel stops it. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import type { ReadPage, ReadRequest } from "@accord/connector-sdk";
import type { ResyncRequest } from "@accord/contracts/sync/monitoring/runs";
import { expect, test } from "vitest";
import { ENTITY, INSTANCE } from "../../../../test-kit/sync-world/sync-world.ts";
import { eventually, inWorkingWorld, type WorkingWorld } from "../../../../test-kit/sync-world/working-world.ts";
import type { RunsDependencies } from "./worker/plans.ts";

const request: ResyncRequest = { scope: "all", sourceEntityIds: ["source-a"] };
const PAGE = 50;

/** System `a` answers a resync's pages only when it is let. */
class Gate {
  asked = 0;
  #open: (() => void)[] = [];
  #isOpen = false;

  readonly needs = (needs: RunsDependencies): RunsDependencies => ({
    ...needs,
    connectors: {
      ...needs.connectors,
      openConnection: async (at, id, options) => {
        const connection = await needs.connectors.openConnection(at, id, options);
        if (id !== "a") return connection;
        return { ...connection, read: (wanted) => this.#read(wanted, () => connection.read(wanted)) };
      },
    },
  });

  async #read({ mode }: ReadRequest, read: () => Promise<ReadPage>): Promise<ReadPage> {
    if (mode === "all") {
      this.asked += 1;
      if (!this.#isOpen) await new Promise<void>((resolve) => this.#open.push(resolve));
    }
    return read();
  }

  /** Lets the page through that is asked for. */
  async letOne(): Promise<void> {
    const next = await eventually("a page that is asked for", async () => this.#open.shift());
    next();
  }

  open(): void {
    this.#isOpen = true;
    for (const next of this.#open.splice(0)) next();
  }
}

async function manyContacts({ pool }: WorkingWorld, count: number): Promise<void> {
  await pool.query(
    "INSERT INTO outside.a (email, name) SELECT 'c' || i || '@example.com', 'a' FROM generate_series(1, $1) i",
    [count],
  );
}

const count = async ({ pool }: WorkingWorld, what: string): Promise<number> =>
  Number((await pool.query(`SELECT count(*) FROM ${what}`)).rows[0].count);

async function converged(world: WorkingWorld, records: number): Promise<void> {
  await eventually("agreement", async () => {
    const isThere = (await count(world, "outside.b")) === records;
    return isThere && (await count(world, `"i_${INSTANCE}".delivery`)) === 0 ? true : undefined;
  });
}

test("[SYN-096] [SYN-106] [SYN-110] a resync is new, then processing, and a cancel ends it after the page under way", () => {
  const gate = new Gate();
  return inWorkingWorld(async (world) => {
    const { pool, service, person } = world;
    const state = async () => (await service.stateOf(person, ENTITY)).resync;
    await manyContacts(world, 4 * PAGE);
    await world.startWorker();
    await converged(world, 4 * PAGE);
    await world.stopWorker();
    expect(await state()).toBeNull();
    // Changed where no cycle looks: only reading all again finds it.
    await pool.query("UPDATE outside.a SET name = 'changed'");

    const begun = await service.startResync(person, ENTITY, request);
    expect(begun).toMatchObject({ status: "RESYNCING", resync: { status: "NEW", recordsRead: 0 } });
    expect(begun.resync?.startTime).toEqual(expect.any(String));
    await expect(service.startResync(person, ENTITY, request)).rejects.toMatchObject({ code: "resync_running" });
    await world.startWorker();
    await gate.letOne();
    await eventually("the second page", async () => (gate.asked >= 2 ? true : undefined));
    expect(await state()).toMatchObject({ status: "PROCESSING", syncStatus: "RESYNCING", lastResyncTime: null });

    const cancelled = await service.cancelResync(person, ENTITY);
    expect(cancelled.resync).toMatchObject({ status: "CANCEL_REQUESTED" });
    await gate.letOne();
    const over = await eventually("its end", async () => {
      const now = await state();
      return now?.status === null ? now : undefined;
    });
    expect(over).toMatchObject({ status: null, startTime: null, progressPercentage: null, recordsRead: 0 });
    expect(await count(world, `"i_${INSTANCE}"."r_Contact" WHERE name = 'changed'`)).toBe(2 * PAGE);
    const { cycles } = await service.cycles(person, ENTITY, { count: 10, direction: "next" });
    expect(cycles.find(({ kind }) => kind === "resync")).toMatchObject({ outcome: "cancelled" });
    await expect(service.cancelResync(person, ENTITY)).rejects.toMatchObject({
      code: "invalid_state",
      facts: { reason: syncRefusals.noResync },
    });

    gate.open();
    await service.startResync(person, ENTITY, request);
    await eventually("a whole one", async () => ((await state())?.status === null ? true : undefined));
    const { cycles: later } = await service.cycles(person, ENTITY, { count: 10, direction: "next" });
    expect(later.find(({ kind }) => kind === "resync")).toMatchObject({
      outcome: "finished",
      read: { "source-a": 4 * PAGE },
    });
    expect(await count(world, `"i_${INSTANCE}"."r_Contact" WHERE name = 'changed'`)).toBe(4 * PAGE);
  }, gate.needs);
});

test("[SYN-106] a range of time is refused where records don't say when they changed", () =>
  inWorkingWorld(async ({ service, person }) => {
    const from = "2026-01-02T00:00:00.000Z";
    await expect(service.startResync(person, ENTITY, { ...request, scope: "after", from })).rejects.toMatchObject({
      code: "validation_failed",
      errors: [{ path: "scope", message: expect.stringContaining("no watermark field") }],
    });
    expect((await service.stateOf(person, ENTITY)).resync).toBeNull();
  }));

test("[SYN-105] [SYN-140] a resync tells what differs before it writes, and writes nothing else", () =>
  inWorkingWorld(async (world) => {
    const { pool, service, person } = world;
    await manyContacts(world, PAGE);
    await world.startWorker();
    await converged(world, PAGE);
    // Changed where no cycle looks: only reading all again finds it.
    await pool.query("UPDATE outside.a SET name = 'changed' WHERE id IN (3, 7)");
    expect(await service.previewResync(person, ENTITY, request)).toMatchObject({ updated: 2, created: 0, deleted: 0 });
    const updates = () => count(world, `"i_${INSTANCE}".ledger WHERE operation = 'update'`);
    expect(await updates()).toBe(0);
    const { rows: before } = await pool.query("SELECT sum(writes) AS writes FROM outside.b");

    await service.startResync(person, ENTITY, request);
    await eventually("both names", async () => {
      const { rows } = await pool.query("SELECT count(*) FROM outside.b WHERE name = 'changed'");
      return Number(rows[0].count) === 2 ? true : undefined;
    });
    await eventually("its end", async () =>
      (await service.stateOf(person, ENTITY)).resync?.status === null ? true : undefined,
    );
    await converged(world, PAGE);
    const { rows: after } = await pool.query("SELECT sum(writes) AS writes FROM outside.b");
    expect(Number(after[0].writes) - Number(before[0].writes)).toBe(2);
    expect(await updates()).toBe(2);
  }));
