/** An open connection of an uploaded synapse: each call goes to its process, each request of it through the server's way out. */
import { ConnectorError, type ConnectContext, type Connection, type WriteRequest } from "@accord/connector-sdk";
import type { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import { z } from "zod";
import { keptProgram } from "./kept-program.ts";
import { originsFor } from "./origins.ts";
import { readEntities, readIds, readOutcomes, readPage, readRecords } from "./results.ts";

const MAX_REQUEST_MS = 45_000;
const MAX_ANSWER_BYTES = 6_000_000;

const Headers = z.record(z.string().max(200), z.string().max(20_000));
/** A request as the program asks for it. */
const AskedRequest = z.object({
  method: z.string().regex(/^[A-Za-z]{1,20}$/, "must be a method of HTTP"),
  url: z.string().max(20_000),
  headers: Headers.default({}),
  secretHeaders: z.array(z.string().max(200)).max(50).optional(),
  secretValues: z.array(z.string().max(20_000)).max(50).optional(),
  body: z.string().max(8_000_000).optional(),
  timeoutMs: z.number().min(1).default(30_000),
});

/** Answers what the program asks for while one call is under way. */
export function askedOf(
  context: Pick<ConnectContext, "send">,
  origins: readonly string[],
  assertMaySend?: WriteRequest["assertMaySend"],
) {
  return async (name: string, args: unknown, signal: AbortSignal): Promise<unknown> => {
    const asked = name === "send" ? AskedRequest.safeParse(args) : null;
    if (!asked?.success)
      throw new ConnectorError("invalidRequest", asked ? z.prettifyError(asked.error) : `Nobody answers ${name}.`);
    const { timeoutMs, ...request } = asked.data;
    const origin = URL.canParse(request.url) ? new URL(request.url).origin : null;
    if (origin === null || !origins.includes(origin))
      throw new ConnectorError("outboundRefused", `The synapse may not send requests to ${origin ?? "no address"}.`, {
        hint: `It declares ${origins.join(", ") || "no addresses"}: its author has to add others to origins.`,
      });
    const reply = await context.send({
      ...request,
      timeoutMs: Math.min(timeoutMs, MAX_REQUEST_MS),
      onlyOrigins: origins,
      signal,
      ...(assertMaySend && request.method.toUpperCase() !== "GET" && { beforeSend: assertMaySend }),
    });
    if (reply.body.byteLength > MAX_ANSWER_BYTES)
      throw new ConnectorError("unexpected", `${origin} answered more than 6 MB at once.`, {
        hint: "Ask for smaller pages.",
      });
    return { status: reply.status, headers: reply.headers, body: Buffer.from(reply.body).toString("base64") };
  };
}

export function connectProgram(context: ConnectContext, description: SynapseDescription): Connection {
  const origins = originsFor(description.origins, context.config);
  const { config, authType, credentials } = context;
  const kept = keptProgram(context, async (program) => {
    await program.call(
      "open",
      { config, authType, credentials },
      { signal: context.signal, ask: askedOf(context, origins) },
    );
  });
  const call = (
    name: string,
    args: object,
    { signal = context.signal, assertMaySend }: Pick<WriteRequest, "signal" | "assertMaySend"> = {},
  ): Promise<unknown> => kept.call(name, args, { signal, ask: askedOf(context, origins, assertMaySend) });
  const can = new Set<string>(description.capabilities);
  const isWriting = can.has("create") || can.has("update") || can.has("delete");
  return {
    async check() {
      await call("check", {});
    },
    async *discover({ only }) {
      const entities = readEntities(await call("discover", only ? { only } : {}));
      const wanted = entities.filter(({ apiName }) => !only || only.includes(apiName));
      for (const [at, entity] of wanted.entries()) yield { entity, done: at + 1, total: wanted.length };
    },
    read: async ({ signal, ...request }) => readPage(await call("read", request, { signal }), request.entity),
    ...(can.has("listIds") && {
      listIds: async ({ signal, ...request }) => readIds(await call("listIds", request, { signal })),
    }),
    ...(can.has("getById") && {
      getByIds: async (request) => readRecords("getByIds", await call("getByIds", request), request.entity),
    }),
    ...(can.has("lookup") && {
      lookup: async (request) => readRecords("lookup", await call("lookup", request), request.entity),
    }),
    ...(isWriting && {
      write: async ({ signal, assertMaySend, ...request }) => {
        assertMaySend?.();
        const answer = await call("write", request, { signal, assertMaySend });
        return readOutcomes(answer, request.operations.length, request.entity);
      },
    }),
    close: () => kept.close(),
  } satisfies Connection;
}
