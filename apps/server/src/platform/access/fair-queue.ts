/**
 * Runs a bounded number of tasks at a time. Lanes take turns, and within a lane the clients take turns: a flood through
 * one door or from one client delays the others by one task, not by the flood.
 */
import { AppError } from "../http/app-error.ts";

export interface QueuePlace {
  lane: string;
  client: string;
  /** A task that waits when it is aborted is never started. */
  signal?: AbortSignal;
}

export interface FairQueueOptions {
  maxParallel: number;
  /** Tasks of one lane at once; fewer than `maxParallel` keep room for the others at all times. Default: `maxParallel`. */
  maxParallelPerLane?: number;
  /** Tasks of one lane that may wait. */
  maxWaiting: number;
}

export interface FairQueue {
  /** @throws AppError `server_busy` when too many of the lane are waiting; the signal's reason. */
  run<Result>(place: QueuePlace, task: () => Promise<Result>): Promise<Result>;
  /** How many of a lane are waiting. */
  waiting(lane: string): number;
}

type Start = () => void;

interface Lane {
  clients: Map<string, Start[]>;
  waiting: number;
}

export function fairQueue({ maxParallel, maxParallelPerLane = maxParallel, maxWaiting }: FairQueueOptions): FairQueue {
  /** Lanes in which somebody waits, the one whose turn is next first. */
  const lanes = new Map<string, Lane>();
  const runningByLane = new Map<string, number>();
  let running = 0;

  const hasRoom = (lane: string): boolean =>
    running < maxParallel && (runningByLane.get(lane) ?? 0) < maxParallelPerLane;

  function changeRunning(lane: string, by: 1 | -1): void {
    running += by;
    const inLane = (runningByLane.get(lane) ?? 0) + by;
    if (inLane > 0) runningByLane.set(lane, inLane);
    else runningByLane.delete(lane);
  }

  function enqueue({ lane, client }: QueuePlace, start: Start): void {
    const { clients, waiting } = lanes.get(lane) ?? { clients: new Map<string, Start[]>(), waiting: 0 };
    if (waiting >= maxWaiting) throw new AppError("server_busy", { retryAfterSeconds: 5 });
    lanes.set(lane, { clients, waiting: waiting + 1 });
    clients.set(client, [...(clients.get(client) ?? []), start]);
  }

  /** Takes a waiting task out; its client and its lane go to the end of their lines when `turnEnds`. */
  function remove(laneName: string, client: string, start: Start, turnEnds: boolean): void {
    const lane = lanes.get(laneName);
    const tasks = lane?.clients.get(client);
    if (!lane || !tasks?.includes(start)) return;
    const rest = tasks.filter((one) => one !== start);
    if (turnEnds || rest.length === 0) lane.clients.delete(client);
    if (rest.length > 0) lane.clients.set(client, rest);
    if (turnEnds || lane.clients.size === 0) lanes.delete(laneName);
    if (lane.clients.size > 0) lanes.set(laneName, { ...lane, waiting: lane.waiting - 1 });
  }

  /** Starts the first task of the client whose turn it is, in each lane whose turn it is, while there is room. */
  function startNext(): void {
    for (const [laneName, { clients }] of lanes) {
      const [first] = clients;
      const start = first?.[1][0];
      if (!first || !start || !hasRoom(laneName)) continue;
      remove(laneName, first[0], start, true);
      // Counted at once, so that nobody slips in before it goes on.
      changeRunning(laneName, 1);
      start();
    }
  }

  async function wait(place: QueuePlace): Promise<void> {
    const { signal, lane, client } = place;
    let leave = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        leave = () => {
          remove(lane, client, resolve, false);
          reject(signal?.reason);
        };
        enqueue(place, resolve);
        signal?.addEventListener("abort", leave, { once: true });
      });
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  return {
    waiting: (lane) => lanes.get(lane)?.waiting ?? 0,
    async run(place, task) {
      place.signal?.throwIfAborted();
      if (hasRoom(place.lane)) changeRunning(place.lane, 1);
      else await wait(place);
      try {
        return await task();
      } finally {
        changeRunning(place.lane, -1);
        startNext();
      }
    },
  };
}
