/** T1: for every id in every input of every endpoint, an object of another tenant is not found and nothing changes. */
import type { AnyEndpoint } from "@accord/contracts";
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { checkSignIn } from "@accord/contracts/identity/sign-in";
import { beforeAll, describe, expect, test } from "vitest";
import { exceptionFor, exceptionNames, fixtureOf } from "../test-kit/fixtures/index.ts";
import { databaseHash } from "../test-kit/generated/database-hash.ts";
import { idPlaces, makeOnce, validInput, type IdPlace, type Made } from "../test-kit/generated/inputs.ts";
import { testApp, type Caller, type Place, type TestApp } from "../test-kit/index.ts";

/** Only the caller's own id is found there. */
const ABOUT_ONESELF = new Set(["resetPassword", "updatePassword", "updateProfile"]);

/** Refused calls change nothing, so that the same objects serve them all. */
const made: Made = new Map();
let t: TestApp;
let own: Place;
/** A second instance of the same organisation, which the caller could switch to, but is not in. */
let sibling: Place;
/** Another organisation altogether. */
let stranger: Place;
let caller: Caller;

const swappable = ENDPOINTS.filter(
  (endpoint) => endpoint.access !== "public" && endpoint.access !== "shareViewer" && idPlaces(endpoint).length > 0,
);

beforeAll(async () => {
  t = await testApp();
  own = { organisationId: t.organisationId, instanceId: t.instanceId };
  sibling = { ...own, instanceId: await t.build.instance({ name: "sibling" }) };
  const other = await t.build.organisation("Strangers");
  stranger = { organisationId: other.organisationId, instanceId: await t.build.instance({ name: "theirs", ...other }) };
  caller = t.as("SUPER_ADMIN", own);
  // The user behind a caller is made at its first call.
  await caller.call(checkSignIn);
});

describe("[T1] a foreign id", () => {
  describe.each(swappable.map((endpoint) => [endpoint.name, endpoint] as const))("%s", (_, endpoint) => {
    test.each(idPlaces(endpoint).map((place) => [place.text, place] as const))(
      "at %s is not found",
      async (_text, place) => {
        const places = endpoint.scope === "instance" ? [sibling, stranger] : [stranger];
        for (const foreign of places) await expectNotFound(endpoint, place, foreign);
      },
    );

    if (ABOUT_ONESELF.has(endpoint.name)) return;
    test("and its own are found", async () => {
      await expectFound(endpoint);
    });
  });

  test("every exception names a place that exists", () => {
    const all = new Set(
      swappable.flatMap((endpoint) => idPlaces(endpoint).map((place) => `${endpoint.name} ${place.text}`)),
    );
    expect(exceptionNames().filter((name) => !all.has(name))).toEqual([]);
  });
});

async function expectNotFound(endpoint: AnyEndpoint, place: IdPlace, foreign: Place): Promise<void> {
  const key = `${place.kind} ${foreign.instanceId}`;
  const value = await makeOnce(made, key, () => fixtureOf(place.kind)(t, foreign));
  const input = await validInput(t, endpoint, own, { swap: { place, value }, made });
  const touched = [own.instanceId, foreign.instanceId];
  const before = await databaseHash(t, touched);
  const answer = await caller.send(endpoint, input);
  const expected = exceptionFor(endpoint.name, place.text)?.status ?? 404;
  const where = foreign === sibling ? "of another instance" : "of another organisation";
  expect(
    answer.status,
    `${endpoint.method} ${endpoint.path} with a ${place.kind} ${where} at ${place.text} answered ` +
      `${answer.status} ${JSON.stringify(answer.body)}; look the ${place.kind} up with the caller's instance, and answer not_found`,
  ).toBe(expected);
  expect(await databaseHash(t, touched), `${endpoint.name} changed something although it refused`).toBe(before);
}

/** With ids of one's own the same call is not answered "not found": else the test above would prove nothing. */
async function expectFound(endpoint: AnyEndpoint): Promise<void> {
  const input = await validInput(t, endpoint, own);
  const somebody = await t.asUser(await t.build.user({ roles: ["SUPER_ADMIN"], orgAdmin: true, superAdmin: true }));
  const answer = await somebody.send(endpoint, input);
  expect(
    answer.status,
    `${endpoint.name} with ids of its own instance answered ${answer.status} ${JSON.stringify(answer.body)}; ` +
      `give it a better input in apps/server/test-kit/fixtures (sent: ${JSON.stringify(input)})`,
  ).not.toBe(404);
}
