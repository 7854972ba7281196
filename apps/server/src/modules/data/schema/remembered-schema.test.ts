/** Entities are remembered per schema version, and never beyond it. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { expect, test } from "vitest";
import { cacheBySchema, type SchemaMoment } from "./remembered-schema.ts";

const [vienna, graz] = ["1".repeat(24), "2".repeat(24)] as Id<"instance">[];
const deal = "d".repeat(24) as Id<"entity">;

/** A store that tells how often it was asked; the entity's name says which read it is from. */
function countedStore(missing = false) {
  const asked: string[] = [];
  const remembered = cacheBySchema<CoreEntity>();
  const entityAt = (moment: SchemaMoment, id: Id<"entity">) =>
    remembered(moment, id, async () => {
      asked.push(moment.instanceId);
      return missing ? null : ({ id, displayName: `read ${asked.length}`, fields: [] } as unknown as CoreEntity);
    });
  return { asked, entityAt };
}

test("an entity is read once per schema version, and anew once the version has moved on", async () => {
  const { asked, entityAt } = countedStore();
  const nameAt = async (schemaVersion: number | null) =>
    (await entityAt({ instanceId: vienna!, schemaVersion }, deal))?.displayName;
  expect([await nameAt(1), await nameAt(1), await nameAt(2), await nameAt(2)]).toEqual([
    "read 1",
    "read 1",
    "read 2",
    "read 2",
  ]);
  expect(asked).toHaveLength(2);
});

test("without a version nothing is remembered, and instances never share", async () => {
  const { asked, entityAt } = countedStore();
  await entityAt({ instanceId: vienna!, schemaVersion: null }, deal);
  await entityAt({ instanceId: vienna!, schemaVersion: null }, deal);
  await entityAt({ instanceId: vienna!, schemaVersion: 1 }, deal);
  await entityAt({ instanceId: graz!, schemaVersion: 1 }, deal);
  expect(asked).toEqual([vienna, vienna, vienna, graz]);
});

test("what many requests share can't be changed by one of them, and what is missing is looked for again", async () => {
  const shared = await countedStore().entityAt({ instanceId: vienna!, schemaVersion: 1 }, deal);
  expect(() => (shared!.fields as unknown[]).push("mine")).toThrow(TypeError);
  const { asked, entityAt } = countedStore(true);
  await entityAt({ instanceId: vienna!, schemaVersion: 1 }, deal);
  await entityAt({ instanceId: vienna!, schemaVersion: 1 }, deal);
  expect(asked).toHaveLength(2);
});
