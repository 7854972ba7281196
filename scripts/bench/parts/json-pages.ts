/** A process of its own that serves JSON records of about 330 bytes in numbered pages of 1,000: the bench's outside system. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const PAGE = 1_000;
const TEMPLATES = 20;
const FIRST = ["Harbor", "Alpen", "Nordic", "Atlas", "Blue", "Civic", "Delta", "Ever"];
const SECOND = ["Logistics", "Foods", "Energy", "Partners", "Textiles", "Medical", "Works", "Systems"];
const CITIES = ["Graz", "Lyon", "Porto", "Gdansk", "Turku", "Ghent", "Bergen", "Brno"];

/** Ids are `p` and six digits of the page, `-` and four of the row: a page is a template with its digits replaced. */
function template(number: number): { body: Buffer; at: number[] } {
  const rows = Array.from({ length: PAGE }, (_, row) => {
    const seed = number * PAGE + row;
    const pick = (list: readonly string[], by: number): string => list[Math.floor(seed / by) % list.length]!;
    return JSON.stringify({
      id: `p000000-${String(row).padStart(4, "0")}`,
      name: `${pick(FIRST, 1)} ${pick(SECOND, 8)} ${seed % 997}`,
      email: `office.${seed}@${pick(FIRST, 3).toLowerCase()}.example.com`,
      phone: `+43 316 ${100000 + (seed % 899999)}`,
      city: pick(CITIES, 5),
      revenue: (seed * 37) % 1_000_000,
      active: seed % 10 !== 0,
      note: `Customer since ${1990 + (seed % 34)}, segment ${seed % 7}, reference ${seed * 7919}, handled by team ${seed % 23}`,
      tags: `alpha;beta;${seed % 50}`,
      updated: new Date(Date.UTC(2026, 0, 1) + seed * 1000).toISOString(),
    });
  });
  const body = Buffer.from(`[${rows.join(",")}]`);
  const at: number[] = [];
  for (let found = body.indexOf('"id":"p'); found >= 0; found = body.indexOf('"id":"p', found + 1)) at.push(found + 7);
  return { body, at };
}

const templates = Array.from({ length: TEMPLATES }, (_, number) => template(number));
const records = Number(process.argv[2] ?? 100_000);
const pages = Math.ceil(records / PAGE);

function page(number: number): Buffer {
  const { body, at } = templates[number % TEMPLATES]!;
  const copy = Buffer.from(body);
  const digits = String(number).padStart(6, "0");
  for (const place of at) copy.write(digits, place, "latin1");
  return copy;
}

const server = createServer((request, response) => {
  const number = Number(new URL(request.url ?? "/", "http://localhost").searchParams.get("page") ?? 1) - 1;
  const body = number < pages ? page(number) : Buffer.from("[]");
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port, bytes: Math.round(page(0).length / PAGE) });
});
process.on("disconnect", () => process.exit(0));
