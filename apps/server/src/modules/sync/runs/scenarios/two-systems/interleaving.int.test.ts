/** A long delivery does not keep what happens at other systems waiting. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { contactsIn, ENTITY, INSTANCE } from "../../../../../../test-kit/sync-world/sync-world.ts";
import { eventually, inWorkingWorld } from "../../../../../../test-kit/sync-world/working-world.ts";
import { scheduleStore } from "../../schedule/schedule.store.ts";

const RECORDS = 600;
/** For each batch of 20: the delivery takes much longer than the time between two looks at the sources. */
const BATCH_MS = 1_000;

test(
  "[F3] a record that appears in a source while another system is still written arrives meanwhile",
  { timeout: 240_000 },
  async () => {
    await inWorkingWorld(
      async ({ pool, addOutside, startWorker }) => {
        for (let index = 0; index < RECORDS; index += 1) await addOutside("a", `p${index}@example.com`, "a");
        await startWorker();
        const delivered = async (): Promise<number> => (await contactsIn(pool, "b")).size;
        await eventually("the beginning of the delivery", async () => ((await delivered()) > 0 ? true : undefined));
        await addOutside("a", "late@example.com", "a");
        await scheduleStore(pool).requestCycle(INSTANCE, ENTITY);
        await eventually("the late record", async () =>
          (await contactsIn(pool, "core")).has("late@example.com") ? true : undefined,
        );
        expect(await delivered()).toBeLessThan(RECORDS);
      },
      (needs) => ({
        ...needs,
        connectors: {
          ...needs.connectors,
          async openConnection(...at) {
            const connection = await needs.connectors.openConnection(...at);
            return {
              ...connection,
              async write(request) {
                await sleep(BATCH_MS);
                return (await connection.write?.(request)) ?? [];
              },
            };
          },
        },
      }),
    );
  },
);
