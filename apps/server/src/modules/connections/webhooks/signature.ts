/** Whether a post comes from who it says: signatures over the raw body, tokens and passwords, compared in constant time. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookConfig } from "@accord/connectors";

export interface Post {
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

export type Verdict =
  /** `isBodyId`: the sender gave none, and it only says what the body is. */
  | { ok: true; messageId: string; isBodyId: boolean }
  | { ok: false; code: "signature_wrong" | "time_wrong" | "id_missing" };

/** How far the sender's clock may be off, seconds. */
const TOLERANCE_SECONDS = 300;

export function verifyPost(
  post: Post,
  connector: { authType: string; credentials: Readonly<Record<string, string>>; config: WebhookConfig },
  now: number,
): Verdict {
  const { authType, credentials, config } = connector;
  // Without a secret nothing can be proven.
  if (Object.values(credentials).every((value) => value === "")) return { ok: false, code: "signature_wrong" };
  const given = headerOf(post, "webhook-id");
  const bodyId = createHash("sha256").update(post.body).digest("hex");
  const judged = (isRight: boolean, messageId = given || bodyId): Verdict =>
    isRight ? { ok: true, messageId, isBodyId: messageId === bodyId } : { ok: false, code: "signature_wrong" };
  switch (authType) {
    case "apiSecretKey":
      return config.signature === "standard"
        ? verifyStandard(post, credentials["secret"] ?? "", now)
        : judged(isBodySigned(post, credentials["secret"] ?? "", config.signatureHeader), bodyId);
    case "bearerToken":
      return judged(isSame(headerOf(post, "authorization"), `Bearer ${credentials["token"] ?? ""}`));
    case "apiKey":
      return judged(isSame(headerOf(post, "x-api-key"), credentials["key"] ?? ""));
    case "userPassword": {
      const pair = Buffer.from(`${credentials["user"] ?? ""}:${credentials["password"] ?? ""}`).toString("base64");
      return judged(isSame(headerOf(post, "authorization"), `Basic ${pair}`));
    }
    default:
      return { ok: false, code: "signature_wrong" };
  }
}

/** Standard Webhooks: `v1,` and the base64 HMAC of id, time and body; several signatures while a secret is changed. */
function verifyStandard(post: Post, secret: string, now: number): Verdict {
  const id = headerOf(post, "webhook-id");
  const time = headerOf(post, "webhook-timestamp");
  if (id === "" || id.length > 200) return { ok: false, code: "id_missing" };
  if (!/^\d{1,12}$/.test(time) || Math.abs(now / 1000 - Number(time)) > TOLERANCE_SECONDS) {
    return { ok: false, code: "time_wrong" };
  }
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
  const expected = createHmac("sha256", key).update(`${id}.${time}.`).update(post.body).digest("base64");
  const sent = headerOf(post, "webhook-signature").split(" ").slice(0, 10);
  const isRight = sent.filter((one) => isSame(one, `v1,${expected}`)).length > 0;
  return isRight ? { ok: true, messageId: id, isBodyId: false } : { ok: false, code: "signature_wrong" };
}

/** The hexadecimal HMAC of the body alone, with or without `sha256=`: nothing but the body is known to be the sender's. */
function isBodySigned(post: Post, secret: string, header: string): boolean {
  const expected = createHmac("sha256", secret).update(post.body).digest("hex");
  return isSame(
    headerOf(post, header)
      .replace(/^sha256=/, "")
      .toLowerCase(),
    expected,
  );
}

const headerOf = (post: Post, name: string): string => {
  const value = post.headers[name];
  return typeof value === "string" ? value : "";
};

/** Digests are compared, so that neither content nor length shows in the time it takes. */
const isSame = (left: string, right: string): boolean =>
  timingSafeEqual(createHash("sha256").update(left).digest(), createHash("sha256").update(right).digest());
