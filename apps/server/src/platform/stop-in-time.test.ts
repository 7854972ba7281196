/** A part that hangs delays the end of the server by its time limit alone. */
import { expect, test } from "vitest";
import { stopInTime } from "./stop-in-time.ts";
import { makeLog } from "./log/log.ts";

const log = makeLog({ logLevel: "silent" });

test("a part that never stops is given up after its time limit", async () => {
  await stopInTime("pool", () => new Promise(() => {}), { log, limitMs: 10 });
});

test("a part that stops is waited for, and its failure is the caller's", async () => {
  let stopped = false;
  await stopInTime("pool", async () => void (stopped = true), { log });
  expect(stopped).toBe(true);
  await expect(stopInTime("pool", () => Promise.reject(new Error("torn")), { log })).rejects.toThrow("torn");
});
