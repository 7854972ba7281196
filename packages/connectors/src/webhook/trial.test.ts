/** What is shown of a payload is bounded, whatever is in it. */
import { expect, test } from "vitest";
import { WebhookConfig } from "./config.ts";
import { tryPayload } from "./trial.ts";

const config = WebhookConfig.parse({ idSelector: "id" });

test("values that are too large together are left out, which is said", () => {
  const large = "€".repeat(50_000);
  const tried = tryPayload(config, JSON.stringify([1, 2, 3].map((id) => ({ id, note: large, end: "last" }))));
  expect(tried?.records.map(({ id, values }) => [id, Object.keys(values)])).toEqual([
    ["1", ["webhookRecordId", "id", "note", "end"]],
    ["2", ["webhookRecordId", "id", "end"]],
    ["3", ["webhookRecordId", "id", "end"]],
  ]);
  expect([tried?.count, tried?.isCut]).toEqual([3, true]);
  expect(tryPayload(config, '{"id": 1}')?.isCut).toBe(false);
});

test("an id or a message that goes on and on is cut, and so are many fields", () => {
  const long = "x".repeat(300_000);
  const tried = tryPayload(config, JSON.stringify([{ id: long }, { id: "" }, long]));
  expect(JSON.stringify(tried).length).toBeLessThan(5_000);
  const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`field${index}`, index]));
  expect(tryPayload(config, JSON.stringify({ id: 1, ...wide }))?.inferred).toHaveLength(500);
});

test("a payload is judged by the fields of the webhook, which are those of its example", () => {
  const body = '{"id": 1, "total": "many", "other": true}';
  const values = (more: object) => tryPayload(WebhookConfig.parse({ idSelector: "id", ...more }), body);
  const byExample = values({ sample: '{"id": 7, "total": 12}' });
  expect(byExample?.bad).toMatchObject([{ id: "1", message: '"many" is not a whole number' }]);
  expect(values({ sample: '{"id": 7, "total": "few"}' })?.records.map((record) => Object.keys(record.values))).toEqual([
    ["webhookRecordId", "id", "total"],
  ]);
  expect(values({ sample: " " })?.records[0]?.values).toMatchObject({ total: "many", other: true });
});
