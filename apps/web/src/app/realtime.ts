/**
 * The message stream. `useEvent(runProgressed, (payload) => …)` in a component, or
 * `refreshOn(pipelineChanged, [listPipelines])` of queries.ts once in a feature's queries file.
 */
import { STREAM_PATH, type EventSpec } from "@accord/contracts";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import type { Socket } from "socket.io-client";
import type { z } from "zod";
import { loadUntilThere } from "./lazy-screen.ts";

export type StreamState = "off" | "live" | "reconnecting";

const FIRST_RETRY_MS = 3_000;
const NEXT_RETRY_MS = 10_000;
const MAX_RETRIES = 1_000;

let state: StreamState = "off";
let isWanted = false;
let socket: Socket | undefined;
let retries = 0;
const stateListeners = new Set<() => void>();
const handlers = new Map<string, Set<(payload: unknown) => void>>();

function setState(next: StreamState): void {
  if (next === state) return;
  state = next;
  for (const listener of stateListeners) listener();
}

export const isStreamLive = (): boolean => state === "live";

/** Opens the stream for the signed-in session; opening twice is harmless. */
export function openStream(): void {
  if (isWanted) return;
  isWanted = true;
  void connect();
}

/** The library is not loaded before somebody has signed in; without it screens refresh by polling. */
async function connect(): Promise<void> {
  const { io } = await loadUntilThere(() => import("socket.io-client"));
  if (!isWanted || socket) return;
  socket = io({
    path: STREAM_PATH,
    transports: ["websocket", "polling"],
    reconnectionDelay: 1_000,
    reconnectionDelayMax: 5_000,
    reconnectionAttempts: 12,
    timeout: 60_000,
  });
  socket.on("connect", () => {
    retries = 0;
    setState("live");
  });
  socket.on("disconnect", (reason) => {
    setState("reconnecting");
    if (reason === "io server disconnect") retryLater();
  });
  socket.on("connect_error", () => setState("reconnecting"));
  // After the library's own quick attempts the slow outer loop goes on.
  socket.io.on("reconnect_failed", retryLater);
  socket.onAny((name: string, payload: unknown) => {
    for (const handler of handlers.get(name) ?? []) handler(payload);
  });
}

function retryLater(): void {
  if (retries >= MAX_RETRIES) return setState("off");
  const wait = retries === 0 ? FIRST_RETRY_MS : NEXT_RETRY_MS;
  retries += 1;
  setTimeout(() => socket?.connect(), wait);
}

/** Ends the stream, on sign-out. */
export function closeStream(): void {
  isWanted = false;
  socket?.close();
  socket = undefined;
  setState("off");
}

/** Calls `handler` for each such message; returns how to stop. A payload that doesn't parse is reported and dropped. */
export function onEvent<Payload extends z.ZodType>(
  event: Readonly<EventSpec<Payload>>,
  handler: (payload: z.output<Payload>) => void,
): () => void {
  const receive = (raw: unknown) => {
    const parsed = event.payload.safeParse(raw);
    if (parsed.success) handler(parsed.data);
    // oxlint-disable-next-line no-console -- a mismatch of server and page is for developers to see
    else console.error(`Unexpected payload of ${event.name}`, parsed.error.issues);
  };
  const set = handlers.get(event.name) ?? new Set();
  handlers.set(event.name, set.add(receive));
  return () => void set.delete(receive);
}

/** Listens while the component is shown. */
export function useEvent<Payload extends z.ZodType>(
  event: Readonly<EventSpec<Payload>>,
  handler: (payload: z.output<Payload>) => void,
): void {
  const latest = useEffectEvent(handler);
  useEffect(() => onEvent(event, (payload) => latest(payload)), [event]);
}

const subscribe = (listener: () => void) => {
  stateListeners.add(listener);
  return () => void stateListeners.delete(listener);
};

/** Whether live messages arrive: for the mark in the top bar. */
export const useStreamState = (): StreamState => useSyncExternalStore(subscribe, () => state);
