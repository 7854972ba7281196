/** JSON Web Tokens of RFC 7519, signed with HMAC SHA-256. Only made here: whoever gets one checks it. */
import { createHmac } from "node:crypto";

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** `secret`: text of 32 bytes or more, as UTF-8. */
export function signToken(claims: Readonly<Record<string, unknown>>, secret: string): string {
  const content = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}
