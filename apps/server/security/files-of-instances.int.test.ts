/** Files below one root belong to instances: nobody gets at those of another, by whatever path or link. */
import { testConnection, listConnectorTypes } from "@accord/contracts/connections/connectors";
import type { Id } from "@accord/contracts";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testApp, type TestApp } from "../test-kit/test-app.ts";

const filesRoot = mkdtempSync(join(tmpdir(), "accord-files-"));
/** Filled by the tests: ids are known only when the server is there. */
const filesFolders = new Map<string, string>();
let t: TestApp;
let theirs: Id<"instance">;

beforeAll(async () => {
  t = await testApp({ config: { filesRoot, filesFolders } });
  theirs = await t.build.instance();
  put(join(filesRoot, theirs, "shop"));
  put(join(filesRoot, theirs));
  put(join(filesRoot, "left-in-the-root"));
  put(filesRoot);
  mkdirSync(join(filesRoot, t.instanceId));
});
afterAll(() => rmSync(filesRoot, { recursive: true }));

function put(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "customers.csv"), "id,name\n1,Ada\n");
}

const tryFolder = async (folder: string, instanceId = t.instanceId) => {
  const body = { typeId: "files", authType: "none", config: { folder } };
  return t.as("SYNC_MANAGER", { instanceId }).call(testConnection, { body });
};

test("an instance reads its own files", async () => {
  expect(await tryFolder("", theirs)).toMatchObject({ ok: true });
  expect(await tryFolder("shop", theirs)).toMatchObject({ ok: true });
});

test("no path leads to the files of another instance, or to those that lie in the root", async () => {
  const paths = [
    "",
    ".",
    "..",
    `../${theirs}`,
    `../${theirs}/shop`,
    `${theirs}/shop`,
    join(filesRoot, theirs, "shop"),
    `../${t.instanceId}/../${theirs}/shop`,
    "../left-in-the-root",
    "left-in-the-root",
    "../..",
    "/etc",
  ];
  for (const path of paths) {
    const { ok, problem } = await tryFolder(path);
    expect([path, ok, problem?.kind]).toEqual([path, false, "configuration"]);
  }
});

test("neither does a link: to a folder, to a folder within a folder, or to a file", async () => {
  const own = join(filesRoot, t.instanceId);
  symlinkSync(join(filesRoot, theirs, "shop"), join(own, "linked"));
  symlinkSync(join("..", theirs), join(own, "relative"));
  mkdirSync(join(own, "within"));
  symlinkSync(join(filesRoot, theirs, "shop"), join(own, "within/linked"));
  symlinkSync(join(filesRoot, theirs, "customers.csv"), join(own, "within/customers.csv"));
  for (const path of ["linked", "relative", "relative/shop", "within", "within/linked", "linked/../shop"]) {
    const { ok, problem } = await tryFolder(path);
    expect([path, ok, problem?.kind]).toEqual([path, false, "configuration"]);
  }
});

test("who finds no folder is told where on the server it has to be; what is elsewhere is not told of", async () => {
  const missing = await tryFolder("no-such-folder");
  const taken = await tryFolder("left-in-the-root");
  expect(missing.problem?.message).toBe(
    `There is no folder no-such-folder below ${filesRoot}/${t.instanceId} on the server.`,
  );
  expect(taken.problem?.message).toBe(missing.problem?.message.replace("no-such-folder", "left-in-the-root"));
  expect(taken.problem?.hint).toContain(`directly below ${filesRoot} before`);
  expect(taken.problem?.hint).toContain("ACCORD_FILES_FOLDERS");
});

test("the form of a synapse names the folder of the instance it is made in", async () => {
  const helpOf = async (instanceId: Id<"instance">) => {
    const { types } = await t.as("SYNC_MANAGER", { instanceId }).call(listConnectorTypes);
    const fields = types.find(({ id }) => id === "files")?.configFields ?? [];
    return fields.find(({ name }) => name === "folder")?.helpText;
  };
  expect(await helpOf(theirs)).toMatch(`Below ${join(filesRoot, theirs)} on the server`);
  expect(await helpOf(t.instanceId)).toMatch(`Below ${join(filesRoot, t.instanceId)} on the server`);
});

test("an instance whose folder the operator named reads there, and no longer in its folder of the root", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "accord-elsewhere-"));
  put(join(elsewhere, "orders"));
  const mapped = await t.build.instance();
  put(join(filesRoot, mapped, "former"));
  filesFolders.set(mapped, elsewhere);
  expect(await tryFolder("orders", mapped)).toMatchObject({ ok: true });
  expect(await tryFolder("former", mapped)).toMatchObject({ ok: false });
  expect(await tryFolder("orders", theirs)).toMatchObject({ ok: false });
  rmSync(elsewhere, { recursive: true });
  expect((await tryFolder("orders", mapped)).problem?.message).toBe(`There is no folder ${elsewhere} on the server.`);
});
