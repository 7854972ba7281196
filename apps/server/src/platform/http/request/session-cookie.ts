/** Names of the cookies that carry session tokens. The prefix `__Host-` binds a cookie to this very origin over https. */
import type { FastifyRequest } from "fastify";

const isSecure = (baseUrl: string) => baseUrl.startsWith("https:");

/** A cookie of this origin alone: its path must be `/`. */
export const hostCookieName = (name: string, baseUrl: string) => (isSecure(baseUrl) ? `__Host-${name}` : name);
export const sessionCookieName = (baseUrl: string) => hostCookieName("accord_session", baseUrl);
export const shareCookieName = (baseUrl: string) => hostCookieName("accord_share", baseUrl);

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const asToken = (value: string | undefined) => (value !== undefined && TOKEN.test(value) ? value : null);

export const sessionToken = (request: FastifyRequest, baseUrl: string) =>
  asToken(request.cookies[sessionCookieName(baseUrl)]);
export const shareToken = (request: FastifyRequest, baseUrl: string) =>
  asToken(request.cookies[shareCookieName(baseUrl)]);
