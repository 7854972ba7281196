/** Sends the requests of a manifest's streams: only to the origins that it names with these inputs. */
import { classifyNetworkError, ConnectorError, type ConnectContext, type TokenKeeper } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import type { Draft, ParentPage, RawAnswer, Runtime } from "../components/model.ts";
import type { ComponentNode } from "../components/node.ts";
import { plainText } from "../components/plain-text.ts";

/** The whole exchange. */
const TIMEOUT_MS = 60_000;

export type ReadParentPage = (stream: ComponentNode, cursor: Value, signal?: AbortSignal) => Promise<ParentPage>;

type World = Pick<ConnectContext, "send" | "now" | "signal">;

export function makeRuntime(context: World, origins: readonly string[], parentPage: ReadParentPage): Runtime {
  const keepers = new Map<string, TokenKeeper>();
  const tokens = (key: string, make: () => TokenKeeper): TokenKeeper => {
    const keeper = keepers.get(key) ?? make();
    keepers.set(key, keeper);
    return keeper;
  };
  return {
    now: () => context.now(),
    signal: context.signal,
    parentPage,
    tokens,
    exchange: (draft, signal) => exchange(context, origins, draft, signal),
  };
}

async function exchange(
  context: World,
  origins: readonly string[],
  draft: Draft,
  signal?: AbortSignal,
): Promise<RawAnswer> {
  const url = new URL(draft.url);
  // Credentials go to the origins they were entered for, whatever an answer or a record says.
  if (!origins.includes(url.origin))
    throw new ConnectorError(
      "configuration",
      `The address ${url.origin} is none of those that the manifest names (${origins.join(", ")}).`,
      {
        neverSent: true,
        hint: "Links to further pages, and values of records in addresses, must stay on the hosts of the manifest.",
      },
    );
  // A link to the next page has its parameters already.
  const given = new Set(url.searchParams.keys());
  for (const [name, value] of draft.parameters) if (!given.has(name)) url.searchParams.append(name, value);
  const headers: Record<string, string> = { accept: "*/*", ...draft.headers };
  const body = bodyOf(draft, headers);
  for (const value of Object.values(headers))
    if (/[\r\n\0]/.test(value))
      throw new ConnectorError("invalidRequest", "A value for a header holds a line break.", { neverSent: true });
  try {
    const reply = await context.send({
      method: draft.method,
      url: url.href,
      headers,
      secretHeaders: [...draft.secretHeaders],
      secretValues: [...draft.secretValues],
      ...(body !== undefined && { body }),
      timeoutMs: TIMEOUT_MS,
      signal: signal ? AbortSignal.any([signal, context.signal]) : context.signal,
    });
    const ok = reply.status >= 200 && reply.status < 300;
    return { status: reply.status, ok, headers: reply.headers, body: reply.body, place: url.host };
  } catch (error) {
    signal?.throwIfAborted();
    throw classifyNetworkError(error, url.host);
  }
}

function bodyOf({ form, json, text }: Draft, headers: Record<string, string>): string | undefined {
  const kinds = [Object.keys(form).length > 0, Object.keys(json).length > 0, text !== null].filter(Boolean).length;
  if (kinds > 1)
    throw new ConnectorError("configuration", "A request has a form and JSON as its body.", { neverSent: true });
  if (text !== null) return text;
  if (Object.keys(json).length > 0) {
    headers["content-type"] ??= "application/json";
    return JSON.stringify(json);
  }
  if (Object.keys(form).length === 0) return undefined;
  headers["content-type"] ??= "application/x-www-form-urlencoded";
  const pairs = Object.entries(form).flatMap(([name, value]): [string, string][] =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, plainText(one)]),
  );
  return new URLSearchParams(pairs).toString();
}
