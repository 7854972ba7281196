/**
 * Runs a bounded number of tasks at a time. Lanes take turns, and within a lane the clients take turns: a flood through
 * one door or from one client delays the others by one task, not by the flood.
 */
import { AppError } from "../http/app-error.ts";

export interface QueuePlace {
  lane: string;
  client: string;
}

export interface FairQueue {
  /** @throws AppError `server_busy` when too many of the lane are waiting. */
  run<Result>(place: QueuePlace, task: () => Promise<Result>): Promise<Result>;
  /** How many of a lane are waiting. */
  waiting(lane: string): number;
}

type Start = () => void;

export function fairQueue({ maxParallel, maxWaiting }: { maxParallel: number; maxWaiting: number }): FairQueue {
  const lanes = new Map<string, { clients: Map<string, Start[]>; waiting: number }>();
  let running = 0;

  function enqueue({ lane, client }: QueuePlace, start: Start): void {
    const waitingInLane = lanes.get(lane) ?? { clients: new Map<string, Start[]>(), waiting: 0 };
    if (waitingInLane.waiting >= maxWaiting) throw new AppError("server_busy", { retryAfterSeconds: 5 });
    lanes.set(lane, waitingInLane);
    waitingInLane.waiting++;
    const tasks = waitingInLane.clients.get(client) ?? [];
    tasks.push(start);
    waitingInLane.clients.set(client, tasks);
  }

  /** The first task of the client whose turn it is, in the lane whose turn it is; both go to the end of their line. */
  function dequeue(): Start | undefined {
    const [lane] = lanes;
    if (!lane) return undefined;
    const [laneName, { clients }] = lane;
    lanes.delete(laneName);
    const [first] = clients;
    if (!first) return undefined;
    const [client, tasks] = first;
    clients.delete(client);
    const start = tasks.shift();
    if (tasks.length > 0) clients.set(client, tasks);
    lane[1].waiting--;
    if (clients.size > 0) lanes.set(laneName, lane[1]);
    return start;
  }

  return {
    waiting: (lane) => lanes.get(lane)?.waiting ?? 0,
    async run(place, task) {
      if (running >= maxParallel)
        await new Promise<void>((resolve, reject) => {
          try {
            enqueue(place, resolve);
          } catch (error) {
            reject(error);
          }
        });
      else running++;
      try {
        return await task();
      } finally {
        // A finished task hands its place over, so that nobody slips in between.
        const next = dequeue();
        if (next) next();
        else running--;
      }
    },
  };
}
