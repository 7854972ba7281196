/** A browser window that listens to the message stream. */
import { STREAM_PATH } from "@accord/contracts";
import { io, type Socket } from "socket.io-client";

export interface StreamWindow {
  socket: Socket;
  heard: { name: string; payload: unknown }[];
}

/** With the cookie of a session. Resolves when connected; disconnect the socket afterwards. */
export async function openWindow(
  address: string,
  token: string,
  { origin, transports = ["websocket"] }: { origin?: string; transports?: string[] } = {},
): Promise<StreamWindow> {
  const socket = io(address, {
    path: STREAM_PATH,
    transports,
    reconnection: false,
    forceNew: true,
    extraHeaders: { cookie: `accord_session=${token}`, ...(origin ? { origin } : {}) },
  });
  const heard: StreamWindow["heard"] = [];
  socket.onAny((name: string, payload: unknown) => heard.push({ name, payload }));
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("connect_error", reject);
    });
  } catch (error) {
    socket.disconnect();
    throw error;
  }
  return { socket, heard };
}
