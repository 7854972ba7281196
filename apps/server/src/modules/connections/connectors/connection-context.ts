/** The outside world as connectors get it: every way out guarded, every failure classified. */
import { connectionErrors } from "@accord/contracts/messages/en/synapses/connection-errors";
import { fill } from "@accord/contracts/messages/fill";
import {
  classifyNetworkError,
  ConnectorError,
  type AuthType,
  type ConnectContext,
  type ConnectorDefinition,
  type HttpReply,
  type HttpRequest,
} from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { Values } from "@accord/contracts/data/values";
import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../../../platform/deps.ts";
import type { SendPermit } from "../../../platform/lease-deadline.ts";
import { OutboundError } from "../../../platform/outbound/outbound.ts";
import { resolveFilesFolder } from "./files-folder.ts";

/** Pages of records may be larger than other answers. */
const MAX_PAGE_SIZE = 50_000_000;

export type ContextDeps = Pick<Deps, "outbound" | "config" | "clock" | "log">;

export function connectContext(
  deps: ContextDeps,
  connection: {
    instanceId: Id<"instance">;
    type: ConnectorDefinition;
    config: Values;
    authType: string;
    credentials: Record<string, string>;
  },
  signal: AbortSignal,
  assertMaySend?: SendPermit["assertMaySend"],
): ConnectContext {
  return {
    config: connection.config,
    // Saved only if the type offers it.
    authType: connection.authType as AuthType,
    credentials: connection.credentials,
    send: (request) => send(deps, request, assertMaySend),
    resolveHost: async (host, port) => {
      try {
        const { address } = await deps.outbound.resolveHost(host, port);
        return { address, port };
      } catch (error) {
        throw outboundFailure(error, `${host}:${port}`);
      }
    },
    resolveFolder: (path) => resolveFilesFolder(deps.config, connection.instanceId, path),
    now: () => deps.clock.now(),
    sleep: (milliseconds, waitSignal) => pause(milliseconds, undefined, { signal: waitSignal ?? signal }),
    signal,
    log: (level, message, facts) => deps.log[level]({ connector: connection.type.type, ...facts }, message),
  };
}

/** Methods that change nothing. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

async function send(
  { outbound }: ContextDeps,
  request: HttpRequest,
  assertMaySend: SendPermit["assertMaySend"] | undefined,
): Promise<HttpReply> {
  try {
    const { url, ...init } = request;
    const isSafe = SAFE_METHODS.has(init.method.toUpperCase());
    const checks = [
      ...(assertMaySend && !isSafe ? [assertMaySend] : []),
      ...(init.beforeSend ? [init.beforeSend] : []),
    ];
    const check = checks.length > 0 ? { beforeSend: () => checks.forEach((isAllowed) => isAllowed()) } : {};
    const { status, headers, body } = await outbound.guardedFetch(url, { ...init, ...check, maxBytes: MAX_PAGE_SIZE });
    return { status, headers, body };
  } catch (error) {
    if (error instanceof ConnectorError) throw error;
    throw outboundFailure(error, new URL(request.url).host);
  }
}

export function outboundFailure(error: unknown, place: string): ConnectorError {
  if (!(error instanceof OutboundError)) return classifyNetworkError(error, place);
  const { cause } = error;
  switch (error.reason) {
    case "refused":
      return new ConnectorError("outboundRefused", fill(connectionErrors.outboundRefused, { place }), {
        cause,
        neverSent: true,
        hint: connectionErrors.outboundRefusedHint,
      });
    case "bad_url":
      return new ConnectorError("configuration", fill(connectionErrors.noAddress, { place }), {
        cause,
        neverSent: true,
        hint: connectionErrors.noAddressHint,
      });
    case "not_found":
      return new ConnectorError("unreachable", fill(connectionErrors.noHost, { host: place.replace(/:\d+$/, "") }), {
        cause,
        neverSent: true,
        hint: connectionErrors.noHostHint,
      });
    case "timeout":
      return new ConnectorError("timeout", fill(connectionErrors.timeout, { place }), {
        cause,
        hint: connectionErrors.timeoutHint,
      });
    case "too_big":
      return new ConnectorError("unexpected", fill(connectionErrors.answerTooLarge, { place }), {
        cause,
        hint: connectionErrors.answerTooLargeHint,
      });
    case "too_many_redirects":
      return new ConnectorError("configuration", fill(connectionErrors.redirectsOn, { place }), {
        cause,
        hint: connectionErrors.redirectHint,
      });
    case "redirect_refused":
      return new ConnectorError("configuration", error.message, { cause });
    case "certificate":
    case "connection":
    case "aborted":
      return classifyNetworkError(cause ?? error, place);
    default:
      return error.reason satisfies never;
  }
}
