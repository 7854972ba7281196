/** Headers that keep browsers in bounds, on every answer there is. */
import type { FastifyInstance } from "fastify";

export const isApiPath = (path: string) => /^\/api($|[/?])/.test(path);

/** `secure`: the server is reached by https. */
export const securityHeaders = (secure: boolean): Record<string, string> => ({
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  ...(secure ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
});

/** Of answers that are data, unless they bring their own. */
export const DATA_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

export function addSecurityHeaders(app: FastifyInstance, secure: boolean): void {
  app.addHook("onSend", async (request, reply, payload) => {
    reply.headers(securityHeaders(secure));
    if (isApiPath(request.url)) {
      reply.header("x-request-id", request.id);
      for (const [name, value] of Object.entries(DATA_HEADERS)) if (!reply.hasHeader(name)) reply.header(name, value);
    }
    return payload;
  });
}
