/** What a person may not set a webhook to, and what stays as an earlier version stored it. */
import { expect, test } from "vitest";
import { WebhookConfig, webhookEditProblems } from "./config.ts";

const problems = (config: object, former: object | null = null) =>
  webhookEditProblems(WebhookConfig.parse(config), former && WebhookConfig.parse(former)).map(({ path }) => path);

test.each([
  ["numbers", { sample: "[1, 2, 3]" }],
  ["texts", { sample: '{"orders": ["a", "b"]}', recordSelector: "orders" }],
  ["nothing at the path", { sample: '{"orders": []}', recordSelector: "items" }],
])("an example whose records are no objects is refused at the path to them: %s", (_name, config) => {
  expect(problems(config)).toEqual(["recordSelector"]);
  expect(problems({ ...config, fields: [{ apiName: "id" }] })).toEqual([]);
  // As it was stored it stays, until something of it is changed.
  expect(problems({ ...config, postsPerMinute: 5 }, config)).toEqual([]);
  expect(problems(config, { ...config, fields: [{ apiName: "id" }] })).toEqual(["recordSelector"]);
});

test("one object among the records is an example", () => {
  expect(problems({ sample: '[1, {"id": 2}]' })).toEqual([]);
  expect(problems({ sample: '{"id": 2}' })).toEqual([]);
  expect(problems({ sample: " " })).toEqual([]);
});
