/**
 * A strict OAuth 2 authorisation server with an API behind it, for tests: a consent page, PKCE, exact redirect addresses,
 * codes that count once, rotation with reuse detection, `iss`, and answers that are slow, lost or refusals on demand.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { GrantBook, TokenRefusal, type GrantHabits } from "./grants.ts";

export interface AuthorizationHabits extends GrantHabits {
  clientId: string;
  /** null: a public client. */
  clientSecret: string | null;
  clientAuthentication: "basic" | "body";
  /** Addresses that the app is registered with; with a single one a request need not be of another. */
  redirectUris: string[];
  /** Who signs in there. */
  account: { id: string; name: string };
  /** `sub` is said in an id token; changes of its claims. null: no id token, whatever is asked for. */
  idToken: Record<string, unknown> | null;
  /** What `iss` says, `own` for the server itself; null: the answer names no issuer. */
  issuer: string | null;
  /** Milliseconds before the token address answers. */
  slowMs: number;
  /** As many requests for tokens are carried out and never answered. */
  loseNext: number;
  /** The next requests for tokens are answered with these statuses, and not carried out. */
  failNext: number[];
  /** What those answers say about when to ask again. */
  retryAfter: string | null;
  /** The API takes no token at all. */
  refusesTokens: boolean;
}

export interface AuthorizationServer {
  url: string;
  habits: AuthorizationHabits;
  grants: GrantBook;
  /** `grant_type` of each request at the token address. */
  tokenRequests: string[];
  /** Calls of the API. */
  readonly apiCalls: number;
  /** What a browser does with the address: opens the page, consents or denies. Answers where it is sent to. */
  decide(authorizationUrl: string, choice: "allow" | "deny"): Promise<URL>;
  stop(): Promise<void>;
}

export const CLIENT = { clientId: "accord-client", clientSecret: "s3cret+of/the client" };

const RECORDS = [
  { id: 1, name: "Ada & Sons", updated_at: "2026-01-01T00:00:00Z" },
  { id: 2, name: "Brunel", updated_at: "2026-01-02T00:00:00Z" },
];

