/**
 * T1, T4: rules that lie behind the permission of an endpoint, and the instance that statements name, one by one.
 * `npm run mutants -- tenant` takes each away.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { HANDLER_RULES } from "../test-kit/handler-rules.ts";
import { testApp, type TestApp } from "../test-kit/index.ts";
import { STATEMENT_RULES } from "../test-kit/statement-rules.ts";

const RULES = [...HANDLER_RULES, ...STATEMENT_RULES];

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});

describe("[T1] [T4] behind the permission", () => {
  test.each(RULES.map((rule) => [rule.name, rule] as const))("%s", async (_, rule) => {
    await rule.check(t);
  });

  test("every rule has a name of its own", () => {
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
  });
});
