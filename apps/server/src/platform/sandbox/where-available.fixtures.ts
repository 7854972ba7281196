/** Tests of what runs in sandboxes: where the machine has none, each asserts that nothing is run and why is said. */
import { expect } from "vitest";
import { systemClock } from "../clock.ts";
import { makeSandbox, type Sandbox } from "./sandbox.ts";

export const sandbox: Sandbox = makeSandbox(systemClock);
/** The machine's own answer; never supposed. */
export const { isAvailable } = await sandbox.availability();

const NOTHING = {
  instanceId: "a",
  files: new Map([["x.mjs", new Uint8Array()]]),
  entry: "x.mjs",
  describeError: () => ({}),
};

async function expectRefusal(): Promise<void> {
  const { reason, fix } = await sandbox.availability();
  // The machine itself refuses, by what is missing or in bubblewrap's own words: anything else is a fault of ours.
  expect(reason).toMatch(/is not installed|kind of processor|\(bwrap: /);
  expect(fix).not.toBe("");
  await expect(sandbox.start(NOTHING)).rejects.toThrow(reason ?? "");
}

/** `work` where programs can run, else that they are refused. */
export const whereAvailable = <Case>(work: (given: Case) => Promise<void>): ((given: Case) => Promise<void>) =>
  isAvailable ? work : expectRefusal;