export async function startAuthorizationServer(given: Partial<AuthorizationHabits> = {}): Promise<AuthorizationServer> {
  const habits: AuthorizationHabits = {
    ...CLIENT,
    ...{ clientAuthentication: "basic", redirectUris: [], issuer: null, idToken: {} },
    account: { id: "acct-1", name: "Northwind" },
    ...{ expiresIn: 3600, codeMs: 60_000, rotates: true, givesRefreshTokens: true },
    ...{ slowMs: 0, loseNext: 0, failNext: [], retryAfter: null, refusesTokens: false, namedLife: null },
    ...given,
  };
  const grants = new GrantBook(habits);
  const tokenRequests: string[] = [];
  const world: World = { habits, grants, tokenRequests, apiCalls: 0, url: "", nonces: new Map() };
  const server = createServer((request, response) => {
    handle(world, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  world.url = `http://127.0.0.1:${port}`;
  return {
    url: world.url,
    habits,
    grants,
    tokenRequests,
    get apiCalls() {
      return world.apiCalls;
    },
    async decide(authorizationUrl, choice) {
      const page = await fetch(authorizationUrl, { redirect: "manual" });
      if (page.status !== 200) throw new Error(`The consent page answered ${page.status}: ${await page.text()}`);
      const body = new URLSearchParams({ choice, ...Object.fromEntries(new URL(authorizationUrl).searchParams) });
      const answer = await fetch(`${world.url}/decide`, { method: "POST", body, redirect: "manual" });
      return new URL(answer.headers.get("location") ?? "");
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface World {
  habits: AuthorizationHabits;
  grants: GrantBook;
  tokenRequests: string[];
  apiCalls: number;
  url: string;
  /** By code. */
  nonces: Map<string, string | null>;
}

async function handle(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", world.url);
  switch (`${request.method} ${url.pathname}`) {
    case "GET /authorize":
      return showConsent(world, url.searchParams, response);
    case "POST /decide":
      return decide(world, await formOf(request), response);
    case "POST /token":
      return giveTokens(world, request, response);
    case "GET /me":
      return showAccount(world, request, response);
    case "GET /companies":
      return listCompanies(world, request, response);
    default:
      response.writeHead(404).end();
  }
}

/** What is wrong with an authorisation request; it goes back to nobody, as the redirect address may be the fault. */
function requestFault({ habits }: World, query: URLSearchParams): string | null {
  if (query.get("response_type") !== "code") return "response_type must be code";
  if (query.get("client_id") !== habits.clientId) return "unknown client";
  if (!habits.redirectUris.includes(query.get("redirect_uri") ?? "")) return "redirect_uri is not the registered one";
  if (query.get("code_challenge_method") !== "S256") return "PKCE with S256 is required";
  if (!/^[A-Za-z0-9_-]{43}$/.test(query.get("code_challenge") ?? "")) return "code_challenge is missing";
  return (query.get("state") ?? "").length < 20 ? "state is missing" : null;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function showConsent(world: World, query: URLSearchParams, response: ServerResponse): void {
  const fault = requestFault(world, query);
  if (fault) {
    response.writeHead(400, { "content-type": "text/plain" }).end(fault);
    return;
  }
  const hidden = [...query].map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!doctype html><html lang="en"><title>Consent</title><h1>Accord wants to read your companies</h1>
    <form method="post" action="/decide">${hidden.join("")}
    <button name="choice" value="allow">Allow</button> <button name="choice" value="deny">Deny</button></form></html>`);
}

function decide(world: World, form: URLSearchParams, response: ServerResponse): void {
  const fault = requestFault(world, form);
  if (fault) {
    response.writeHead(400).end(fault);
    return;
  }
  const { habits, grants, url } = world;
  const redirectUri = form.get("redirect_uri") ?? "";
  const back = new URL(redirectUri);
  back.searchParams.set("state", form.get("state") ?? "");
  if (habits.issuer !== null) back.searchParams.set("iss", habits.issuer === "own" ? url : habits.issuer);
  if (form.get("choice") === "allow") {
    const of = { clientId: habits.clientId, scope: form.get("scope") ?? "", redirectUri };
    const { account } = habits;
    const code = grants.code({ ...of, account, challenge: form.get("code_challenge") ?? "" });
    world.nonces.set(code, form.get("nonce"));
    back.searchParams.set("code", code);
  } else {
    back.searchParams.set("error", "access_denied");
    back.searchParams.set("error_description", "The person said <b>no</b>.");
  }
  response.writeHead(302, { location: back.href }).end();
}

async function giveTokens(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { habits, grants, tokenRequests } = world;
  const form = await formOf(request);
  const kind = form.get("grant_type") ?? "";
  tokenRequests.push(kind);
  const status = habits.failNext.shift();
  if (status !== undefined) {
    const later = habits.retryAfter === null ? {} : { "retry-after": habits.retryAfter };
    response.writeHead(status, { "content-type": "text/plain", ...later }).end("not now");
    return;
  }
  const answer = answerOf(() => {
    const clientId = clientOf(habits, request, form);
    if (kind === "authorization_code") {
      const given = grants.exchange(form, clientId);
      const idToken = idTokenFor(world, given.access_token, form.get("code") ?? "");
      return { ...given, ...(idToken !== null && { id_token: idToken }) };
    }
    if (kind === "refresh_token") return grants.refresh(form, clientId);
    throw new TokenRefusal("unsupported_grant_type", `No grant is called ${kind}.`);
  });
  if (habits.slowMs > 0) await pause(habits.slowMs);
  if (habits.loseNext > 0) {
    habits.loseNext -= 1;
    request.socket.destroy();
    return;
  }
  response.writeHead(answer.status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...answer.headers,
  });
  response.end(JSON.stringify(answer.body));
}

function answerOf(work: () => object): { status: number; headers: Record<string, string>; body: object } {
  try {
    return { status: 200, headers: {}, body: work() };
  } catch (error) {
    if (!(error instanceof TokenRefusal)) throw error;
    const isClient = error.code === "invalid_client";
    const body = { error: error.code, error_description: error.message };
    return { status: isClient ? 401 : 400, headers: isClient ? { "www-authenticate": "Basic" } : {}, body };
  }
}

/** The client that proved itself, in the one way it is registered for. */
function clientOf(habits: AuthorizationHabits, request: IncomingMessage, form: URLSearchParams): string {
  const { clientId, clientSecret, clientAuthentication } = habits;
  const refusal = new TokenRefusal("invalid_client", "Client authentication failed.");
  const header = request.headers.authorization;
  if (clientSecret === null) {
    if (header !== undefined || form.has("client_secret") || form.get("client_id") !== clientId) throw refusal;
    return clientId;
  }
  if (clientAuthentication === "body") {
    if (header !== undefined || form.get("client_id") !== clientId || form.get("client_secret") !== clientSecret)
      throw refusal;
    return clientId;
  }
  const [id = "", secret = ""] = Buffer.from(header?.replace(/^Basic /, "") ?? "", "base64")
    .toString()
    .split(":");
  const decoded = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));
  if (form.has("client_secret") || decoded(id) !== clientId || decoded(secret) !== clientSecret) throw refusal;
  return clientId;
}

/** Signed with a key that nobody knows: whoever checks it takes the certificate of this address for it. */
function idTokenFor({ habits, grants, nonces, url }: World, accessToken: string, code: string): string | null {
  const grant = grants.grantOf(accessToken);
  if (habits.idToken === null || !grant?.scope.split(" ").includes("openid")) return null;
  const now = Math.floor(Date.now() / 1000);
  const nonce = nonces.get(code) ?? undefined;
  const claims = { iss: url, aud: habits.clientId, sub: grant.account.id, iat: now, exp: now + 300, nonce };
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const body = { ...claims, name: grant.account.name, ...habits.idToken };
  return [encoded({ alg: "RS256", kid: "1" }), encoded(body), Buffer.from("signature").toString("base64url")].join(".");
}

function showAccount({ grants }: World, request: IncomingMessage, response: ServerResponse): void {
  const token = (request.headers.authorization ?? "").replace(/^Bearer /, "");
  const grant = grants.isGood(token) ? grants.grantOf(token) : undefined;
  response.writeHead(grant ? 200 : 401, { "content-type": "application/json" });
  response.end(JSON.stringify(grant ? { account: grant.account } : { message: "the token is not valid" }));
}

function listCompanies(world: World, request: IncomingMessage, response: ServerResponse): void {
  const { grants, habits } = world;
  world.apiCalls += 1;
  const isGood = !habits.refusesTokens && grants.isGood((request.headers.authorization ?? "").replace(/^Bearer /, ""));
  response.writeHead(isGood ? 200 : 401, { "content-type": "application/json" });
  response.end(JSON.stringify(isGood ? { items: RECORDS } : { message: "the token is not valid" }));
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
