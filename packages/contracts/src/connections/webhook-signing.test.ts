/** A shell takes what stands in the settings of a webhook as text: nothing in it is run. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlLine, WEBHOOK_SENDERS, type CurlSettings } from "./webhook-signing.ts";

const NAME = "x-`echo$IFS''run`$(echo)&|!'";
const KINDS: [string, Partial<CurlSettings>][] = [
  ["body in hexadecimal", { ...WEBHOOK_SENDERS.github, signatureHeader: NAME }],
  ["body in base64", { ...WEBHOOK_SENDERS.shopify, signatureHeader: NAME }],
  ["Stripe", { ...WEBHOOK_SENDERS.stripe, signatureHeader: NAME }],
  ["Slack", { ...WEBHOOK_SENDERS.slack, signatureHeader: NAME }],
  ["API key", { authType: "apiKey", apiKeyHeader: NAME }],
];

test.each(KINDS)("the name of a header is sent as it is set: %s", (_name, settings) => {
  const all = { authType: "apiSecretKey", apiKeyHeader: "", user: "", ...WEBHOOK_SENDERS.github, ...settings };
  const line = curlLine(all, "https://accord.example/webhooks/`id`", "{}");
  const shown = `curl() { printf '%s\\n' "$@"; }\n${line}`;
  const sent = execFileSync("sh", ["-c", shown], { env: { ...process.env, SECRET: "s$(id)" }, encoding: "utf8" });
  expect(sent.split("\n").filter((argument) => argument.startsWith(`${NAME}: `))).toHaveLength(1);
  expect(sent).toContain("/webhooks/`id`");
});

test("the commands of Standard Webhooks close every parenthesis that they open, as shells of old need it", () => {
  const all = { authType: "apiSecretKey", apiKeyHeader: "", user: "", ...WEBHOOK_SENDERS.standard };
  const [key = ""] = curlLine(all, "https://accord.example/webhooks/one", "{}").split("\n").slice(2);
  expect(key).toMatch(/^KEY=/);
  let open = 0;
  for (const character of key) {
    if (character === "(") open += 1;
    if (character === ")") open -= 1;
    expect(open).toBeGreaterThanOrEqual(0);
  }
  expect(open).toBe(0);
});
