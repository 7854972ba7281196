/**
 * Runs a bounded number of tasks at a time. Lanes take turns, and within a lane the clients take turns: a flood through
 * one door or from one client delays the others by one task, not by the flood. No lane is given a second place while one
 * without any waits.
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
  /** What is thrown where more would wait; `server_busy` without it. */
  tooMany?: () => Error;
}

export interface FairQueue {
  /** @throws AppError `server_busy`, or `tooMany`, when too many of the lane are waiting; the signal's reason. */
  run<Result>(place: QueuePlace, task: () => Promise<Result>): Promise<Result>;
  /** How many of a lane are waiting. */
  waiting(lane: string): number;
}

type Start = () => void;

interface Lane {
  clients: Map<string, Start[]>;
  waiting: number;
}

const serverBusy = (): Error => new AppError("server_busy", { retryAfterSeconds: 5 });

export function fairQueue({
  maxParallel,
  maxParallelPerLane = maxParallel,
  maxWaiting,
  tooMany = serverBusy,
}: FairQueueOptions): FairQueue {
  /** Lanes in which somebody waits, the one whose turn is next first. */
  const lanes = new Map<string, Lane>();
  const runningByLane = new Map<string, number>();
  let running = 0;

  const runningIn = (lane: string): number => runningByLane.get(lane) ?? 0;
  const hasRoom = (lane: string): boolean => running < maxParallel && runningIn(lane) < maxParallelPerLane;

  function changeRunning(lane: string, by: 1 | -1): void {
    running += by;
    const inLane = runningIn(lane) + by;
    if (inLane > 0) runningByLane.set(lane, inLane);
    else runningByLane.delete(lane);
  }

  function enqueue({ lane, client }: QueuePlace, start: Start): void {
    const { clients, waiting } = lanes.get(lane) ?? { clients: new Map<string, Start[]>(), waiting: 0 };
    if (waiting >= maxWaiting) throw tooMany();
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

  /** Of the lanes that may have one more, one that has the fewest; among equals the one whose turn it is. */
  const nextLane = (): string | undefined =>
    [...lanes.keys()]
      .filter(hasRoom)
      .reduce<string | undefined>(
        (best, lane) => (best === undefined || runningIn(lane) < runningIn(best) ? lane : best),
        undefined,
      );

  /** Starts the first task of the client whose turn it is, in one lane after the other, while there is room. */
  function startNext(): void {
    for (let lane = nextLane(); lane !== undefined; lane = nextLane()) {
      const [client, [start] = []] = [...(lanes.get(lane)?.clients ?? [])][0] ?? [];
      if (client === undefined || !start) return;
      remove(lane, client, start, true);
      // Counted at once, so that nobody slips in before it goes on.
      changeRunning(lane, 1);
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
