/** A lost chunk is tried again with patience, then the page is reloaded once, then people are told. */
import { expect, test } from "vitest";
import { ChunkLoadError, loadChunk, loadUntilThere, MAX_TRIES, WAIT_MS, type ChunkHost } from "./lazy-screen.ts";

function host(stored: Record<string, string> = {}) {
  const kept = new Map(Object.entries(stored));
  const waits: number[] = [];
  const told = { reloads: 0 };
  const made: ChunkHost = {
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
    wait: (ms) => Promise.resolve(void waits.push(ms)),
    reload: () => {
      told.reloads += 1;
    },
  };
  return { made, waits, told, kept };
}

test("[PLT-139] a chunk is tried 45 times, 2 s apart, then the page reloads once, then the error is raised", async () => {
  const first = host();
  let tries = 0;
  const fail = () => {
    tries += 1;
    return Promise.reject(new Error("gone"));
  };
  void loadChunk(fail, first.made);
  await expect.poll(() => first.told.reloads).toBe(1);
  expect(first.waits).toEqual(Array.from({ length: MAX_TRIES }, () => WAIT_MS));
  expect(tries).toBe(MAX_TRIES + 1);

  const second = host(Object.fromEntries(first.kept));
  await expect(loadChunk(fail, second.made)).rejects.toBeInstanceOf(ChunkLoadError);
  expect(second.told.reloads).toBe(0);
});

test("a chunk that comes after all forgets the tries", async () => {
  const { made, kept } = host();
  let tries = 0;
  const loaded = await loadChunk(() => {
    tries += 1;
    return tries < 3 ? Promise.reject(new Error("gone")) : Promise.resolve({ ok: true });
  }, made);
  expect(loaded).toEqual({ ok: true });
  expect(kept.size).toBe(0);
});

test("what screens can do without for a while is tried until it comes, and no page is reloaded for it", async () => {
  const { made, waits, kept } = host();
  let tries = 0;
  const loaded = await loadUntilThere(() => {
    tries += 1;
    return tries < 60 ? Promise.reject(new Error("gone")) : Promise.resolve({ ok: true });
  }, made);
  expect(loaded).toEqual({ ok: true });
  expect(waits).toHaveLength(59);
  expect(waits.slice(0, 3)).toEqual([WAIT_MS, 2 * WAIT_MS, 4 * WAIT_MS]);
  expect(Math.max(...waits)).toBe(60_000);
  expect(kept.size).toBe(0);
});
