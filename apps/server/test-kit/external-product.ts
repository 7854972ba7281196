/** An analytics product of a test's own, behind real HTTP: checks the token of each call, has lists, and pages to embed. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ExternalProduct {
  origin: string;
  host: string;
  secret: string;
  /** Paths that were asked for, in order, and the claims that came with them; null: the token was refused. */
  calls: { path: string; claims: Record<string, unknown> | null; referrer: string | undefined }[];
  /** What it answers under `/api`, in place of its lists. */
  answer: ((response: ServerResponse) => void) | null;
  /** Where its pages may be framed: the header `frame-ancestors`. */
  ancestors: string;
  close(): Promise<void>;
}

const DASHBOARDS = [
  { id: "sales/emea", name: "Sales in EMEA", description: "Orders by country", updatedAt: "2026-05-01T10:00:00Z" },
  { id: 7, name: "Support" },
];
const DATASETS = [{ id: "orders", name: "Orders", description: "One row an order" }];
const CARDS = [{ id: "kpi-1", name: "Orders this month" }];
const COLUMNS = [
  { name: "id", type: "integer" },
  { name: "country", label: "Country", type: "text" },
];
const ROWS = [
  [9007199254740991, "Norway"],
  [2, null],
];

export const productSecret = "a secret of the test's own, long enough";

/** Tokens must be of this issuer, for this audience. */
export interface ExpectedClaims {
  issuer: () => string;
  audience?: string;
}

export async function startExternalProduct({ issuer, audience }: ExpectedClaims): Promise<ExternalProduct> {
  const server = createServer((request, response) => serve(product, request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const product: ExternalProduct & { expected: () => { iss: string; aud: string } } = {
    ...{ origin, host: `127.0.0.1:${port}`, secret: productSecret, calls: [], answer: null, ancestors: "*" },
    expected: () => ({ iss: issuer(), aud: audience ?? origin }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return product;
}

/** As docs/external-view.md asks for: signature and algorithm, issuer, audience, time. */
export function readToken(token: string, secret: string, expected: { iss: string; aud: string }) {
  const [head = "", body = "", signature = ""] = token.split(".");
  const wanted = createHmac("sha256", secret).update(`${head}.${body}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  const header: Record<string, unknown> = JSON.parse(Buffer.from(head, "base64url").toString());
  const claims: Record<string, unknown> = JSON.parse(Buffer.from(body, "base64url").toString());
  const now = Date.now() / 1_000;
  const { exp, iat } = claims;
  if (header["alg"] !== "HS256" || typeof exp !== "number" || typeof iat !== "number") return null;
  if (exp <= now || exp - iat > 600 || iat > now + 60) return null;
  return claims["iss"] === expected.iss && claims["aud"] === expected.aud ? claims : null;
}

function serve(
  product: ExternalProduct & { expected: () => { iss: string; aud: string } },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? "/", product.origin);
  const token = url.searchParams.get("token") ?? request.headers.authorization?.replace(/^Bearer /, "") ?? "";
  const claims = readToken(token, product.secret, product.expected());
  product.calls.push({ path: url.pathname, claims, referrer: request.headers.referer });
  if (url.pathname.startsWith("/embed")) return page(product, url.pathname, claims, response);
  if (product.answer) return product.answer(response);
  if (!claims) return json(response, 401, { message: `The token ${token} was not signed for this product.` });
  const found = LISTS[url.pathname];
  if (found === undefined) return json(response, 404, { message: "There is no such list." });
  json(response, 200, found);
}

const LISTS: Readonly<Record<string, unknown>> = {
  "/api/access": {},
  "/api/dashboards": { items: DASHBOARDS },
  "/api/datasets": { items: DATASETS },
  "/api/datacards": { items: CARDS },
  "/api/datasets/orders": { ...DATASETS[0], columns: COLUMNS },
  "/api/datasets/orders/rows": { columns: COLUMNS, rows: ROWS },
};

function page(
  { ancestors }: ExternalProduct,
  path: string,
  claims: Record<string, unknown> | null,
  response: ServerResponse,
): void {
  response.writeHead(claims ? 200 : 401, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `frame-ancestors ${ancestors}`,
  });
  const words = claims ? `Embedded ${decodeURIComponent(path)}` : "No access";
  response.end(`<!doctype html><html lang="en"><title>Product</title><main><h1>${words}</h1>
    <p id="ran"></p><script>document.getElementById("ran").textContent = "Its script ran";</script></main></html>`);
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
