/** What a handler rule is, and what several of them need. */
import { type Id } from "@accord/contracts";
import { expect } from "vitest";
import { type Answer } from "./caller.ts";
import type { Place, TestApp } from "./test-app.ts";

export interface HandlerRule {
  name: string;
  /** Broken, it takes away what belongs to others: not to be tried where anything else still needs it. */
  isDestructive?: true;
  /** @throws Error when the rule is not kept. */
  check(t: TestApp): Promise<void>;
}

export async function refused(answer: Promise<Answer>, code: string): Promise<void> {
  expect((await answer).body).toMatchObject({ code });
}

export const insertNode = (t: TestApp, instanceId: Id<"instance">): Place => ({
  organisationId: t.organisationId,
  instanceId,
});

export const elsewhere = async (t: TestApp): Promise<Place> => insertNode(t, await t.build.instance());
