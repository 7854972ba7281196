/** Home puts what needs a person first. */
import { type Id, id } from "@accord/contracts";
import {
  type HealthFacts,
  isAwaitingFirstRun,
  isInAgreement,
  needsAttention,
  pipelineHealth,
  UNTROUBLED,
} from "@accord/sync-engine/lifecycle";
import { expect, test } from "vitest";
import { Transaction } from "@accord/contracts/sync/monitoring/transactions";
import { addressOf, firstSteps, groupChanges, openedVersion, shortCount, byUrgency } from "./home.model.ts";

const health = (change: Partial<HealthFacts>) => pipelineHealth({ ...UNTROUBLED, ...change });
const row = (name: string, change: Partial<HealthFacts>) => ({ name, health: health(change) });
const quarantined = [{ nodeId: null, count: 1 }];

test("pipelines in trouble come first, unpublished ones not at all", () => {
  const rows = [
    row("C", { status: "PAUSED" }),
    row("B", {}),
    row("D", { status: "UNPUBLISHED" }),
    row("A", { quarantined }),
    row("E", { stopped: "flood", status: "ERROR" }),
  ];
  expect(byUrgency(rows).map(({ name }) => name)).toEqual(["E", "A", "C", "B"]);
  expect(rows.filter(needsAttention).map(({ name }) => name)).toEqual(["E"]);
  expect(rows.filter(isInAgreement).map(({ name }) => name)).toEqual(["B"]);
  expect([row("F", { status: "QUEUED" }), row("B", {})].map(isAwaitingFirstRun)).toEqual([true, false]);
});

test("a count of pipelines leads to them: one is opened as it is published, several are the table of exactly those", () => {
  const counted = (digit: string) => ({
    id: id("entity").parse(digit.repeat(24)),
    pipelineStatus: "PUBLISHED" as const,
  });
  const [warned, paused] = [counted("a"), counted("b")];
  expect(addressOf([], "apart")).toEqual({ to: "/sync-studio/details", search: {} });
  expect(addressOf([warned], "apart")).toEqual({
    to: `/sync-studio/entity/${warned.id}/pipeline/published`,
    search: {},
  });
  expect(addressOf([warned, paused], "apart")).toEqual({ to: "/sync-studio/details", search: { agreement: "apart" } });
  expect(openedVersion({ pipelineStatus: "PUBLISHED_WITH_DRAFT" })).toBe("draft");
});

test("large counts are shortened, exact ones kept readable", () => {
  expect(shortCount(20_855)).toBe("20,855");
  expect(shortCount(1_234_567)).toBe("1.2M");
});

const hex = (digit: string) => digit.repeat(24);
const change = (id: string, more: object = {}) =>
  Transaction.parse({
    id: hex(id),
    at: "2026-03-10T12:00:00.000Z",
    entityId: hex("e"),
    recordId: hex(id),
    operation: "update",
    actor: { kind: "source", connectorId: hex("c"), connectorEntity: "company", externalId: id },
    cycleId: hex("f"),
    versionNumber: 1,
    changes: [],
    refused: [],
    ...more,
  });

test("what a cycle did to many records is one line, and a person's repair beneath it stays in sight", () => {
  const user = { actor: { kind: "user", userId: "u", name: "Ana" }, cycleId: null };
  const groups = groupChanges([change("1"), change("2"), change("3", { operation: "create" }), change("4", user)], 8);
  expect(groups.map(({ newest, records }) => [newest.operation, newest.actor.kind, records])).toEqual([
    ["update", "source", 2],
    ["create", "source", 1],
    ["update", "user", 1],
  ]);
  expect(groupChanges([change("4", user), change("5", user)], 8)).toHaveLength(2);
});

test("the first steps lead on from what is there already", () => {
  const id = "0123456789abcdef01234567" as Id<"entity">;
  const statesOf = (...given: Parameters<typeof firstSteps>) => firstSteps(...given).map(({ state }) => state);
  expect(statesOf([], [{ id, pipelineStatus: "UNMAPPED" }])).toEqual(["next", "later", "later"]);
  expect(statesOf([{ status: "ACTIVE" }], [])).toEqual(["done", "next", "later"]);
  expect(statesOf([], [{ id, pipelineStatus: "DRAFT" }])).toEqual(["next", "done", "later"]);
  const ready = firstSteps([{ status: "ACTIVE" }], [{ id, pipelineStatus: "DRAFT" }]);
  expect(ready.at(-1)).toEqual({ id: "publish", state: "next", to: `/sync-studio/entity/${id}/pipeline/draft` });
});
