/** T30 and the page itself: what is served beside the API, to whom, with which headers. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signIn } from "@accord/contracts/identity/sign-in";
import { beforeAll, describe, expect, test } from "vitest";
import { hashPassword } from "../src/modules/identity/sign-in/index.ts";
import { testApp, type TestApp } from "../test-kit/index.ts";

const SECRET = "canary-outside-of-the-folder";
let t: TestApp;
let webDist: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "accord-web-"));
  webDist = join(folder, "dist");
  await mkdir(join(webDist, "assets"), { recursive: true });
  await writeFile(join(folder, "secret.txt"), SECRET);
  await writeFile(join(webDist, ".env"), SECRET);
  await writeFile(join(webDist, "assets/app-1a2b.js"), "export const one = 1;");
  await writeFile(join(webDist, "assets/app-1a2b.js.map"), SECRET);
  await writeFile(join(webDist, "mark.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const page =
    '<meta name="csrf-token" content="__ACCORD_CSRF_TOKEN__"><script nonce="__ACCORD_CSP_NONCE__" type="module" src="/assets/app-1a2b.js"></script>';
  await writeFile(join(webDist, "index.html"), page);
  t = await testApp({ config: { webDist }, listen: true });
});

const get = (url: string, headers: Record<string, string> = { accept: "text/html" }) =>
  t.anonymous.raw({ url, headers });

describe("the web page", () => {
  test("every address but files and API answers the application, never kept, with its own nonce", async () => {
    const nonces = new Set<string>();
    for (const url of [
      "/",
      "/login",
      "/data-studio/entity/x",
      "/switch-instance/1",
      "/errors/error-404",
      "/a/b/c?d=e",
    ]) {
      const answer = await get(url);
      const policy = String(answer.headers["content-security-policy"]);
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
      expect(answer.status, url).toBe(200);
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(String(answer.body)).toContain(`nonce="${nonce}"`);
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(policy).toMatch(/default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(6);
  });

  test("a newer build that takes its place leaves a running server its own page", async () => {
    const before = String((await get("/login")).body);
    await writeFile(join(webDist, "index.html"), '<script type="module" src="/assets/app-9z8y.js"></script>');
    expect(String((await get("/login")).body)).toContain("/assets/app-1a2b.js");
    expect(before).toContain("/assets/app-1a2b.js");
    expect((await get("/assets/app-1a2b.js")).status).toBe(200);
  });

  test("[PLT-107] its token lets the sign-in call through, and another one follows the session", async () => {
    await t.build.user({
      email: "a@example.com",
      passwordHash: await hashPassword("a long walk by the river"),
      roles: ["VIEWER"],
    });
    const page = await get("/login");
    const token = /csrf-token" content="([^"]+)"/.exec(String(page.body))?.[1] ?? "";
    expect(page.cookies.get("accord_csrf")).toBe(token);
    const cookies = { accord_csrf: token };
    const headers = { "x-csrf-token": token, "content-type": "application/x-www-form-urlencoded" };
    const payload = "username=a%40example.com&password=a+long+walk+by+the+river";
    const answer = await t.anonymous.raw({ method: "POST", url: "/api/v1/authenticate", cookies, headers, payload });
    expect(answer.status).toBe(200);
    expect(answer.cookies.get("accord_csrf")).not.toBe(token);
    const mine = await t.anonymous.raw({
      url: "/",
      cookies: Object.fromEntries(answer.cookies),
      headers: { accept: "text/html" },
    });
    expect(String(mine.body)).toContain(`content="${answer.cookies.get("accord_csrf")}"`);
    expect(
      (await t.anonymous.send(signIn, { body: { username: "x", password: "y" } }, { "x-csrf-token": token })).status,
    ).toBe(403);
  });

  test("hashed files are kept for a year, pictures can run nothing, missing files are not answered with the page", async () => {
    const script = await get("/assets/app-1a2b.js");
    expect(script.headers["cache-control"]).toContain("immutable");
    expect(script.headers["content-type"]).toContain("javascript");
    expect((await get("/mark.svg")).headers["content-security-policy"]).toContain("sandbox");
    for (const url of ["/assets/gone.js", "/assets/app-1a2b.js.map"]) expect((await get(url)).status).toBe(404);
    expect((await get("/anything", { accept: "application/json" })).status).toBe(404);
    expect((await t.anonymous.raw({ method: "POST", url: "/login" })).status).toBe(404);
    const headers = { host: new URL(t.deps.config.baseUrl).host };
    expect((await t.app.http.inject({ method: "HEAD", url: "/login", headers })).statusCode).toBe(200);
    for (const url of ["/api", "/api/v2/x", "/api/v1/nothing"]) {
      expect((await get(url)).body, url).toMatchObject({ code: "not_found", status: 404 });
    }
  });

  test("every answer carries the headers that keep browsers in bounds", async () => {
    for (const url of ["/", "/assets/app-1a2b.js", "/api/v1/version", "/api/v1/nothing"]) {
      const { headers } = await get(url);
      expect(headers, url).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
      });
    }
    expect((await get("/api/v1/version")).headers["cache-control"]).toBe("no-store");
  });
});

describe("[T30] paths", () => {
  const CORPUS = String.raw`
    /../secret.txt /..%2fsecret.txt /%2e%2e/secret.txt /%2e%2e%2fsecret.txt /..%5csecret.txt
    /..\secret.txt /assets/../../secret.txt /assets/..%2f..%2fsecret.txt
    /assets/%2e%2e/%2e%2e/secret.txt //secret.txt ///../secret.txt /assets//../../secret.txt
    /assets/..;/..;/secret.txt /.env /%2eenv /assets/.%00./secret.txt /secret.txt%00.js
    /%252e%252e/secret.txt /..%c0%af..%c0%afsecret.txt /..%252fsecret.txt
    /assets/app-1a2b.js/../../../secret.txt /file:///etc/passwd /assets/%2fetc%2fpasswd /index.html
    /assets/ /assets
  `
    .trim()
    .split(/\s+/);
  test.each(CORPUS)("%s leads nowhere but into the folder", async (path) => {
    const answer = await rawGet(path);
    expect(answer.body).not.toContain(SECRET);
    expect(answer.body).not.toContain("root:");
    // Either refused, or the application's own page, which then shows "not found".
    expect([200, 400, 403, 404]).toContain(answer.status);
    if (answer.status === 200) expect(answer.body).toContain("csrf-token");
  });

  const GUARDED = ["/api/v1/user", "/api/v1/connectors", "/api/v1/organization/users"];
  test.each(
    GUARDED.flatMap((path) => [
      path,
      path.replace("/v1/", "//v1/"),
      path.replace("/v1/", "/v1/./"),
      `${path}/`,
      `${path};x`,
      `${path}%2f`,
      path.replace("api", "API"),
      path.replace("v1", "v1%2f"),
      `${path}?a=/../authenticate`,
      `/assets/..${path}`,
    ]),
  )("%s opens nothing to strangers", async (path) => {
    const answer = await rawGet(path);
    expect(answer.body).not.toMatch(/"(email|users|connectors)":/);
    if (answer.status === 200) expect(answer.body).toContain("csrf-token");
  });
});

/** Sent as it is: a client library would tidy the path up. */
function rawGet(path: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(t.address);
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, path, method: "GET", headers: { accept: "text/html" } }, (response) => {
      let body = "";
      response.on("data", (chunk) => (body += String(chunk)));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    call.on("error", reject);
    call.end();
  });
}
