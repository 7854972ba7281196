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
