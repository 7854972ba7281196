/** Serves the description of the API: for machines at `openapi.json`, for people at `reference`. */
import { randomBytes } from "node:crypto";
import { API_PREFIX, type AnyEndpoint } from "@accord/contracts";
import type { FastifyInstance } from "fastify";
import { openApiDocument } from "./openapi.ts";
import { referencePage } from "./reference-page.ts";
import { sessionCookieName } from "../request/session-cookie.ts";

export function serveApiDocuments(app: FastifyInstance, endpoints: readonly AnyEndpoint[], baseUrl: string): void {
  const make = () => openApiDocument(endpoints, { baseUrl, cookieName: sessionCookieName(baseUrl) });
  let document: ReturnType<typeof make> | undefined;

  app.get(`${API_PREFIX}/openapi.json`, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(JSON.stringify((document ??= make()))),
  );
  app.get(`${API_PREFIX}/reference`, async (_request, reply) => {
    const nonce = randomBytes(16).toString("base64");
    return reply
      .type("text/html; charset=utf-8")
      .header(
        "content-security-policy",
        `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      )
      .send(referencePage((document ??= make()), nonce));
  });
}
