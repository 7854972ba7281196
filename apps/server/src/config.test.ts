/** Settings: sensible when nothing is set, one clear line for each that is wrong, no secret repeated. */
import { describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

test("nothing needs to be set", () => {
  const config = readConfig({});
  expect(config).toMatchObject({ port: 3000, host: "127.0.0.1", baseUrl: "http://localhost:3000", demo: true });
  expect(config.databaseUrl).toBeUndefined();
  expect(config.home).toMatch(/\/\.accord$/);
  expect(config.masterKeyFile).toBe(`${config.home}/master.key`);
});

test("an empty setting counts as not set", () => {
  expect(readConfig({ PORT: "", DATABASE_URL: " ", ACCORD_DEMO: "" })).toMatchObject({ port: 3000, demo: true });
});

test("the database of records stands beside the named one unless it is named too", () => {
  const DATABASE_URL = "postgres://me:secret@db.example:6432/accord?sslmode=require";
  expect(readConfig({ DATABASE_URL }).dataDatabaseUrl).toBe(
    "postgres://me:secret@db.example:6432/accord_data?sslmode=require",
  );
  expect(readConfig({ DATABASE_URL, ACCORD_DATA_DATABASE_URL: "postgres://x/records" }).dataDatabaseUrl).toBe(
    "postgres://x/records",
  );
});

test("proxies are a number of hops, or their addresses and ranges", () => {
  const proxiesOf = (ACCORD_TRUST_PROXY: string) => readConfig({ ACCORD_TRUST_PROXY }).trustProxy;
  expect([proxiesOf(""), proxiesOf("0"), proxiesOf("1"), proxiesOf("2")]).toEqual([0, 0, 1, 2]);
  expect(proxiesOf("10.0.0.5, 192.168.0.0/16,fd00::/8")).toEqual(["10.0.0.5", "192.168.0.0/16", "fd00::/8"]);
});

const A = "0123456789abcdef01234567";
const B = "89abcdef0123456789abcdef";

test("folders of files are given to instances one by one, absolute or below the root", () => {
  const { filesFolders } = readConfig({
    ACCORD_FILES_ROOT: "/srv/files",
    ACCORD_FILES_FOLDERS: `${A}=/mnt/deliveries, ${B}=shared`,
  });
  expect(Object.fromEntries(filesFolders)).toEqual({ [A]: "/mnt/deliveries", [B]: "/srv/files/shared" });
  expect(readConfig({}).filesFolders.size).toBe(0);
});

test("two instances share a folder where it is written for both, and never by one that holds the other's", () => {
  const problemsWith = (ACCORD_FILES_FOLDERS: string) =>
    problemsOf({ ACCORD_FILES_ROOT: "/srv/files", ACCORD_FILES_FOLDERS });
  expect(problemsWith(`${A}=/mnt/both,${B}=/mnt/both`)).toEqual([]);
  expect(problemsWith(`${A}=/mnt/both-of-us,${B}=/mnt/both`)).toEqual([]);
  expect(problemsWith(`${A}=/mnt,${B}=/mnt/both`)).toEqual([
    `ACCORD_FILES_FOLDERS gives ${A} a folder that holds the one of another instance`,
  ]);
  for (const folder of [".", "/srv", "/srv/files/", "one/..", "/"])
    expect(problemsWith(`${A}=${folder}`)).toEqual([
      `ACCORD_FILES_FOLDERS gives ${A} the files of all other instances too`,
    ]);
});

test("every bad setting is named at once", () => {
  expect(problemsOf({ PORT: "70000", ACCORD_DEMO: "yes", SMTP_URL: "mail.example" })).toEqual([
    "PORT must be a port number, 0 to 65535",
    "ACCORD_DEMO must be 0 or 1",
    "SMTP_URL must be an address starting with smtp:// or smtps://",
  ]);
});

describe("each setting says what it wants", () => {
  test.each([
    ["PORT", "http"],
    ["ACCORD_URL", "accord.example"],
    ["DATABASE_URL", "mysql://x/y"],
    ["ACCORD_ADMIN_EMAIL", "admin"],
    ["ACCORD_ADMIN_PASSWORD", "short"],
    ["ACCORD_DEMO", "2"],
    ["ACCORD_HOSTS", "https://accord.example"],
    ["ACCORD_HOSTS", "accord.example,*"],
    ["ACCORD_HOSTS", "accord.example:http"],
    ["ACCORD_TRUST_PROXY", "true"],
    ["ACCORD_TRUST_PROXY", "11"],
    ["ACCORD_TRUST_PROXY", "1,2"],
    ["ACCORD_TRUST_PROXY", "10.0.0.0/8,proxy.example"],
    ["ACCORD_TRUST_PROXY", "0.0.0.0/0"],
    ["ACCORD_TRUST_PROXY", "::/0"],
    ["ACCORD_TRUST_PROXY", "10.0.0.0/33"],
    ["ACCORD_TRUST_PROXY", "*"],
    ["ACCORD_FILES_FOLDERS", "/srv/files"],
    ["ACCORD_FILES_FOLDERS", `${A}=`],
    ["ACCORD_FILES_FOLDERS", "production=/srv/files"],
    ["ACCORD_FILES_FOLDERS", `${A}=/srv/one,${A}=/srv/two`],
    ["ACCORD_KEEP_LEDGER_DAYS", "a year"],
    ["ACCORD_KEEP_POSTS_DAYS", "-1"],
    ["ACCORD_LOG_LEVEL", "loud"],
  ])("%s=%s", (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} must `));
  });
});

test("a secret is not repeated in the message", () => {
  expect(() => readConfig({ ACCORD_ADMIN_PASSWORD: "hunter2", DATABASE_URL: "hunter3" })).toThrow(
    expect.not.objectContaining({ message: expect.stringMatching(/hunter/) }),
  );
});

test("SQL mode is on with the embedded PostgreSQL, whose processes are limited, and elsewhere by word of the operator", () => {
  const sqlModeOf = (environment: Record<string, string>) => readConfig(environment).sqlMode;
  expect(sqlModeOf({})).toBe(true);
  expect(sqlModeOf({ ACCORD_SQL_MODE: "0" })).toBe(false);
  const external = { DATABASE_URL: "postgres://x/y" };
  expect(sqlModeOf(external)).toBe(false);
  expect(sqlModeOf({ ...external, ACCORD_SQL_MODE: "1" })).toBe(true);
});
