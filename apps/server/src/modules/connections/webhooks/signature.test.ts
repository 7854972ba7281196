/** Posts signed as libraries of Standard Webhooks sign them, by any secret that both sides were given. */
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { WebhookConfig } from "@accord/connectors";
import { curlLine, WEBHOOK_SENDERS } from "@accord/contracts/connections/webhook-signing";
import { expect, test } from "vitest";
import { verifyPost } from "./signature.ts";

const NOW = Date.parse("2026-11-01T10:00:00.000Z");
const BODY = '{"id": 1}';
const config = WebhookConfig.parse({ toleranceSeconds: 86_400 });
const verdict = (headers: Readonly<Record<string, string>>, secret: string, now = NOW) =>
  verifyPost({ headers, body: Buffer.from(BODY) }, { authType: "apiSecretKey", credentials: { secret }, config }, now)
    .ok;

function signed(key: Buffer): Record<string, string> {
  const [id, time] = ["msg_1", String(NOW / 1000)];
  const signature = createHmac("sha256", key).update(`${id}.${time}.${BODY}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
}

/** As the reference libraries do it: the beginning is cut where it is there, what is left is base64 in either case. */
const asLibrary = (secret: string) => signed(Buffer.from(secret.replace(/^whsec_/, ""), "base64"));
const asText = (secret: string) => signed(Buffer.from(secret));

const BYTES = Buffer.from("thirty-two bytes of a secret key");
const HEX = BYTES.toString("hex");
const KEY = BYTES.toString("base64");

test.each([
  ["a key of Standard Webhooks", `whsec_${KEY}`],
  ["hexadecimal characters", HEX],
  ["a key without its beginning", KEY],
])("%s is accepted as libraries of senders take it", (_name, secret) => {
  expect(verdict(asLibrary(secret), secret)).toBe(true);
  expect(verdict(asLibrary(Buffer.from("another key of the same length!!").toString("base64")), secret)).toBe(false);
});

test("a secret without whsec_ is accepted as it stands too, one with it is not", () => {
  for (const secret of [HEX, KEY, "a secret both sides know"]) expect(verdict(asText(secret), secret)).toBe(true);
  expect(verdict(asText(`whsec_${KEY}`), `whsec_${KEY}`)).toBe(false);
  // No base64: libraries refuse it, so nothing that others might make of it is accepted.
  expect(verdict(asLibrary("a secret both sides know"), "a secret both sides know")).toBe(false);
});

test.each([`whsec_${KEY}`, HEX, KEY, "a secret both sides know"])("the shown commands sign by %s", (secret) => {
  const settings = { authType: "apiSecretKey", apiKeyHeader: "", user: "", ...WEBHOOK_SENDERS.standard };
  const commands = curlLine(settings, "https://accord.example/webhooks/one", BODY);
  const shown = `curl() { printf '%s\\n' "$@"; }\n${commands}`;
  const sent = execFileSync("sh", ["-c", shown], { env: { ...process.env, SECRET: secret }, encoding: "utf8" });
  const headers = Object.fromEntries(
    sent.split("\n").flatMap((line) => {
      const [, name, value] = /^(webhook-[a-z]+): (.*)$/.exec(line) ?? [];
      return name !== undefined && value !== undefined ? [[name, value]] : [];
    }),
  );
  expect(verdict(headers, secret, Date.now())).toBe(true);
});
