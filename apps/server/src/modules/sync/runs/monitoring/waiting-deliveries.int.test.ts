/** What "to send" leads to, while a pipeline runs: the records that wait, with what they wait for. */
import { type Connection, ConnectorError, type WriteOutcome } from "@accord/connector-sdk";
import { expect, test } from "vitest";
import { ENTITY } from "../../../../../test-kit/sync-world/sync-world.ts";
import {
  changingConnections,
  eventually,
  inWorkingWorld,
  type WorkingWorld,
} from "../../../../../test-kit/sync-world/working-world.ts";

/** What destination `b` does with a write, changed by each test; null takes it. */
interface Trouble {
  answer: (() => WriteOutcome) | null;
}

const inTrouble = (now: Trouble) =>
  changingConnections("b", (connection) => ({ ...connection, write: writing(connection, now) }));

const writing =
  (connection: Connection, now: Trouble): NonNullable<Connection["write"]> =>
  async (request) => {
    const { answer } = now;
    return answer ? request.operations.map(answer) : ((await connection.write?.(request)) ?? []);
  };

const FIRST = { count: 50, direction: "next" } as const;
const listed = ({ service, person }: WorkingWorld, query: object = {}) =>
  service.waitingDeliveries(person, ENTITY, { ...FIRST, ...query });

/** The list, once it is as asked for. */
const until = (world: WorkingWorld, isThere: (list: Awaited<ReturnType<typeof listed>>) => boolean) =>
  eventually("the list", async () => {
    const list = await listed(world);
    return isThere(list) ? list : undefined;
  });

test("what a failing system is yet to be sent is listed, as many as its health counts, until it has it", async () => {
  const now: Trouble = {
    answer: () => {
      throw new ConnectorError("notFound", "The table contacts is gone.");
    },
  };
  await inWorkingWorld(async (world) => {
    for (const name of ["ada", "bob", "cid"]) await world.addOutside("a", `${name}@example.com`, name);
    await world.startWorker();
    const { deliveries, destinations } = await until(
      world,
      ({ deliveries: all }) => all.length === 3 && all.every(({ waitsFor }) => waitsFor === "system"),
    );
    expect(deliveries[0]).toMatchObject({
      nodeId: "sink-b",
      connectorId: "b",
      connectorEntity: "contact",
      externalId: null,
      attempts: expect.any(Number),
      lastError: "The table contacts is gone.",
    });
    expect(new Set(deliveries.map(({ recordName }) => recordName))).toEqual(
      new Set(["ada@example.com", "bob@example.com", "cid@example.com"]),
    );
    expect(deliveries.every(({ since }) => since !== null)).toBe(true);
    expect(destinations).toMatchObject([{ nodeId: "sink-b", name: expect.any(String), count: 3 }]);
    const { health } = await world.service.stateOf(world.person, ENTITY);
    expect(health?.reasons).toContainEqual(
      expect.objectContaining({ message: "waiting", count: 3, nodeId: "sink-b", tab: "waiting" }),
    );
    expect((await listed(world, { nodeId: "sink-a" })).deliveries).toEqual([]);

    await world.service.pause(world.person, ENTITY);
    const paused = await until(world, ({ deliveries: all }) => all.every(({ waitsFor }) => waitsFor === "pause"));
    expect(paused.deliveries.map(({ nextTryAt }) => nextTryAt)).toEqual([null, null, null]);

    now.answer = null;
    await world.service.resume(world.person, ENTITY);
    await until(world, ({ deliveries: all }) => all.length === 0);
  }, inTrouble(now));
});

test("a record that its system takes later says what that answered, and when it is tried again", async () => {
  const now: Trouble = {
    answer: () => ({ status: "rejected", code: "locked", message: "The record is locked.", isTransient: true }),
  };
  await inWorkingWorld(async (world) => {
    await world.addOutside("a", "ada@example.com", "ada");
    await world.startWorker();
    const { deliveries } = await until(world, ({ deliveries: [one] }) => one?.waitsFor === "retry");
    expect(deliveries).toMatchObject([{ recordName: "ada@example.com", lastError: "The record is locked." }]);
    expect(Date.parse(deliveries[0]?.nextTryAt ?? "")).toBeGreaterThan(Date.now() - 1_000);
    expect(deliveries[0]?.attempts).toBeGreaterThan(0);
    now.answer = null;
    await until(world, ({ deliveries: all }) => all.length === 0);
  }, inTrouble(now));
});

test("a cursor that is none of the list's is refused by name", async () => {
  await inWorkingWorld(async (world) => {
    await expect(listed(world, { cursor: "1.2" })).rejects.toMatchObject({ errors: [{ path: "cursor" }] });
  });
});
