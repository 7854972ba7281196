/** Previews of a resync of many records: they keep none of them, and an instance has one at a time. */
import { runInNewContext } from "node:vm";
import { setFlagsFromString } from "node:v8";
import { setTimeout as sleep } from "node:timers/promises";
import type { ReadRequest } from "@accord/connector-sdk";
import { expect, test } from "vitest";
import { ENTITY } from "../../../../../test-kit/sync-world/sync-world.ts";
import {
  changingConnections,
  inWorkingWorld,
  type WorkingWorld,
} from "../../../../../test-kit/sync-world/working-world.ts";

const request = { scope: "all" as const, sourceEntityIds: ["source-a"] };

/** Calls back before each page of system `a`. */
const beforePages = (called: (request: ReadRequest) => Promise<void> | void) =>
  changingConnections("a", (connection) => ({
    ...connection,
    read: async (page) => (await called(page), connection.read(page)),
  }));

const contacts = ({ pool }: WorkingWorld, count: number, bytes: number) =>
  pool.query(
    `INSERT INTO outside.a (email, name) SELECT 'c' || i || '@example.com', repeat('x', $2) || i FROM generate_series(1, $1) i`,
    [count, bytes],
  );

test("a preview of a large source holds counts and samples, not what it has read", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const heap = new Map<number, number>();
  let pages = 0;
  const measure = (): void => {
    pages += 1;
    // What is made once, such as compiled code, is there by the tenth.
    if (pages !== 10 && pages !== 20) return;
    collectGarbage();
    heap.set(pages, process.memoryUsage().heapUsed);
  };
  await inWorkingWorld(async (world) => {
    await contacts(world, 1_000, 25_000);
    const preview = await world.service.previewResync(world.person, ENTITY, request);
    expect(preview).toMatchObject({ read: 1_000, created: 1_000, unchanged: 0, complete: true, problem: null });
    expect(preview.told["sink-b"]).toBe(1_000);
    expect(preview.samples).toHaveLength(20);
  }, beforePages(measure));
  const growth = (heap.get(20) ?? Number.NaN) - (heap.get(10) ?? Number.NaN);
  expect(growth, "bytes that ten pages of 1.25 MB each leave behind").toBeLessThan(6_000_000);
});

test("an instance has one preview at a time, and whoever leaves while waiting is not served", async () => {
  let reading = 0;
  let most = 0;
  const release = Promise.withResolvers<void>();
  const block = async (): Promise<void> => {
    most = Math.max(most, (reading += 1));
    await release.promise;
    reading -= 1;
  };
  await inWorkingWorld(async (world) => {
    await contacts(world, 3, 1);
    const { service, person } = world;
    const leaving = new AbortController();
    const previews = [1, 2].map(() => service.previewResync(person, ENTITY, request));
    const left = expect(service.previewResync(person, ENTITY, request, leaving.signal)).rejects.toThrow("left");
    await sleep(300);
    leaving.abort(new Error("left"));
    release.resolve();
    await left;
    expect((await Promise.all(previews)).map(({ created }) => created)).toEqual([3, 3]);
    expect(most).toBe(1);
  }, beforePages(block));
});
