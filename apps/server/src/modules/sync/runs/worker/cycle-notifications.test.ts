/** What people learn of cycles. */
import type { Id } from "@accord/contracts";
import { expect, test } from "vitest";
import { cannotRunNews, type EndedCycle, notificationsOf } from "./cycle-notifications.ts";

type Change = Partial<Omit<EndedCycle, "summary">> & { summary?: Partial<EndedCycle["summary"]> };

const cycle = (change: Change): EndedCycle => ({
  instanceId: "000000000000000000000001" as Id<"instance">,
  entity: { id: "e", displayName: "Account" },
  cycleNumber: 7,
  stopped: null,
  isProbing: false,
  failedBefore: {},
  systemAt: () => "Billing",
  quarantined: null,
  ...change,
  summary: { outcome: "finished", problems: [], resync: null, failures: {}, ...change.summary },
});

test("a cycle that went well is no news", () => {
  expect(notificationsOf(cycle({}))).toEqual([]);
});

test("a pipeline that stopped is sent to those who look after it, with its reason and the way there", () => {
  const [told, ...others] = notificationsOf(cycle({ stopped: { message: "Billing can't be reached." } }));
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
  expect(notificationsOf(cycle({ stopped, isProbing: true }))).toEqual([]);
  expect(notificationsOf(cycle({ isProbing: true }))).toMatchObject([
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
  const news = notificationsOf(cycle({ summary: { problems: [problem, problem] } }));
  expect(news.map(({ message }) => message)).toEqual(["Account: more duplicates than allowed"]);
});

test("the end of a resync is news, its cancellation too, and each cycle of it has one subject", () => {
  const resync = { done: true } as NonNullable<EndedCycle["summary"]["resync"]>;
  expect(notificationsOf(cycle({ summary: { resync } }))).toMatchObject([
    { severity: "success", subject: "resync e 7" },
  ]);
  expect(notificationsOf(cycle({ summary: { outcome: "cancelled" } }))).toMatchObject([{ severity: "info" }]);
});

const failure = (code: string, attempts: number) => ({
  attempts,
  since: Date.parse("2026-01-02T03:04:05.000Z"),
  nextAt: 0,
  problem: { severity: "error" as const, nodeId: null, code, message: "The table is gone", detail: null },
});

test("a system that fails is told by its name and since when, once for each outage, and that it works again", () => {
  const failures = { 3: failure("notFound", 1) };
  const told = notificationsOf(cycle({ summary: { failures } }));
  expect(told).toMatchObject([
    {
      severity: "error",
      message: "Account: Billing fails",
      detail: "The table is gone. It fails since 2026-01-02 03:04 UTC and is tried again by itself.",
      link: "/sync-studio/details?panel=activity&activity=e&tab=problems",
    },
  ]);
  const later = notificationsOf(
    cycle({ cycleNumber: 8, failedBefore: failures, summary: { failures: { 3: failure("notFound", 2) } } }),
  );
  expect(
    later.map(({ subject }) => subject),
    "the same outage",
  ).toEqual(told.map(({ subject }) => subject));
  expect(notificationsOf(cycle({ failedBefore: failures }))).toMatchObject([
    { severity: "success", message: "Account: Billing works again" },
  ]);
});

test("a moment without an answer is no news, neither when it begins nor when it is over", () => {
  const once = { 3: failure("unreachable", 1) };
  expect(notificationsOf(cycle({ summary: { failures: once } }))).toEqual([]);
  expect(notificationsOf(cycle({ failedBefore: once }))).toEqual([]);
  expect(notificationsOf(cycle({ summary: { failures: { 3: failure("unreachable", 2) } } }))).toMatchObject([
    { severity: "warning" },
  ]);
});

test("records in quarantine are told once for as long as any waits", () => {
  const news = (count: number, cycleNumber: number) =>
    notificationsOf(cycle({ cycleNumber, quarantined: { count, oldestId: "q1" } }));
  expect(news(1, 7)).toMatchObject([
    {
      severity: "warning",
      message: "Account: a record is in quarantine",
      link: expect.stringContaining("tab=quarantine"),
    },
  ]);
  const [exact, bounded] = [10_000, 10_001].map((count) => news(count, 7)[0]?.message);
  expect([exact, bounded], "what is more was not counted").toEqual([
    "Account: 10000 records are in quarantine",
    "Account: 10,000+ records are in quarantine",
  ]);
  expect(news(3, 8).map(({ subject }) => subject)).toEqual(news(1, 7).map(({ subject }) => subject));
});

test("[PLT-093] whatever happens to a pipeline is sent to those who look after pipelines and to nobody else", () => {
  const problem = {
    severity: "warning",
    nodeId: null,
    code: "too_many_duplicates",
    message: "…",
    detail: null,
  } as const;
  const resync = { done: true } as NonNullable<EndedCycle["summary"]["resync"]>;
  const failures = { 3: failure("notFound", 1) };
  const all = [
    ...notificationsOf(
      cycle({
        stopped: { message: "Gone." },
        quarantined: { count: 2, oldestId: "q" },
        failedBefore: { 4: failure("notFound", 1) },
        summary: { problems: [problem], resync, failures },
      }),
    ),
    ...notificationsOf(cycle({ isProbing: true, summary: { outcome: "cancelled" } })),
    cannotRunNews(cycle({}), "It has no destination."),
  ];
  expect(all.map(({ subject }) => subject.split(" e ")[0])).toEqual([
    "stopped",
    "resync",
    "duplicates",
    "failing",
    "working",
    "quarantine",
    "goes on",
    "resync",
    "cannot run",
  ]);
  for (const { roles } of all) expect(roles).toEqual(["SYNC_MANAGER", "INSTANCE_ADMIN", "ORG_ADMIN", "SUPER_ADMIN"]);
});
