/** The home folder is nobody else's, and a folder that is no home stays as it was. */
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { canPass, canReach, chooseAccount } from "./account.ts";
import { makeHome } from "./home-folder.ts";

const isRoot = process.getuid?.() === 0;
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "accord-home-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("a home is open to its owner; the account of PostgreSQL may walk through, and see nothing", () => {
  const home = join(folder(), "home");
  makeHome(home);
  expect(mode(home)).toBe(isRoot ? "711" : "700");
  const old = folder();
  writeFileSync(join(old, "master.key"), "");
  chmodSync(old, 0o755);
  makeHome(old);
  expect(mode(old)).toBe(isRoot ? "711" : "700");
  const account = { uid: 65_533, gid: 65_533, name: "somebody" };
  chmodSync(join(home, ".."), 0o711);
  if (isRoot) expect([canPass(home, account), canReach(home, account)]).toEqual([true, false]);
});

test("a folder with other things in it keeps its mode", () => {
  const shared = folder();
  writeFileSync(join(shared, "notes.txt"), "");
  chmodSync(shared, 0o755);
  makeHome(shared);
  expect(mode(shared)).toBe("755");
});

test.runIf(isRoot)("a database that belongs to nobody is not started", () => {
  const data = folder();
  chownSync(data, 65_534, 65_534);
  expect(() => chooseAccount(data)).toThrow(/belongs to the account nobody.*chown/);
});
