/** What a pipeline's health says of trouble that stands, on real storage: no good cycle takes it back, its repair does. */
import { type Connection, ConnectorError } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import type { RefusedValue } from "@accord/contracts/sync/monitoring/refused-values";
import { stateTags } from "@accord/sync-engine/lifecycle";
import { contactFields } from "@accord/sync-simulation";
import { expect, test } from "vitest";
import { ENTITY, INSTANCE } from "../../../../../test-kit/sync-world/sync-world.ts";
import {
  changingConnections,
  eventually,
  inWorkingWorld,
  type WorkingWorld,
} from "../../../../../test-kit/sync-world/working-world.ts";
import type { RunsDependencies } from "../worker/plans.ts";

const TABLE = `"i_${INSTANCE}"."r_Contact"`;

/** What is wrong outside, changed by the story. */
interface Trouble {
  /** Destination `b` refuses everything. */
  isGone: boolean;
  /** E-mail of a record that `b` refuses. */
  refused: string | null;
  /** Destination `b` takes no calls for this long, milliseconds. */
  limitedMs: number | null;
  /** Destination `b` answers only once this is over. */
  silence: Promise<void> | null;
  told: string[];
}

const trouble = (): Trouble => ({ isGone: false, refused: null, limitedMs: null, silence: null, told: [] });

function troubled(connection: Connection, now: Trouble): Connection {
  return {
    ...connection,
    async write(request) {
      if (now.isGone) throw new ConnectorError("notFound", "The table contacts is gone.");
      if (now.limitedMs !== null)
        throw new ConnectorError("rateLimited", "Too many requests.", { retryAfterMs: now.limitedMs, neverSent: true });
      await now.silence;
      const isBad = (operation: (typeof request.operations)[number]): boolean =>
        operation.kind !== "delete" && now.refused !== null && operation.values["email"] === now.refused;
      const good = request.operations.filter((operation) => !isBad(operation));
      const outcomes = (good.length > 0 ? await connection.write?.({ ...request, operations: good }) : undefined) ?? [];
      return request.operations.map((operation) =>
        isBad(operation)
          ? { status: "rejected" as const, code: "check_failed", message: "The e-mail is not accepted." }
          : (outcomes[good.indexOf(operation)] ?? { status: "retry" as const, message: "no outcome" }),
      );
    },
  };
}

const inTrouble =
  (now: Trouble) =>
  (needs: RunsDependencies): RunsDependencies => ({
    ...changingConnections("b", (connection) => troubled(connection, now))(needs),
    notify: async ({ message }) => void now.told.push(message),
  });

const healthOf = async ({ service, person }: WorkingWorld) => {
  const { health } = await service.stateOf(person, ENTITY);
  if (!health) throw new Error("a published pipeline has a health");
  return health;
};
const until = (world: WorkingWorld, state: string) =>
  eventually(`health ${state}`, async () => {
    const health = await healthOf(world);
    return health.state === state ? health : undefined;
  });

/** A cycle that changed something and met no trouble. */
async function goodCycle(world: WorkingWorld, email: string): Promise<void> {
  await world.addOutside("a", email, "good");
  await eventually(`${email} at its destination`, async () => {
    const { rows } = await world.pool.query("SELECT FROM outside.b WHERE email = $1", [email]);
    return rows.length === 1 ? true : undefined;
  });
  const { rows } = await world.pool.query("SELECT cycle_number FROM sync_pipeline");
  await eventually("the cycle after it", async () => {
    const now = await world.pool.query("SELECT cycle_number, owner FROM sync_pipeline");
    const isOver = Number(now.rows[0].cycle_number) > Number(rows[0].cycle_number) + 1 && now.rows[0].owner === null;
    return isOver ? true : undefined;
  });
}

async function startInAgreement(world: WorkingWorld) {
  await world.startWorker();
  await goodCycle(world, "first@example.com");
  return until(world, "IN_AGREEMENT");
}

