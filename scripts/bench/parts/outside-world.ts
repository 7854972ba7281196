/**
 * A process of its own that posts orders one at a time to an address and receives what is made of them: it measures
 * from the post's beginning to the write's arrival. Told `{ url, secret, posts }`, it answers the milliseconds of each.
 */
import { createHmac, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** Callers are not in step with anything of ours. */
const MAX_PAUSE_MS = 20;

let onArrival: (buyer: string) => void = () => {};

const server = createServer((request, reply) => {
  reply.setHeader("content-type", "application/json");
  if (request.method !== "POST") {
    reply.end("[]");
    return;
  }
  void text(request).then((body) => {
    const { buyer } = JSON.parse(body) as { buyer: string };
    onArrival(buyer);
    reply.writeHead(201).end(JSON.stringify({ id: randomUUID() }));
  });
});

async function postOne(url: string, secret: string): Promise<number> {
  const buyer = randomUUID();
  const body = JSON.stringify({ orders: [{ id: buyer, total: 3, buyer }] });
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", secret).update(`${buyer}.${time}.${body}`).digest("base64");
  const arrived = new Promise<void>((resolve) => {
    onArrival = (name) => name === buyer && resolve();
  });
  const headers = {
    "content-type": "application/json",
    "webhook-id": buyer,
    "webhook-timestamp": String(time),
    "webhook-signature": `v1,${signature}`,
  };
  const began = performance.now();
  const reply = await fetch(url, { method: "POST", headers, body });
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`);
  await reply.text();
  await arrived;
  return performance.now() - began;
}

async function measured({ url, secret, posts }: { url: string; secret: string; posts: number }): Promise<number[]> {
  const times: number[] = [];
  while (times.length < posts) {
    times.push(await postOne(url, secret));
    await sleep(Math.random() * MAX_PAUSE_MS);
  }
  return times;
}

process.on("message", (work: Parameters<typeof measured>[0]) => {
  void measured(work).then((times) => process.send?.(times));
});
process.on("disconnect", () => process.exit(0));
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
