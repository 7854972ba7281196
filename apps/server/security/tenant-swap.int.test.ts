/** T1: for every id in every input of every endpoint, an object of another tenant is not found and nothing changes. */
import type { AnyEndpoint } from "@accord/contracts";
import { checkSignIn } from "@accord/contracts/identity/sign-in";
import { beforeAll, describe, expect, test } from "vitest";
import { exceptionNames } from "../test-kit/fixtures/index.ts";
import { databaseHash } from "../test-kit/generated/database-hash.ts";
import { idPlaces, validInput, type IdPlace } from "../test-kit/generated/inputs.ts";
import { callWithForeignId, foreignPlaces, SWAPPABLE, type SwapWorld } from "../test-kit/generated/tenant-swap.ts";
import { testApp, type Place, type TestApp } from "../test-kit/index.ts";

/** Only the caller's own id is found there. */
const ABOUT_ONESELF = new Set(["resetPassword", "updatePassword", "updateProfile"]);

/** Found by whoever made it alone: the fixture makes it for the caller of the world. */
const ABOUT_ONES_OWN = new Set([
  "getDatasetExport",
  "cancelDatasetExport",
  "deleteDatasetExport",
  "downloadDatasetExport",
]);

let t: TestApp;
let world: SwapWorld;

beforeAll(async () => {
  t = await testApp();
  const own = { organisationId: t.organisationId, instanceId: t.instanceId };
  const sibling = { ...own, instanceId: await t.build.instance({ name: "sibling" }) };
  const other = await t.build.organisation("Strangers");
  const theirs = await t.build.instance({ name: "theirs", ...other });
  const stranger = { organisationId: other.organisationId, instanceId: theirs };
  const caller = t.as("SUPER_ADMIN", own);
  world = { t, own, sibling, stranger, caller, made: new Map() };
  // The user behind a caller is made at its first call.
  await caller.call(checkSignIn);
});

describe("[T1] a foreign id", () => {
  describe.each(SWAPPABLE.map((endpoint) => [endpoint.name, endpoint] as const))("%s", (_, endpoint) => {
    test.each(idPlaces(endpoint).map((place) => [place.text, place] as const))(
      "at %s is not found",
      async (_text, place) => {
        for (const foreign of foreignPlaces(world, endpoint)) await expectNotFound(endpoint, place, foreign);
      },
    );

    if (ABOUT_ONESELF.has(endpoint.name)) return;
    test("and its own are found", async () => {
      await expectFound(endpoint);
    });
  });

  test("every exception names a place that exists", () => {
    const all = new Set(
      SWAPPABLE.flatMap((endpoint) => idPlaces(endpoint).map((place) => `${endpoint.name} ${place.text}`)),
    );
    expect(exceptionNames().filter((name) => !all.has(name))).toEqual([]);
  });
});

async function expectNotFound(endpoint: AnyEndpoint, place: IdPlace, foreign: Place): Promise<void> {
  const { send, expected, isAllowed } = await callWithForeignId(world, endpoint, place, foreign);
  const touched = [world.own.instanceId, foreign.instanceId];
  const before = await databaseHash(t, touched);
  const answer = await send();
  const where = foreign === world.sibling ? "of another instance" : "of another organisation";
  expect(
    answer.status,
    `${endpoint.method} ${endpoint.path} with a ${place.kind} ${where} at ${place.text} answered ` +
      `${answer.status} ${JSON.stringify(answer.body)}; look the ${place.kind} up with the caller's instance, and answer not_found`,
  ).toBe(expected);
  // What is meant for other instances of the organisation does what it says there.
  if (isAllowed) return;
  expect(await databaseHash(t, touched), `${endpoint.name} changed something although it refused`).toBe(before);
}

/** With ids of one's own the same call is not answered "not found": else the test above would prove nothing. */
async function expectFound(endpoint: AnyEndpoint): Promise<void> {
  const input = await validInput(t, endpoint, world.own);
  // Some calls end the session of whoever makes them.
  const somebody = ABOUT_ONES_OWN.has(endpoint.name)
    ? world.caller
    : await t.asUser(await t.build.user({ roles: ["SUPER_ADMIN"], orgAdmin: true, superAdmin: true }));
  const answer = await somebody.send(endpoint, input);
  expect(
    answer.status,
    `${endpoint.name} with ids of its own instance answered ${answer.status} ${JSON.stringify(answer.body)}; ` +
      `give it a better input in apps/server/test-kit/fixtures (sent: ${JSON.stringify(input)})`,
  ).not.toBe(404);
}