test("records in quarantine count as a warning for as long as they wait, whatever later cycles did", async () => {
  const now = { ...trouble(), refused: "bad@example.com" };
  await inWorkingWorld(async (world) => {
    const { service, person } = world;
    expect(await startInAgreement(world)).toMatchObject({ severity: "ok", reasons: [] });

    await world.addOutside("a", "bad@example.com", "bad");
    const health = await until(world, "QUARANTINED");
    expect(health).toMatchObject({ severity: "warning", counts: { quarantined: 1 } });
    expect(health.reasons[0]).toMatchObject({ message: "quarantined", count: 1, tab: "quarantine", nodeId: "sink-b" });
    await goodCycle(world, "second@example.com");
    await goodCycle(world, "third@example.com");
    expect(await healthOf(world)).toMatchObject({ state: "QUARANTINED", counts: { quarantined: 1 } });
    const state = await service.stateOf(person, ENTITY);
    expect(state).toMatchObject({ warningCount: 1, quarantined: 1 });
    expect((await service.errors(person, ENTITY, {})).warnings).toMatchObject([
      {
        ...{ nodeId: "sink-b", code: "check_failed", errorMessage: "The e-mail is not accepted.", count: 1 },
        listedIn: "quarantine",
      },
    ]);
    expect(now.told.filter((message) => message.includes("quarantine"))).toEqual([
      "Contact: a record is in quarantine",
    ]);

    const { entries, causes } = await service.quarantine(person, ENTITY, { count: 10, direction: "next" });
    expect(entries).toMatchObject([{ recordName: "bad@example.com", code: "check_failed" }]);
    expect(causes).toMatchObject([{ code: "check_failed", count: 1, message: "The e-mail is not accepted." }]);
    await service.dismiss(person, ENTITY, { ids: entries.map(({ id }) => id) });
    await until(world, "IN_AGREEMENT");
    expect((await service.errors(person, ENTITY, {})).warnings).toEqual([]);
    expect((await service.stateOf(person, ENTITY)).warningCount).toBe(0);
  }, inTrouble(now));
});

test("a destination that refuses everything is named with its words and since when, and no more once it works", async () => {
  const now = trouble();
  await inWorkingWorld(async (world) => {
    await world.startWorker();
    await goodCycle(world, "first@example.com");
    now.isGone = true;
    const before = Date.now();
    await world.addOutside("a", "second@example.com", "second");
    const health = await until(world, "FAILING");
    expect(health).toMatchObject({ severity: "error", counts: { failing: 1 } });
    expect(health.reasons[0]).toMatchObject({
      message: "systemFailing",
      nodeId: "sink-b",
      connectorId: "b",
      facts: { system: "b", reason: "The table contacts is gone." },
    });
    expect(Date.parse(health.reasons[0]?.since ?? "")).toBeGreaterThan(before - 60_000);
    await eventually("the time of its next try", async () => {
      const nextTryAt = (await healthOf(world)).reasons[0]?.nextTryAt;
      return nextTryAt !== undefined && Date.parse(nextTryAt) > before ? true : undefined;
    });
    expect(
      health.reasons.map(({ state }) => state),
      "what waits behind it is counted too",
    ).toContain("WAITING");
    await eventually("word of it", async () => (now.told.length > 0 ? true : undefined));

    now.isGone = false;
    await world.service.runNow(world.person, ENTITY);
    await until(world, "IN_AGREEMENT");
    await eventually("both words", async () => (now.told.length > 1 ? true : undefined));
    expect(now.told).toEqual(["Contact: b fails", "Contact: b works again"]);
  }, inTrouble(now));
});

/** Read page by page, one record on each. */
async function listRefused({ service, person }: WorkingWorld): Promise<RefusedValue[]> {
  const found: RefusedValue[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { values, page } = await service.refusedValues(person, ENTITY, { count: 1, direction: "next", cursor });
    found.push(...values);
    cursor = page.nextCursor;
  }
  return found;
}

const phonesAreNumbers = (needs: RunsDependencies): RunsDependencies => ({
  ...needs,
  schema: {
    ...needs.schema,
    async getEntity(at, entityId) {
      const entity = await needs.schema.getEntity(at, entityId);
      const fields = (entity?.fields ?? []).map((field) =>
        field.apiName === "phone" ? { ...field, dataType: "integer" as const } : field,
      );
      return entity && { ...entity, fields };
    },
  },
});

