/**
 * Anti-forgery: every write carries a token that only our own page can know, and must come from our own origin.
 * With a session the token is a keyed hash of it; before sign-in it is a signed random value.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { CSRF } from "@accord/contracts";
import type { FastifyRequest } from "fastify";
import type { Secrets } from "../../secrets/secrets.ts";
import { AppError } from "../app-error.ts";
import type { OwnHosts } from "./own-hosts.ts";

export interface AntiForgery {
  /** The token of a session; without one, a fresh token for the sign-in page. */
  token(sessionId: string | null): string;
  /** @throws AppError `forgery_check_failed`. `fromForm`: the token of a posted form, where a page can't set headers. */
  check(request: FastifyRequest, sessionId: string | null, fromForm?: string): void;
}

export function antiForgery(secrets: Pick<Secrets, "sign">, hosts: Pick<OwnHosts, "isOwnOrigin">): AntiForgery {
  const sessionToken = (sessionId: string) => secrets.sign("anti-forgery", `session ${sessionId}`);
  const guestToken = (random: string) => `${random}.${secrets.sign("anti-forgery", `guest ${random}`)}`;

  function isValid(sent: string, request: FastifyRequest, sessionId: string | null): boolean {
    if (sessionId !== null) return isEqual(sent, sessionToken(sessionId));
    // Before sign-in: signed by us and the same as in the cookie, which another site can neither read nor choose.
    const [random = ""] = sent.split(".");
    return isEqual(sent, guestToken(random)) && isEqual(sent, request.cookies[CSRF.cookie] ?? "");
  }

  function checkOrigin(request: FastifyRequest): void {
    if (!isSameOrigin(request, hosts)) throw new AppError("forgery_check_failed");
  }

  return {
    token: (sessionId) => (sessionId === null ? guestToken(randomBytes(16).toString("hex")) : sessionToken(sessionId)),
    check(request, sessionId, fromForm) {
      checkOrigin(request);
      const header = request.headers[CSRF.header];
      const sent = typeof header === "string" ? header : fromForm;
      if (sent === undefined || !isValid(sent, request, sessionId)) throw new AppError("forgery_check_failed");
    },
  };
}

/** What a browser says about where the call comes from must name us; programs that say nothing have the token to show. */
function isSameOrigin({ headers }: FastifyRequest, hosts: Pick<OwnHosts, "isOwnOrigin">): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return headers.origin === undefined || hosts.isOwnOrigin(headers.origin, headers.host);
}

function isEqual(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
