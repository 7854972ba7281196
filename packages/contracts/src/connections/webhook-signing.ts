/**
 * How posts to a webhook are proven: what is signed and in which header, the usual values of known senders, and a line
 * for a shell that posts a sample as such a sender would.
 */
import { z } from "zod";

/**
 * standard: id, time and body (Standard Webhooks) · body: the body alone · stripe: `t=…,v1=…` over time and body ·
 * slack: `v0=…` over version, time and body.
 */
export const WEBHOOK_SIGNATURES = ["standard", "body", "stripe", "slack"] as const;
export const WebhookSignature = z.enum(WEBHOOK_SIGNATURES);
export type WebhookSignature = z.infer<typeof WebhookSignature>;

export const WEBHOOK_HASHES = ["sha256", "sha1", "sha512"] as const;
export const WebhookHash = z.enum(WEBHOOK_HASHES);
export type WebhookHash = z.infer<typeof WebhookHash>;

export const WEBHOOK_ENCODINGS = ["hex", "base64"] as const;
export const WebhookEncoding = z.enum(WEBHOOK_ENCODINGS);
export type WebhookEncoding = z.infer<typeof WebhookEncoding>;

/** Of Standard Webhooks; of Slack's time. */
export const STANDARD_HEADERS = {
  id: "webhook-id",
  time: "webhook-timestamp",
  signature: "webhook-signature",
} as const;
export const SLACK_TIME_HEADER = "x-slack-request-timestamp";

export interface SigningSettings {
  signature: WebhookSignature;
  signatureHeader: string;
  signatureHash: WebhookHash;
  signatureEncoding: WebhookEncoding;
}

/** Senders that sign each in their own way, as their documentation describes it. */
export const WEBHOOK_SENDERS = {
  standard: {
    signature: "standard",
    signatureHeader: STANDARD_HEADERS.signature,
    signatureHash: "sha256",
    signatureEncoding: "base64",
  },
  github: {
    signature: "body",
    signatureHeader: "x-hub-signature-256",
    signatureHash: "sha256",
    signatureEncoding: "hex",
  },
  stripe: {
    signature: "stripe",
    signatureHeader: "stripe-signature",
    signatureHash: "sha256",
    signatureEncoding: "hex",
  },
  shopify: {
    signature: "body",
    signatureHeader: "x-shopify-hmac-sha256",
    signatureHash: "sha256",
    signatureEncoding: "base64",
  },
  slack: {
    signature: "slack",
    signatureHeader: "x-slack-signature",
    signatureHash: "sha256",
    signatureEncoding: "hex",
  },
} as const satisfies Record<string, SigningSettings>;
export type WebhookSender = keyof typeof WEBHOOK_SENDERS;
const SENDERS: readonly WebhookSender[] = ["standard", "github", "stripe", "shopify", "slack"];

/** The known sender that signs like this; `other` for none. */
export function senderOf(settings: SigningSettings): WebhookSender | "other" {
  const found = SENDERS.find((name) => {
    const known: SigningSettings = WEBHOOK_SENDERS[name];
    if (known.signature !== settings.signature) return false;
    // Standard Webhooks leaves nothing to choose.
    if (known.signature === "standard") return true;
    return (
      known.signatureHeader === settings.signatureHeader &&
      (known.signature !== "body" ||
        (known.signatureHash === settings.signatureHash && known.signatureEncoding === settings.signatureEncoding))
    );
  });
  return found ?? "other";
}

export interface CurlSettings extends SigningSettings {
  authType: string;
  apiKeyHeader: string;
  /** Not secret. */
  user: string;
}

/** A word as one argument of a POSIX shell, whatever it holds. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A header as one argument: all of it as it stands but a variable of the shell at its end. */
const header = (name: string, before: string, variable: string): string =>
  `${quoted(`${name}: ${before}`)}"$${variable}"`;

/** The HMAC of what stands in `$SIGNED`, by the key in `$SECRET`. */
const hmac = (hash: WebhookHash, encoding: WebhookEncoding): string =>
  `printf '%s' "$SIGNED" | openssl dgst -${hash} -hmac "$SECRET" -binary | ${
    encoding === "hex" ? "od -An -v -tx1 | tr -d ' \\n'" : "openssl base64 -A"
  }`;

/**
 * Secrets of Standard Webhooks that begin with `whsec_` are keys in base64; any other is taken as the key itself, too.
 * Patterns have both parentheses, without which old shells take the first one for the end of the substitution.
 */
const STANDARD_HMAC = [
  `KEY=$(case "$SECRET" in (whsec_*) printf '%s' "\${SECRET#whsec_}" | openssl base64 -A -d;; (*) printf '%s' "$SECRET";; esac | od -An -v -tx1 | tr -d ' \\n')`,
  `SIGNATURE=$(printf '%s' "$ID.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)`,
];

function proof(settings: CurlSettings): { before: string[]; headers: string[] } {
  switch (settings.authType) {
    case "bearerToken":
      return { before: [], headers: [header("authorization", "Bearer ", "SECRET")] };
    case "apiKey":
      return { before: [], headers: [header(settings.apiKeyHeader, "", "SECRET")] };
    case "userPassword":
      return {
        before: [`LOGIN=$(printf '%s:%s' ${quoted(settings.user)} "$SECRET" | openssl base64 -A)`],
        headers: [header("authorization", "Basic ", "LOGIN")],
      };
    default:
      return signed(settings);
  }
}

function signed(settings: CurlSettings): { before: string[]; headers: string[] } {
  const { signature, signatureHeader, signatureHash, signatureEncoding } = settings;
  switch (signature) {
    case "standard":
      return {
        before: [`TIME=$(date +%s); ID="sample-$(openssl rand -hex 8)"`, ...STANDARD_HMAC],
        headers: [
          header(STANDARD_HEADERS.id, "", "ID"),
          header(STANDARD_HEADERS.time, "", "TIME"),
          header(STANDARD_HEADERS.signature, "v1,", "SIGNATURE"),
        ],
      };
    case "stripe":
      return {
        before: [`TIME=$(date +%s); SIGNED="$TIME.$BODY"`, `SIGNATURE=$(${hmac("sha256", "hex")})`],
        headers: [`${header(signatureHeader, "t=", "TIME")}',v1='"$SIGNATURE"`],
      };
    case "slack":
      return {
        before: [`TIME=$(date +%s); SIGNED="v0:$TIME:$BODY"`, `SIGNATURE=$(${hmac("sha256", "hex")})`],
        headers: [header(SLACK_TIME_HEADER, "", "TIME"), header(signatureHeader, "v0=", "SIGNATURE")],
      };
    case "body":
      return {
        before: [`SIGNED="$BODY"`, `SIGNATURE=$(${hmac(signatureHash, signatureEncoding)})`],
        headers: [header(signatureHeader, signatureEncoding === "hex" ? `${signatureHash}=` : "", "SIGNATURE")],
      };
  }
}

/** Commands for a POSIX shell that post `body` with a proof by the secret in `$SECRET`, which they do not set. */
export function curlLine(settings: CurlSettings, url: string, body: string): string {
  const { before, headers } = proof(settings);
  return [
    `BODY=${quoted(body)}`,
    ...before,
    `curl -i -X POST ${quoted(url)} \\`,
    ...[quoted("content-type: application/json"), ...headers].map((one) => `  -H ${one} \\`),
    `  --data-binary "$BODY"`,
  ].join("\n");
}