test("a refused value stands until it is fixed there, also where that makes no change in the core", async () => {
  await inWorkingWorld(async (world) => {
    const { pool, service, person } = world;
    await pool.query(`ALTER TABLE ${TABLE} ALTER COLUMN phone TYPE bigint USING NULL`);
    const add = (email: string, phone: string) =>
      pool.query("INSERT INTO outside.a (email, name, phone) VALUES ($1, 'N', $2)", [email, phone]);
    const fix = (email: string, phone: string | null) =>
      pool.query("UPDATE outside.a SET phone = $2, change = nextval('outside.change') WHERE email = $1", [
        email,
        phone,
      ]);
    await add("a@example.com", "twelve");
    await add("b@example.com", "thirteen");
    await world.startWorker();
    const first = await until(world, "REFUSED");
    expect(first.counts.refused).toBe(2);
    expect(first.reasons[0]).toMatchObject({ message: "refused", count: 2, tab: "refused", nodeId: "source-a" });
    const [newest, oldest] = await listRefused(world);
    expect(new Set([newest?.value, oldest?.value])).toEqual(new Set(["twelve", "thirteen"]));
    expect(newest).toMatchObject({ nodeId: "source-a", connectorId: "a", connectorEntity: "contact", field: "phone" });
    expect(new Set([newest?.recordName, oldest?.recordName])).toEqual(new Set(["a@example.com", "b@example.com"]));
    await add("c@example.com", "14");
    await eventually("the good record", async () => {
      const { rows } = await pool.query(`SELECT FROM ${TABLE} WHERE phone = 14`);
      return rows.length === 1 ? true : undefined;
    });
    expect(await healthOf(world)).toMatchObject({ state: "REFUSED", severity: "warning", counts: { refused: 2 } });
    expect((await service.errors(person, ENTITY, {})).warnings).toMatchObject([
      { nodeId: "source-a", targetId: "phone", code: "not_convertible", count: 2 },
    ]);

    await fix("a@example.com", "12");
    await eventually("one of them", async () => ((await healthOf(world)).counts.refused === 1 ? true : undefined));
    expect((await listRefused(world)).map(({ value }) => value)).toEqual(["thirteen"]);
    // Nothing in the core changes by that.
    await fix("b@example.com", null);
    await eventually("none of them", async () => ((await healthOf(world)).counts.refused === 0 ? true : undefined));
    await until(world, "IN_AGREEMENT");
    expect((await service.errors(person, ENTITY, {})).warnings).toEqual([]);
  }, phonesAreNumbers);
});

test("a refused value stands while others of its record are written to its system, and ends when it is fixed there", async () => {
  await inWorkingWorld(async (world) => {
    const { pool } = world;
    await pool.query(`ALTER TABLE ${TABLE} ALTER COLUMN phone TYPE bigint USING NULL`);
    const change = (system: "a" | "b", set: string) =>
      pool.query(`UPDATE outside.${system} SET ${set}, change = nextval('outside.change')`);
    const confirmed = (name: string) =>
      eventually(`${name} as read in a`, async () => {
        const { rows } = await pool.query(
          `SELECT FROM outside.a o JOIN "i_${INSTANCE}".link l ON l.external_id = o.id::text
           WHERE o.name = $1 AND l.place = (SELECT number FROM "i_${INSTANCE}".place WHERE connector_id = 'a')
             AND l.seen_at > l.told_at AND NOT EXISTS (SELECT FROM "i_${INSTANCE}".delivery)`,
          [name],
        );
        return rows.length === 1 ? true : undefined;
      });
    await pool.query("INSERT INTO outside.a (email, name, phone) VALUES ('a@example.com', 'N', 'twelve')");
    await world.startWorker();
    expect((await until(world, "REFUSED")).counts.refused).toBe(1);
    for (const name of ["Ada", "Ada King"]) {
      await eventually("the record in b", async () => {
        const { rowCount } = await change("b", `name = '${name}'`);
        return rowCount === 1 ? true : undefined;
      });
      await confirmed(name);
      expect(await healthOf(world), name).toMatchObject({ state: "REFUSED", counts: { refused: 1 } });
    }
    await change("a", "phone = NULL");
    await eventually("none", async () => ((await healthOf(world)).counts.refused === 0 ? true : undefined));
    await until(world, "IN_AGREEMENT");
  }, phonesAreNumbers);
});

/** What `a` calls note is the core's phone, and the other way round. */
function swappedInA(needs: RunsDependencies): RunsDependencies {
  const swapped: Record<string, string> = { phone: "note", note: "phone" };
  const swap = async (version: ReturnType<RunsDependencies["pipelines"]["publishedVersion"]>) => {
    const published = await version;
    const nodes = published?.graph.nodes.map((node) =>
      node.configuration["connectorId"] !== "a"
        ? node
        : {
            ...node,
            configuration: {
              ...node.configuration,
              fieldMappings: contactFields.map(({ apiName }) => ({
                coreField: apiName,
                connectorField: swapped[apiName] ?? apiName,
              })),
            },
          },
    );
    return published && nodes ? { ...published, graph: { ...published.graph, nodes } } : published;
  };
  const { publishedVersion, versionById } = needs.pipelines;
  return {
    ...needs,
    pipelines: {
      ...needs.pipelines,
      publishedVersion: (...asked) => swap(publishedVersion(...asked)),
      versionById: async (...asked) => (await swap(versionById(...asked))) ?? null,
    },
  };
}

