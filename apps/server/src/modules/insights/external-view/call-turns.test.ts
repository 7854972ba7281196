/** How many calls to products are under way at once, and who is let go while waiting. */
import type { Id } from "@accord/contracts";
import { expect, test } from "vitest";
import { CallerGoneError } from "../../../platform/http/request/caller-gone.ts";
import { CALL_TURNS, callTurns } from "./call-turns.ts";

const id = <Kind extends "instance" | "user">(digit: number) => String(digit).repeat(24) as Id<Kind>;
const placeOf = (instance: number, user: number, signal = new AbortController().signal) => ({
  ...{ instanceId: id<"instance">(instance), userId: id<"user">(user), signal },
});

/** Calls that end when they are released; how many are under way, by who made them. */
function startCalls(turns = callTurns()) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const underWay: string[] = [];
  const start = (instance: number, user: number, signal?: AbortSignal) =>
    turns.run(placeOf(instance, user, signal), async () => {
      underWay.push(`${instance} ${user}`);
      await released;
    });
  const running = (who: string) => underWay.filter((one) => one.startsWith(who)).length;
  return { start, release, running };
}

test("one person makes few calls at once, one instance more, and the others go on", async () => {
  const { start, release, running } = startCalls();
  const calls = [1, 2, 3, 4, 5].flatMap((user) => Array.from({ length: 10 }, () => start(1, user)));
  calls.push(start(2, 1));
  await Promise.resolve();
  expect(running("1 1")).toBe(CALL_TURNS.perPerson.atOnce);
  expect(running("1 ")).toBe(CALL_TURNS.perInstance.atOnce);
  expect(running("2 ")).toBe(1);
  release();
  await Promise.all(calls);
  expect(running("")).toBe(51);
});

test("more than may wait are refused at once", async () => {
  const { start, release } = startCalls();
  const { atOnce, waiting } = CALL_TURNS.perPerson;
  const calls = Array.from({ length: atOnce + waiting }, () => start(1, 1));
  await expect(start(1, 1)).rejects.toMatchObject({ code: "server_busy" });
  release();
  await Promise.all(calls);
});

test("who waits too long, or leaves, is let go without a call", async () => {
  const { start, release, running } = startCalls(callTurns({ ...CALL_TURNS, waitMs: 50 }));
  const calls = Array.from({ length: CALL_TURNS.perPerson.atOnce }, () => start(1, 1));
  const caller = new AbortController();
  const left = start(1, 1, caller.signal);
  caller.abort(new CallerGoneError());
  await expect(left).rejects.toBeInstanceOf(CallerGoneError);
  await expect(start(1, 1)).rejects.toMatchObject({ code: "server_busy" });
  release();
  await Promise.all(calls);
  expect(running("1 1")).toBe(CALL_TURNS.perPerson.atOnce);
});
