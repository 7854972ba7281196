/** Records to take before a cycle begins are asked for by id: as they stand now, within bounded time, and never in vain. */
import type { Connection, SourceRecord } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import { expect, test } from "vitest";
import { AppError } from "../../../../platform/http/app-error.ts";
import { backAgain, refreshReplays } from "./refresh-replays.ts";
import type { CompiledPipeline } from "../worker/plans.ts";

const INSTANCE = "0123456789abcdef01234567" as Id<"instance">;
const PLACE = 1;
const pipelineWith = (capabilities: string[]) =>
  ({
    plan: { places: new Map([[PLACE, { connectorId: "c", readFields: ["name"] }]]) },
    entities: new Map([[PLACE, { schema: {}, capabilities }]]),
    seals: { at: () => ({ seals: { openAll: (values: unknown) => values } }) },
  }) as unknown as CompiledPipeline;
const PIPELINE = pipelineWith(["getById"]);

const kept = (id: string, deleted = false): SourceRecord => ({ id, values: {}, ...(deleted ? { deleted } : {}) });

/** The place holds `there`, and takes `delayMs` for each id. */
function place(there: readonly string[], delayMs = 0) {
  const asked: string[] = [];
  const getByIds: Connection["getByIds"] = async ({ ids }) => {
    asked.push(...ids);
    await new Promise((resolve) => setTimeout(resolve, delayMs * ids.length));
    return ids.filter((id) => there.includes(id)).map((id) => ({ id, values: { name: "now" } }));
  };
  const openConnection = async () => ({ getByIds, close: async () => {} }) as unknown as Connection;
  return { asked, needs: { connectors: { openConnection } } as unknown as Parameters<typeof refreshReplays>[0] };
}

test("what was found to be gone is asked for once more, and is not gone where it is there", async () => {
  const { needs } = place(["1", "2"]);
  const replays = new Map([[PLACE, [kept("1"), kept("2", true), kept("3", true), kept("4")]]]);
  const fresh = await refreshReplays(needs, INSTANCE, PIPELINE, replays);
  expect(fresh.get(PLACE)?.map(({ id, deleted }) => [id, deleted === true])).toEqual([
    ["1", false],
    ["2", false],
    ["3", true],
    ["4", true],
  ]);
  expect(backAgain(replays, fresh)).toEqual(new Map([[PLACE, ["2"]]]));
});

test("a slow place is asked for what fits before the cycle, and the rest is left to the next one", async () => {
  const all = Array.from({ length: 1000 }, (_, index) => kept(String(index)));
  const { needs, asked } = place([], 60);
  const fresh = await refreshReplays(needs, INSTANCE, PIPELINE, new Map([[PLACE, all]]));
  expect(asked.length).toBeLessThan(300);
  expect(fresh.get(PLACE)?.map(({ id }) => id)).toEqual(asked);
});

test("a connector that is switched off keeps its records for a later cycle", async () => {
  const openConnection = async () => Promise.reject(new AppError("invalid_state", { reason: "It is switched off." }));
  const needs = { connectors: { openConnection } } as unknown as Parameters<typeof refreshReplays>[0];
  expect(await refreshReplays(needs, INSTANCE, PIPELINE, new Map([[PLACE, [kept("1")]]]))).toEqual(
    new Map([[PLACE, []]]),
  );
});

test("an entity without single reads gives what was kept, whatever its connection does for others", async () => {
  const { needs, asked } = place(["1"]);
  const replays = new Map([[PLACE, [kept("1"), kept("2", true)]]]);
  const fresh = await refreshReplays(needs, INSTANCE, pipelineWith(["listIds"]), replays);
  expect(fresh).toEqual(replays);
  expect(asked).toEqual([]);
});