test("a refused value that is fixed in Accord stands no more, and no other does, where its system names the fields otherwise", async () => {
  await inWorkingWorld(
    async (world) => {
      const { pool, service } = world;
      await pool.query(`ALTER TABLE ${TABLE} ALTER COLUMN phone TYPE bigint USING NULL`);
      await pool.query("INSERT INTO outside.a (email, name, phone, note) VALUES ('a@example.com', 'N', 'x', 'twelve')");
      await world.startWorker();
      expect((await until(world, "REFUSED")).counts.refused).toBe(1);
      expect(await listRefused(world)).toMatchObject([{ field: "phone", value: "twelve", nodeId: "source-a" }]);
      const { rows } = await pool.query(`SELECT accord_id FROM ${TABLE}`);
      const enter = async (values: Values): Promise<void> => {
        const change = { kind: "update" as const, recordId: rows[0].accord_id, values };
        const actor = { userId: "u", name: "Ada" };
        await service.applyManualChange({ instanceId: INSTANCE, entityId: ENTITY, actor, changes: [change] });
      };
      const inA = (what: string, condition: string) =>
        eventually(what, async () => {
          const { rowCount } = await pool.query(
            `SELECT FROM outside.a WHERE ${condition} AND NOT EXISTS (SELECT FROM "i_${INSTANCE}".delivery)`,
          );
          return rowCount === 1 ? true : undefined;
        });
      await enter({ note: "another" });
      await inA("the other field", "phone = 'another'");
      expect(await healthOf(world)).toMatchObject({ state: "REFUSED", counts: { refused: 1 } });
      expect(await listRefused(world)).toHaveLength(1);
      await enter({ phone: "12" });
      await inA("the fix", "note = '12'");
      await eventually("none", async () => ((await healthOf(world)).counts.refused === 0 ? true : undefined));
      expect(await listRefused(world)).toEqual([]);
    },
    (needs) => swappedInA(phonesAreNumbers(needs)),
  );
});

test("a pipeline whose system takes minutes is late by them, in health and in the table, and well again once it answers", async () => {
  const slow = { isSlow: false, release: () => {} };
  const slowReads = changingConnections("a", (connection) => ({
    ...connection,
    async read(request) {
      if (slow.isSlow) await new Promise<void>((resolve) => (slow.release = resolve));
      return connection.read(request);
    },
  }));
  await inWorkingWorld(async (world) => {
    const { pool, service, person } = world;
    await startInAgreement(world);
    slow.isSlow = true;
    await eventually("a cycle that waits for its system", async () => {
      const { rows } = await pool.query(
        "SELECT FROM sync_pipeline WHERE owner IS NOT NULL AND due_at < now() - interval '2 seconds'",
      );
      return rows.length === 1 ? true : undefined;
    });
    // As if it had waited for minutes already.
    await pool.query("UPDATE sync_pipeline SET due_at = now() - interval '7 minutes 5 seconds'");
    const health = await until(world, "LAGGING");
    expect(health).toMatchObject({ severity: "warning" });
    expect(health.reasons[0]).toMatchObject({ message: "lagging", tab: "cycles", facts: { count: 7 } });
    const state = await service.stateOf(person, ENTITY);
    expect(stateTags({ syncStatus: state.status, health: state.health, resyncDetails: state.resync })).toEqual([
      "Running",
      "Warning",
    ]);
    slow.isSlow = false;
    slow.release();
    await until(world, "IN_AGREEMENT");
  }, slowReads);
});

test("a system that does not answer is waited for, and the pipeline is in agreement only once it has answered", async () => {
  const now = trouble();
  await inWorkingWorld(async (world) => {
    await startInAgreement(world);
    const { promise, resolve } = Promise.withResolvers<void>();
    now.silence = promise;
    const before = Date.now();
    await world.addOutside("a", "second@example.com", "second");
    const reason = await eventually("the silence", async () =>
      (await healthOf(world)).reasons.find(({ message }) => message === "systemSlow"),
    );
    expect(reason).toMatchObject({ state: "WAITING", connectorId: "b", facts: { system: "b" } });
    expect(Date.parse(reason.since ?? "")).toBeGreaterThanOrEqual(before);
    await world.pool.query("UPDATE sync_pipeline SET lease_until = now() - interval '1 minute'");
    expect((await healthOf(world)).reasons, "of a worker that is no more").not.toContainEqual(reason);
    resolve();
    now.silence = null;
    await until(world, "IN_AGREEMENT");
  }, inTrouble(now));
});

test("a system that takes no calls for now is named with when it is asked again", async () => {
  const now = trouble();
  await inWorkingWorld(async (world) => {
    await startInAgreement(world);
    now.limitedMs = 20_000;
    await world.addOutside("a", "second@example.com", "second");
    const reason = await eventually("the limit", async () =>
      (await healthOf(world)).reasons.find(({ message }) => message === "systemLimited"),
    );
    expect(reason).toMatchObject({ state: "WAITING", connectorId: "b", facts: { system: "b" } });
    now.limitedMs = null;
    await until(world, "IN_AGREEMENT");
  }, inTrouble(now));
});
