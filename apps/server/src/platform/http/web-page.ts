/** The web application: hashed files for ever, and one page for every other address, with a nonce and the anti-forgery token. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CSRF } from "@accord/contracts";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import type { Sessions } from "../access/principal.ts";
import type { AntiForgery } from "./request/anti-forgery.ts";
import { AppError } from "./app-error.ts";
import { isApiPath } from "./security-headers.ts";
import { sessionToken } from "./request/session-cookie.ts";

export interface WebPageOptions {
  /** Folder of the built application. */
  root: string;
  baseUrl: string;
  forgery: AntiForgery;
  sessions: Sessions;
}

const YEAR_SECONDS = 31_536_000;

export async function serveWebPage(app: FastifyInstance, options: WebPageOptions): Promise<void> {
  const { root, baseUrl, forgery, sessions } = options;
  const indexFile = join(root, "index.html");
  const built = existsSync(indexFile);
  // Read once: a newer build may take this one's place, and its page names files that this server does not serve.
  const template = built ? await readFile(indexFile, "utf8") : "";
  if (built) {
    await app.register(fastifyStatic, {
      root,
      index: false,
      // Only what is in the folder now; no path is put together from the request.
      wildcard: false,
      dotfiles: "deny",
      globIgnore: ["**/index.html", "**/*.map"],
      setHeaders: (reply, path) => {
        const hashed = path.includes("/assets/");
        void reply.header(
          "cache-control",
          hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : "public, max-age=300",
        );
        if (path.endsWith(".svg"))
          void reply.header("content-security-policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'");
      },
    });
  }

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split("?")[0] ?? "";
    const wantsPage =
      (request.method === "GET" || request.method === "HEAD") &&
      (request.headers.accept ?? "*/*").match(/text\/html|\*\/\*/);
    // A file that is not there must not answer with a page: the browser would try to run it.
    if (isApiPath(path) || !wantsPage || path.startsWith("/assets/"))
      throw new AppError("not_found", { what: "Address" });
    if (!built)
      return reply
        .code(503)
        .type("text/plain")
        .send("The web application is not built yet: npm run build -w @accord/web");
    const token = sessionToken(request, baseUrl);
    const principal = token ? await sessions.find(token) : null;
    const forgeryToken = forgery.token(principal?.sessionId ?? null);
    const nonce = randomBytes(16).toString("base64");
    const page = template.replaceAll("__ACCORD_CSP_NONCE__", nonce).replaceAll("__ACCORD_CSRF_TOKEN__", forgeryToken);
    return reply
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-store")
      .header("content-security-policy", contentSecurityPolicy(nonce))
      .setCookie(CSRF.cookie, forgeryToken, { path: "/", sameSite: "lax", secure: baseUrl.startsWith("https:") })
      .send(page);
  });
}

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    // Pages of this origin let themselves be framed by nobody, but the one that holds the external view.
    "frame-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join("; ");
}
