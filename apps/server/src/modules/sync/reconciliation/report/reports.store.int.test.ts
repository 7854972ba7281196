/** Reconciliations that wait take turns by instance; pages of what they found have as many rows as fit. */
import type { Value } from "@accord/contracts/data/values";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { testApp } from "../../../../../test-kit/test-app.ts";
import { systemClock } from "../../../../platform/clock.ts";
import { makeNewId } from "../../../../platform/ids.ts";
import { SEALED_VALUE_PREFIX } from "../../../../platform/secrets/secrets.ts";
import { reportsStore } from "./reports.store.ts";

const found = (field: string, outsideValue: Value, coreValue: Value) => ({
  kind: "different" as const,
  reason: "unexplained" as const,
  externalId: "a",
  recordId: null,
  field,
  connectorField: null,
  outsideValue,
  coreValue,
  signature: null,
  isUnread: false,
  isAtSink: false,
});

test("one of an instance with none under way goes first, and one of another than those that a worker is at", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const newId = makeNewId(systemClock);
  const reports = reportsStore(database.data.pool);
  const [many, few] = [newId<"instance">(), newId<"instance">()];
  for (const instanceId of [many, many, many, few])
    await reports.add({ id: newId(), instanceId, pipelineId: newId(), versionNumber: 1, requestedBy: "Ada" });
  const next = async (except: readonly string[] = []) =>
    (await reports.acquire("worker", { except }))?.instanceId ?? null;
  expect(await next()).toBe(many);
  expect(await next([many, few])).toBeNull();
  expect(await next()).toBe(few);
  expect(await next([many])).toBeNull();
  expect(await next()).toBe(many);
});

test("a difference larger than a page ends it, with its values cut and nothing of a sealed one", async () => {
  const t = await testApp();
  const reports = reportsStore(t.deps.dataPool, t.deps.dataReads);
  const key = { instanceId: t.instanceId, pipelineId: t.deps.newId<"entity">(), id: t.deps.newId<"reconciliation">() };
  const large = "x".repeat(9_000_000);
  const sealed = `${SEALED_VALUE_PREFIX}${"y".repeat(9_000_000)}`;
  const differences = [found("first", "small", 1), found("second", large, sealed), found("third", "small", 3)];
  await reports.addDifferences(key, 1, differences);
  const pageFrom = (from: string | null, direction: "next" | "previous" = "next") =>
    reports.differences(key, {}, { from, direction, count: 10 });
  const first = await pageFrom(null);
  const shownOf = ({ rows }: typeof first) => rows.map((row) => [row.field, row.outsideValue, row.coreValue]);
  const second = [
    "second",
    `${"x".repeat(1_000)}… (9000000 bytes)`,
    `… (${SEALED_VALUE_PREFIX.length + 9_000_000} bytes)`,
  ];
  // The row that goes over the page is the last of it.
  expect(shownOf(first)).toEqual([["first", "small", 1], second]);
  expect(first.isMore).toBe(true);
  const last = await pageFrom(first.rows.at(-1)?.number ?? null);
  expect(shownOf(last)).toEqual([["third", "small", 3]]);
  expect(last.isMore).toBe(false);
  expect(shownOf(await pageFrom(last.rows[0]?.number ?? null, "previous"))).toEqual([second]);
  const chosen = await reports.chosen(key, { kind: "different", reason: "unexplained" });
  expect(chosen.map(({ field }) => field)).toEqual(["first", "second", "third"]);
});

test("a text with characters that the database can't keep is reported as it can be shown", async () => {
  const t = await testApp();
  const reports = reportsStore(t.deps.dataPool, t.deps.dataReads);
  const key = { instanceId: t.instanceId, pipelineId: t.deps.newId<"entity">(), id: t.deps.newId<"reconciliation">() };
  await reports.addDifferences(key, 1, [
    { ...found("name", "a\0b", { deep: ["\ud800"] }), externalId: "x\0" },
    found("note", "whole", null),
  ]);
  const { rows } = await reports.differences(key, {}, { from: null, direction: "next", count: 10 });
  expect(rows.map(({ externalId, outsideValue, coreValue }) => [externalId, outsideValue, coreValue])).toEqual([
    ["x\uFFFD", "a\uFFFDb", { deep: ["\uFFFD"] }],
    ["a", "whole", null],
  ]);
});
