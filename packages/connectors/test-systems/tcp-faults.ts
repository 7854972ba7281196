/** Ports with something wrong: one that nobody listens on, one that accepts and never answers, and a line that can be cut. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};

const close = (server: Server, sockets: Set<Socket>): Promise<void> => {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
};

/** Free a moment ago, so nothing listens there now. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await close(server, new Set());
  return port;
}

/** Takes connections and says nothing. */
export async function silentPort(): Promise<{ port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  return { port: await listen(server), stop: () => close(server, sockets) };
}

export interface CuttableLine {
  port: number;
  /** Until mended: what is sent arrives, and at the first bytes of an answer to `sends(text)` the line is cut. */
  cutAnswersTo(pattern: RegExp): () => void;
  stop(): Promise<void>;
}

/** Forwards to a port of this machine. */
export async function breakableConnection(to: number): Promise<CuttableLine> {
  const sockets = new Set<Socket>();
  let cut: RegExp | null = null;
  const server = createServer((inside) => {
    const outside = connect(to, "127.0.0.1");
    let doomed = false;
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    inside.on("data", (bytes) => {
      if (cut?.test(bytes.toString("latin1"))) doomed = true;
      outside.write(bytes);
    });
    outside.on("data", (bytes) => {
      if (!doomed) inside.write(bytes);
      else {
        inside.destroy();
        outside.end();
      }
    });
    inside.on("close", () => outside.end());
    outside.on("close", () => inside.destroy());
  });
  return {
    port: await listen(server),
    cutAnswersTo(pattern) {
      cut = pattern;
      return () => (cut = null);
    },
    stop: () => close(server, sockets),
  };
}
