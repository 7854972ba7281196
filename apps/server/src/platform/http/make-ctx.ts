/** Builds the `Ctx` of one call. Reading what the call does not have is refused, never undefined. */
import type { Permission } from "@accord/contracts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Principal } from "../access/principal.ts";
import type { Ctx, Exchange, ShareViewer } from "../ctx.ts";
import { AppError } from "./app-error.ts";
import { callerSignal } from "./request/caller-gone.ts";
import { clientAddress, networkOf } from "./request/client-address.ts";

export function makeCtx(caller: {
  requestId: string;
  principal: Principal | null;
  viewer: ShareViewer | null;
  exchange: Exchange;
}): Ctx {
  const { principal, viewer } = caller;
  const can = (permission: Permission) => principal?.permissions.has(permission) ?? false;
  return {
    requestId: caller.requestId,
    exchange: caller.exchange,
    signedIn: principal !== null,
    purpose: principal?.purpose ?? null,
    hasInstance: Boolean(principal?.instanceId ?? viewer?.instanceId),
    get actor() {
      if (!principal) throw new AppError("not_signed_in");
      return principal;
    },
    get viewer() {
      if (!viewer) throw new AppError("share_password_required");
      return viewer;
    },
    get instanceId() {
      const id = principal?.instanceId ?? viewer?.instanceId;
      if (!id) throw new AppError("not_found", { what: "Instance" });
      return id;
    },
    get organisationId() {
      const id = principal?.organisationId ?? viewer?.organisationId;
      if (!id) throw new AppError("not_signed_in");
      return id;
    },
    schemaVersion: principal?.schemaVersion ?? null,
    isOrganisationAdmin: principal?.isOrganisationAdmin ?? false,
    permissions: principal?.permissions ?? new Set(),
    can,
    demand(permission) {
      if (!can(permission)) throw new AppError("forbidden", { permission });
    },
  };
}

export function createHttpExchange(request: FastifyRequest, reply: FastifyReply, secure: boolean): Exchange {
  const address = clientAddress(request);
  return {
    address,
    network: networkOf(address),
    signal: callerSignal(reply.raw),
    userAgent: request.headers["user-agent"]?.slice(0, 300) ?? "",
    cookie: (name) => request.cookies[name],
    setCookie(name, value, { path, sameSite, maxAge, readable }) {
      void reply.setCookie(name, value, { path, sameSite, maxAge, httpOnly: !readable, secure });
    },
    clearCookie(name, { path }) {
      void reply.clearCookie(name, { path, secure, httpOnly: true, sameSite: "lax" });
    },
    setHeader(name, value) {
      void reply.header(name, value);
    },
  };
}
