/** One thread of `npm run sim`: plays its share of the seeds and sends what came out. */
import { simulate } from "@accord/sync-simulation";
import { parentPort, workerData } from "node:worker_threads";

parentPort?.postMessage(simulate(workerData));
