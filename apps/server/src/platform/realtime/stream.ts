/**
 * The message stream: socket.io at STREAM_PATH. Sockets belong to a session; the server alone decides which channels
 * they are in. Messages travel by NOTIFY, so that a worker process reaches browsers connected to a web process.
 */
import { STREAM_PATH, type Id, type Permission } from "@accord/contracts";
import type { FastifyInstance } from "fastify";
import { Server, type Socket } from "socket.io";
import type { Principal, Sessions } from "../access/principal.ts";
import { listen, notify, NOTIFY_LIMIT_BYTES } from "../db/listen.ts";
import type { Pool } from "../db/db.ts";
import type { Log } from "../log/log.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Realtime } from "./realtime.ts";

/** Only processes with the master key know the channel: other roles of the database can't speak in it. */
const channelOf = (secrets: Pick<Secrets, "sign">): string =>
  `accord_${secrets.sign("realtime channel", "").slice(0, 32)}`;
/** A socket's session is looked at again this often, so that idle windows end with it. */
const RECHECK_MS = 60_000;

const rooms = {
  instance: (id: string) => `instance:${id}`,
  /** Those of an instance who hold a permission. */
  permitted: (id: string, permission: Permission) => `instance:${id}:${permission}`,
  user: (id: string) => `user:${id}`,
  session: (id: string) => `session:${id}`,
};

type Message = { kind: "push"; room: string; event: string; payload: unknown } | { kind: "disconnect"; room: string };

export function realtime(pool: Pool, secrets: Pick<Secrets, "sign">): Realtime {
  const channel = channelOf(secrets);
  const post = async (message: Message): Promise<void> => {
    const text = JSON.stringify(message);
    if (Buffer.byteLength(text) > NOTIFY_LIMIT_BYTES) {
      throw new RangeError("A pushed message holds at most 7,900 bytes: push what changed, let the browser read it.");
    }
    await notify(pool, channel, text);
  };
  return {
    publish: (instanceId, event, payload) =>
      post({
        kind: "push",
        room: event.access === "signedIn" ? rooms.instance(instanceId) : rooms.permitted(instanceId, event.access),
        event: event.name,
        payload: event.payload.parse(payload),
      }),
    publishToUser: (userId, event, payload) =>
      post({ kind: "push", room: rooms.user(userId), event: event.name, payload: event.payload.parse(payload) }),
    disconnect: (who) =>
      post({ kind: "disconnect", room: "sessionId" in who ? rooms.session(who.sessionId) : rooms.user(who.userId) }),
  };
}

export interface StreamOptions {
  app: FastifyInstance;
  url: string;
  log: Log;
  secrets: Pick<Secrets, "sign">;
  sessions: Sessions;
  /** The session token in a Cookie header, or null. */
  tokenOf: (cookieHeader: string | undefined) => string | null;
  /** Whether a page of this origin may connect. */
  mayConnect: (headers: { origin?: string; host?: string }) => boolean;
}

/** Attaches the stream to the HTTP server. */
export async function serveStream(options: StreamOptions): Promise<() => Promise<void>> {
  const { app, url, log, secrets, sessions, tokenOf, mayConnect } = options;
  const io = new Server(app.server, {
    path: STREAM_PATH,
    serveClient: false,
    transports: ["websocket", "polling"],
    connectTimeout: 60_000,
    maxHttpBufferSize: 16_384,
    allowRequest: ({ headers }, done) => done(null, mayConnect(headers)),
  });

  const find = async (socket: Socket): Promise<Principal | null> => {
    const token = tokenOf(socket.handshake.headers.cookie);
    const principal = token ? await sessions.find(token) : null;
    return principal?.purpose === "full" ? principal : null;
  };
  io.use((socket, next) => {
    find(socket).then(
      (principal) => (principal ? join(socket, principal).then(() => next(), next) : next(new Error("not_signed_in"))),
      () => next(new Error("server_busy")),
    );
  });

  const stopListening = await listen({
    url,
    channel: channelOf(secrets),
    name: "realtime",
    log,
    onMessage: (text) => deliver(io, JSON.parse(text) as Message),
    // Whoever was connected may have missed something: they reconnect and read anew.
    onGap: () => io.disconnectSockets(true),
  });
  const recheck = setInterval(() => void recheckAll(io, find), RECHECK_MS);
  recheck.unref();

  return async () => {
    clearInterval(recheck);
    await stopListening();
    await io.close();
  };
}

function deliver(io: Server, message: Message): void {
  if (message.kind === "disconnect") {
    io.in(message.room).disconnectSockets(true);
  } else {
    io.to(message.room).emit(message.event, message.payload);
  }
}

/** Channels come from the session alone: there is no message by which a browser could ask for another one. */
async function join(socket: Socket, principal: Principal): Promise<void> {
  await socket.join([rooms.session(principal.sessionId), rooms.user(principal.userId)]);
  const { instanceId, permissions } = principal;
  if (!instanceId) return;
  // A change of roles closes the window: what it joined holds as long as it is open.
  await socket.join([rooms.instance(instanceId), ...[...permissions].map((one) => rooms.permitted(instanceId, one))]);
}

async function recheckAll(io: Server, find: (socket: Socket) => Promise<Principal | null>): Promise<void> {
  for (const socket of io.sockets.sockets.values()) {
    const principal = await find(socket).catch(() => undefined);
    if (principal === undefined) continue;
    const room = principal?.instanceId && rooms.instance(principal.instanceId as Id<"instance">);
    if (!principal || (room && !socket.rooms.has(room))) socket.disconnect(true);
  }
}
