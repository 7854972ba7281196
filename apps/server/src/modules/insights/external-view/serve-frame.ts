/**
 * The page between the application and the external product. It holds nothing but what the application puts into it, and
 * is the only page whose policy allows a foreign origin in a frame: that of the instance's product, as of this request.
 * The application itself may frame pages of its own origin, of which this is the only one that lets itself be framed.
 */
import { randomBytes } from "node:crypto";
import { API_PREFIX } from "@accord/contracts";
import { EXTERNAL_FRAME_PATH } from "@accord/contracts/insights/external-view";
import type { FastifyInstance } from "fastify";
import type { Sessions } from "../../../platform/access/principal.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { sessionToken } from "../../../platform/http/request/session-cookie.ts";
import type { ExternalViewService } from "./external-view.service.ts";

export interface FrameNeeds {
  baseUrl: string;
  sessions: Sessions;
  service: Pick<ExternalViewService, "frameOrigin">;
}

export function serveExternalFrame(app: FastifyInstance, { baseUrl, sessions, service }: FrameNeeds): void {
  app.route({
    method: "GET",
    url: `${API_PREFIX}${EXTERNAL_FRAME_PATH}`,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const token = sessionToken(request, baseUrl);
      const principal = token ? await sessions.find(token) : null;
      if (!principal) throw new AppError("not_signed_in");
      if (principal.purpose !== "full") throw new AppError("password_expired");
      if (!principal.permissions.has("READ_DASHBOARD"))
        throw new AppError("forbidden", { permission: "READ_DASHBOARD" });
      const origin = principal.instanceId === null ? null : await service.frameOrigin(principal.instanceId);
      if (origin === null) throw new AppError("not_found", { what: "Address" });
      const nonce = randomBytes(16).toString("base64");
      return reply
        .type("text/html; charset=utf-8")
        .header("content-security-policy", framePolicy(origin, nonce))
        .send(page(nonce));
    },
    // After the headers of every answer, which forbid all framing.
    onSend: async (_request, reply, payload) => {
      if (reply.statusCode === 200) reply.header("x-frame-options", "SAMEORIGIN");
      return payload;
    },
  });
}

/** Hosts with other characters could be read as a pattern, or as more of the policy. */
const ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/;

const framePolicy = (origin: string, nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `frame-src ${ORIGIN.test(origin) ? origin : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");

const page = (nonce: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Frame</title>` +
  `<style nonce="${nonce}">html,body{height:100%;margin:0;background:#fff;color-scheme:light}iframe{display:block;width:100%;height:100%;border:0}</style>` +
  `</head><body></body></html>`;
