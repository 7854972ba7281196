/** Whether a post comes from who it says: signatures over the raw body, tokens and passwords, compared in constant time. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookConfig } from "@accord/connectors";
import { SLACK_TIME_HEADER, STANDARD_HEADERS } from "@accord/contracts/connections/webhook-signing";

export interface Post {
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

export type Verdict =
  /**
   * `isBodyId`: the sender gave none, and it only says what the body is. `proofId`: of the signature over time and body,
   * which the sender makes once.
   */
  | { ok: true; messageId: string; isBodyId: boolean; proofId: string | null }
  | { ok: false; code: "signature_wrong" | "time_wrong" | "id_missing" };

/** Signatures of one post that are looked at: several while a secret is changed. */
const MAX_SIGNATURES = 10;

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
  const judged = (isRight: boolean, messageId = given || bodyId, proofId: string | null = null): Verdict =>
    isRight ? { ok: true, messageId, isBodyId: messageId === bodyId, proofId } : { ok: false, code: "signature_wrong" };
  switch (authType) {
    case "apiSecretKey":
      return verifySignature(post, { secret: credentials["secret"] ?? "", config, now }, (isRight, proof) =>
        judged(isRight, bodyId, proof === undefined ? null : createHash("sha256").update(proof).digest("hex")),
      );
    case "bearerToken":
      return judged(isSame(headerOf(post, "authorization"), `Bearer ${credentials["token"] ?? ""}`));
    case "apiKey":
      return judged(isSame(headerOf(post, config.apiKeyHeader), credentials["key"] ?? ""));
    case "userPassword": {
      const pair = Buffer.from(`${credentials["user"] ?? ""}:${credentials["password"] ?? ""}`).toString("base64");
      return judged(isSame(headerOf(post, "authorization"), `Basic ${pair}`));
    }
    default:
      return { ok: false, code: "signature_wrong" };
  }
}

interface Signed {
  secret: string;
  config: WebhookConfig;
  now: number;
}

/** `judged`: of a signature whose time was right where it has one, then with the signature; it says nothing of an id. */
function verifySignature(post: Post, signed: Signed, judged: (isRight: boolean, proof?: string) => Verdict): Verdict {
  const { secret, config } = signed;
  switch (config.signature) {
    case "standard":
      return verifyStandard(post, signed);
    case "stripe": {
      const parts = headerOf(post, config.signatureHeader).split(",");
      const sent = parts.map((part) => part.trim().split("=", 2));
      const time = sent.find(([name]) => name === "t")?.[1] ?? "";
      const expected = createHmac("sha256", secret).update(`${time}.`).update(post.body).digest("hex");
      const given = sent.flatMap(([name, value = ""]) => (name === "v1" ? [value] : []));
      if (!isTimely(time, signed)) return { ok: false, code: "time_wrong" };
      return judged(isOneOf(given, expected), expected);
    }
    case "slack": {
      const time = headerOf(post, SLACK_TIME_HEADER);
      if (!isTimely(time, signed)) return { ok: false, code: "time_wrong" };
      const expected = createHmac("sha256", secret).update(`v0:${time}:`).update(post.body).digest("hex");
      return judged(isSame(headerOf(post, config.signatureHeader), `v0=${expected}`), expected);
    }
    case "body":
      return judged(isBodySigned(post, secret, config));
  }
}

const isTimely = (time: string, { now, config }: Signed): boolean =>
  /^\d{1,12}$/.test(time) && Math.abs(now / 1000 - Number(time)) <= config.toleranceSeconds;

/** Standard Webhooks: `v1,` and the base64 HMAC of id, time and body; several signatures while a secret is changed. */
function verifyStandard(post: Post, signed: Signed): Verdict {
  const { secret } = signed;
  const id = headerOf(post, STANDARD_HEADERS.id);
  const time = headerOf(post, STANDARD_HEADERS.time);
  if (id === "" || id.length > 200) return { ok: false, code: "id_missing" };
  if (!isTimely(time, signed)) return { ok: false, code: "time_wrong" };
  const given = headerOf(post, STANDARD_HEADERS.signature).split(" ");
  const matching = standardKeys(secret).filter((key) => {
    const expected = createHmac("sha256", key).update(`${id}.${time}.`).update(post.body).digest("base64");
    return isOneOf(given, `v1,${expected}`);
  });
  const isRight = matching.length > 0;
  return isRight ? { ok: true, messageId: id, isBodyId: false, proofId: null } : { ok: false, code: "signature_wrong" };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * A key in base64 after `whsec_`. Libraries of senders take what has no such beginning as base64 as well, others as the
 * key itself: it is not known which of them signs.
 */
function standardKeys(secret: string): Buffer[] {
  if (secret.startsWith("whsec_")) return [Buffer.from(secret.slice("whsec_".length), "base64")];
  return [Buffer.from(secret), ...(BASE64.test(secret) ? [Buffer.from(secret, "base64")] : [])];
}

/** The HMAC of the body alone, with or without `sha256=` before it: nothing but the body is known to be the sender's. */
function isBodySigned(post: Post, secret: string, config: WebhookConfig): boolean {
  const { signatureHash: hash, signatureEncoding: encoding } = config;
  const expected = createHmac(hash, secret).update(post.body).digest(encoding);
  const given = headerOf(post, config.signatureHeader).replace(new RegExp(`^${hash}=`), "");
  return isSame(encoding === "hex" ? given.toLowerCase() : given, expected);
}

const isOneOf = (given: readonly string[], expected: string): boolean =>
  given.slice(0, MAX_SIGNATURES).filter((one) => isSame(one, expected)).length > 0;

const headerOf = (post: Post, name: string): string => {
  const value = post.headers[name];
  return typeof value === "string" ? value : "";
};

/** Digests are compared, so that neither content nor length shows in the time it takes. */
const isSame = (left: string, right: string): boolean =>
  timingSafeEqual(createHash("sha256").update(left).digest(), createHash("sha256").update(right).digest());
