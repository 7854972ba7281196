/** What a fresh installation finds, however often its first start was cut short. */
import { signIn } from "@accord/contracts/identity/sign-in";
import { expect, test } from "vitest";
import { testApp } from "../../../test-kit/index.ts";
import { ensureInstallation, nameFromAddress } from "./first-start.ts";

async function fresh(adminPassword?: string) {
  const { deps, app, anonymous } = await testApp({
    config: { demo: true, adminEmail: "first@example.com", adminPassword },
  });
  const instances = app.identity.instances.service;
  const start = (service = instances) => ensureInstallation(deps, service);
  const enter = async (password: string | null) =>
    (await anonymous.send(signIn, { body: { username: "first@example.com", password: password ?? "" } })).status;
  return { instances, start, enter };
}

test("a made password opens the door, and is shown again, as another one, until somebody saw it", async () => {
  const { start, enter } = await fresh();
  const cut = await start();
  const seen = await start();
  expect(seen.generatedPassword).not.toBe(cut.generatedPassword);
  expect(await enter(cut.generatedPassword)).not.toBe(200);
  expect(await enter(seen.generatedPassword)).toBe(200);
  await seen.passwordIsTold();
  expect(await start()).toMatchObject({
    ...seen,
    isFirstStart: false,
    generatedPassword: null,
    passwordIsTold: expect.anything(),
  });
  expect(await enter(seen.generatedPassword)).toBe(200);
});

test("a password that the operator chose is never made anew nor shown", async () => {
  const { start, enter } = await fresh("sesame-open-1234");
  expect((await start()).generatedPassword).toBeNull();
  expect((await start()).generatedPassword).toBeNull();
  expect(await enter("sesame-open-1234")).toBe(200);
});

test("a start that was killed while it made the instance is finished by the next one", async () => {
  const { instances, start } = await fresh();
  const killed = { ...instances, make: () => Promise.reject(new Error("killed")) };
  await expect(start(killed)).rejects.toThrow("killed");
  const halfMade = {
    ...instances,
    make: async (wanted: Parameters<typeof instances.make>[0]) => {
      await instances.make(wanted);
      throw new Error("killed");
    },
  };
  await expect(start(halfMade)).rejects.toThrow("killed");
  const { organisationId, instanceId } = await start();
  const active = (await instances.listActive()).filter((instance) => instance.organisationId === organisationId);
  expect(active.map(({ id }) => id)).toEqual([instanceId]);
  expect((await start()).instanceId).toBe(instanceId);
});

test("the first administrator is greeted by a name read off the address", () => {
  expect(nameFromAddress("grace.brewster-hopper@example.com")).toEqual({
    firstName: "Grace",
    lastName: "Brewster Hopper",
  });
  expect(nameFromAddress("ada@example.com").firstName).toBe("Ada");
  expect(nameFromAddress("admin@accord.local").firstName).toBe("Admin");
});
