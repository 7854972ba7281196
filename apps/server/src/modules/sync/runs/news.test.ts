/** What people hear of cycles. */
import type { Id } from "@accord/contracts";
import { expect, test } from "vitest";
import { type EndedCycle, newsOf } from "./news.ts";

type Change = Partial<Omit<EndedCycle, "summary">> & { summary?: Partial<EndedCycle["summary"]> };

const cycle = (change: Change): EndedCycle => ({
  instanceId: "000000000000000000000001" as Id<"instance">,
  entity: { id: "e", displayName: "Account" },
  cycleNumber: 7,
  stopped: null,
  isProbing: false,
  ...change,
  summary: { outcome: "finished", problems: [], resync: null, ...change.summary },
});

test("a cycle that went well is no news", () => {
  expect(newsOf(cycle({}))).toEqual([]);
});

test("a pipeline that stopped is told to those who look after it, with its reason and the way there", () => {
  const [told, ...others] = newsOf(cycle({ stopped: { message: "Billing can't be reached." } }));
  expect(others).toEqual([]);
  expect(told).toMatchObject({
    severity: "error",
    message: "Account stopped with an error",
    detail: "Billing can't be reached.",
    link: "/sync-studio/entity/e/pipeline/published/pipeline-error",
  });
  expect(told?.roles).not.toContain("VIEWER");
});

test("an outage is told when it stops a pipeline and when it is over, not at each look in between", () => {
  const stopped = { message: "Billing can't be reached." };
  expect(newsOf(cycle({ stopped, isProbing: true }))).toEqual([]);
  expect(newsOf(cycle({ isProbing: true }))).toMatchObject([
    { severity: "success", message: "Account goes on: its systems answer again" },
  ]);
});

test("more duplicates than allowed are told once for a cycle, however many records they concern", () => {
  const problem = {
    severity: "warning",
    nodeId: "core",
    code: "too_many_duplicates",
    message: "…",
    detail: null,
  } as const;
  const news = newsOf(cycle({ summary: { problems: [problem, problem] } }));
  expect(news.map(({ message }) => message)).toEqual(["Account: more duplicates than allowed"]);
});

test("the end of a resync is news, its cancellation too, and each cycle of it has one subject", () => {
  const resync = { done: true } as NonNullable<EndedCycle["summary"]["resync"]>;
  expect(newsOf(cycle({ summary: { resync } }))).toMatchObject([{ severity: "success", subject: "resync e 7" }]);
  expect(newsOf(cycle({ summary: { outcome: "cancelled" } }))).toMatchObject([{ severity: "info" }]);
});
