/** Access tokens that end: renewed once, whoever needs them, and never lost on the way. */
import { ConnectorError } from "@accord/connector-sdk";
import * as api from "@accord/contracts/connections/connectors";
import type {
  AuthorizationHabits,
  AuthorizationServer,
} from "@accord/connectors/test-systems/oauth/authorization-server";
import { Writable } from "node:stream";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  authorizationServerFor,
  editor,
  oauthBody,
  shownSignIn,
  signIn,
  type Member,
} from "../../../../../test-kit/systems/oauth-world.ts";
import { testApp, type TestApp } from "../../../../../test-kit/test-app.ts";
import { openDatabase, type Database } from "../../../../platform/db/db.ts";
import { makeLog } from "../../../../platform/log/log.ts";
import type { ConnectorsModule } from "../index.ts";
import { connectionOpener } from "../open-connection.ts";

let t: TestApp;
let person: Member;
/** As another process has it. */
let other: Database;
const servers: AuthorizationServer[] = [];
const lines: string[] = [];
const destination = new Writable({
  write(chunk, _, done) {
    lines.push(String(chunk));
    done();
  },
});

beforeAll(async () => {
  t = await testApp({ realTime: true, log: makeLog({ logLevel: "debug", destination }) });
  person = await editor(t);
  const url = t.deps.appPool.options.connectionString ?? "";
  other = openDatabase({ url, name: "other-process", connections: 5, log: t.deps.log });
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(() => other?.close());

let made = 0;
async function signedIn(habits: Partial<AuthorizationHabits> = {}) {
  const server = await authorizationServerFor(t, habits);
  servers.push(server);
  const { id } = await person.call(api.createConnector, { body: oauthBody(server, `System ${(made += 1)}`) });
  await signIn(person, server, id);
  const check = async (open = connectionOpener(t.deps)): Promise<string> => {
    const connection = await open(t.instanceId, id, { anyStatus: true });
    try {
      await connection.check();
      return "works";
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      return `${error.kind}: ${error.message} ${error.hint ?? ""}`;
    } finally {
      await connection.close();
    }
  };
  const renewals = () => server.tokenRequests.filter((kind) => kind === "refresh_token").length;
  /** It was renewed long ago, so that it may be again. */
  const aged = () =>
    t.deps.appPool.query("UPDATE oauth_grant SET renewed_at = now() - interval '11 s' WHERE connector_id = $1", [id]);
  const isOver = async () => {
    await aged();
    await t.deps.appPool.query("UPDATE oauth_grant SET expires_at = now() - interval '1 s' WHERE connector_id = $1", [
      id,
    ]);
  };
  /** The wait after failed renewals is over. */
  const waited = () => t.deps.appPool.query("UPDATE oauth_grant SET next_at = now() WHERE connector_id = $1", [id]);
  return { server, id, check, renewals, isOver, waited, aged };
}
const elsewhere = () => connectionOpener({ ...t.deps, appDb: other.db, appPool: other.pool });

test("a token is renewed before it ends, and used as long as it holds", async () => {
  const { check, renewals, isOver } = await signedIn();
  expect([await check(), await check(), renewals()]).toEqual(["works", "works", 0]);
  await isOver();
  expect([await check(), await check(), renewals()]).toEqual(["works", "works", 1]);
  await isOver();
  expect([await check(), renewals()]).toEqual(["works", 2]);
});

test("a token that the API refuses early is renewed once, and the call made again", async () => {
  const { server, check, renewals } = await signedIn();
  server.grants.endAccessTokens();
  expect([await check(), renewals()]).toEqual(["works", 1]);
});

test("many calls in two processes that need a token at once ask for one renewal", async () => {
  const { server, check, renewals, isOver, aged } = await signedIn({ slowMs: 300 });
  const opens = [connectionOpener(t.deps), elsewhere()];
  for (const need of [isOver, async () => server.grants.endAccessTokens()]) {
    const before = renewals();
    await aged();
    await need();
    const all = await Promise.all([...opens, ...opens, ...opens].map((open) => check(open)));
    expect(new Set(all)).toEqual(new Set(["works"]));
    expect(renewals() - before).toBe(1);
  }
});

test("a system that keeps its refresh token is asked with it again", async () => {
  const { check, renewals, isOver } = await signedIn({ rotates: false });
  for (const count of [1, 2, 3]) {
    await isOver();
    expect([await check(), renewals()]).toEqual(["works", count]);
  }
});

test("a renewal whose answer was lost is tried once more: it works where the system allows that", async () => {
  const { server, check, renewals, isOver } = await signedIn({ rotates: false });
  await isOver();
  server.habits.loseNext = 1;
  expect([await check(), renewals()]).toEqual(["works", 2]);
});

test("where the lost answer held the only good refresh token, somebody is asked to sign in again, and syncing goes on", async () => {
  const { server, id, check, renewals, isOver } = await signedIn();
  await isOver();
  server.habits.loseNext = 1;
  expect(await check()).toContain("authentication: Failed OAuth: invalid_grant: The refresh token was used before");
  expect(await check()).toContain("has to sign in at 127.0.0.1");
  expect(renewals()).toBe(2);
  expect(await shownSignIn(person, id)).toMatchObject({
    state: "refused",
    problem: { kind: "authentication", hint: expect.stringContaining("sign in") },
  });
  await signIn(person, server, id);
  expect([await check(), (await shownSignIn(person, id)).state]).toEqual(["works", "signedIn"]);
});

test("two lost answers: no more requests until somebody signs in, or until an outage may be over", async () => {
  const { server, id, check, renewals, isOver } = await signedIn({ rotates: false });
  await isOver();
  server.habits.loseNext = 2;
  expect(await check()).toContain("authentication: Failed OAuth: 127.0.0.1");
  expect(await check()).toContain("twice");
  expect([renewals(), (await shownSignIn(person, id)).state]).toEqual([2, "refused"]);
  await t.deps.appPool.query("UPDATE oauth_grant SET retry_at = now() WHERE connector_id = $1", [id]);
  expect([await check(), renewals(), (await shownSignIn(person, id)).state]).toEqual(["works", 3, "signedIn"]);
});

test("a process that ends in the middle of a renewal leaves it to the next, after its lease", async () => {
  const { id, check, renewals, isOver } = await signedIn();
  await isOver();
  const left =
    "UPDATE oauth_grant SET renewal_id = 'gone', unanswered = 1, renewal_until = now() + $2 * interval '1 ms'";
  await t.deps.appPool.query(`${left} WHERE connector_id = $1`, [id, 400]);
  expect([await check(), renewals()]).toEqual(["works", 1]);
});

test("a token address that is down is a passing failure, and the token in hand is used to its end", async () => {
  const { server, id, check, renewals, isOver, waited } = await signedIn();
  server.habits.failNext = [503];
  await t.deps.appPool.query("UPDATE oauth_grant SET expires_at = now() + interval '30 s' WHERE connector_id = $1", [
    id,
  ]);
  expect([await check(), renewals()]).toEqual(["works", 1]);
  server.habits.failNext = [503, 503];
  await isOver();
  await waited();
  expect(await check()).toMatch(/^unavailable/);
  await waited();
  expect(await check()).toMatch(/^unavailable/);
  await waited();
  expect([await check(), (await shownSignIn(person, id)).state]).toEqual(["works", "signedIn"]);
});

test("renewals that failed are not tried again with each call, in no process, but later and later", async () => {
  const { server, id, check, renewals, isOver, waited } = await signedIn();
  await isOver();
  server.habits.failNext = [503, 503, 503];
  const waits = async (): Promise<number> => {
    const { rows } = await t.deps.appPool.query<{ ms: number }>(
      "SELECT (extract(epoch FROM next_at - now()) * 1000)::float8 AS ms FROM oauth_grant WHERE connector_id = $1",
      [id],
    );
    return rows[0]?.ms ?? 0;
  };
  for (const [count, atLeast, atMost] of [
    [1, 2_500, 5_000],
    [2, 6_000, 10_000],
    [3, 13_000, 20_000],
  ] as const) {
    const opens = [connectionOpener(t.deps), elsewhere(), connectionOpener(t.deps), elsewhere()];
    for (const open of opens) expect(await check(open)).toMatch(/^unavailable/);
    expect(new Set(await Promise.all(opens.map((open) => check(open))))).toHaveLength(1);
    expect(renewals()).toBe(count);
    expect(await waits()).toBeGreaterThan(atLeast);
    expect(await waits()).toBeLessThanOrEqual(atMost);
    await waited();
  }
  expect([await check(), renewals(), await waits()]).toEqual(["works", 4, 0]);
});

test("an API that refuses every token is given a renewed one once in ten seconds, whoever calls", async () => {
  const { server, id, check, renewals, aged } = await signedIn();
  server.habits.refusesTokens = true;
  const opens = [connectionOpener(t.deps), elsewhere(), connectionOpener(t.deps)];
  for (const open of opens) expect(await check(open)).toMatch(/^authentication: .*the token is not valid/);
  expect(renewals()).toBe(1);
  const calls = server.apiCalls;
  expect(await check()).toMatch(/^authentication/);
  expect([renewals(), server.apiCalls]).toEqual([1, calls + 1]);
  await aged();
  for (const open of opens) expect(await check(open)).toMatch(/^authentication/);
  expect(renewals()).toBe(2);
  server.habits.refusesTokens = false;
  expect([await check(), renewals(), (await shownSignIn(person, id)).state]).toEqual(["works", 2, "signedIn"]);
});

test("tokens that end at once are used for ten seconds all the same", async () => {
  const { server, check, renewals, aged } = await signedIn();
  server.habits.namedLife = 1;
  server.grants.endAccessTokens();
  for (const _ of [1, 2, 3, 4]) expect(await check()).toBe("works");
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect([await check(), renewals()]).toEqual(["works", 1]);
  await aged();
  expect([await check(), await check(), renewals()]).toEqual(["works", "works", 2]);
});

test("a token address that names a time is asked again after it", async () => {
  const { server, id, check, renewals, isOver } = await signedIn();
  await isOver();
  server.habits.failNext = [429];
  server.habits.retryAfter = "120";
  const connection = await connectionOpener(t.deps)(t.instanceId, id, { anyStatus: true });
  for (const _ of [1, 2]) {
    const error = await connection.check().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "rateLimited", retryAfterMs: expect.any(Number), neverSent: true });
    if (error instanceof ConnectorError) expect(Math.round((error.retryAfterMs ?? 0) / 10_000)).toBe(12);
  }
  await connection.close();
  expect([await check(), renewals()]).toEqual([expect.stringMatching(/^rateLimited/), 1]);
});

test("a client that is refused is asked for later; a corrected secret is tried at once; a refused grant never again", async () => {
  const { server, id, check, renewals, isOver, waited } = await signedIn();
  await isOver();
  server.habits.clientSecret = "another one";
  expect(await check()).toContain("authentication: Failed OAuth: invalid_client");
  expect([await check(), renewals()]).toEqual([expect.stringContaining("Check client id and client secret"), 1]);
  const { version } = await person.call(api.getConnector, { params: { connectorId: id } });
  const credentials = { clientSecret: "another one" };
  await person.call(api.updateConnector, { params: { connectorId: id }, body: { version, credentials } });
  expect([await check(), renewals()]).toEqual(["works", 2]);
  server.grants.revokeAll();
  await isOver();
  for (const _ of [1, 2, 3]) {
    expect(await check()).toContain("has to sign in at 127.0.0.1");
    await waited();
  }
  expect(renewals()).toBe(3);
});

test("without a refresh token the end of the access token says who has to sign in", async () => {
  const { id, check, isOver } = await signedIn({ givesRefreshTokens: false });
  expect([await check(), (await shownSignIn(person, id)).isRenewed]).toEqual(["works", false]);
  await isOver();
  expect(await check()).toContain("gave nothing to renew it with");
  expect((await shownSignIn(person, id)).state).toBe("refused");
});

test("a grant that was revoked puts the connection into ERROR, and signing in again takes it out", async () => {
  const { service, useCases } = t.module<ConnectorsModule>("connections/connectors");
  const { server, id, check } = await signedIn();
  const reconnected: string[] = [];
  service.onReconnected(async (_, connectorId) => void reconnected.push(connectorId));
  await t.deps.appPool.query("UPDATE connector SET status = 'ACTIVE', activated_at = now() WHERE id = $1", [id]);
  server.grants.revokeAll();
  expect(await check()).toContain("invalid_grant");
  const connection = await service.openConnection(t.instanceId, id);
  const error = await connection.check().catch((thrown: unknown) => thrown);
  if (error instanceof Error) await service.reportFailure(t.instanceId, id, error);
  expect(await useCases.detail(t.instanceId, id)).toMatchObject({
    status: "ERROR",
    errorMessage: expect.stringContaining("Failed OAuth: invalid_grant"),
    errorDetails: { kind: "authentication", hint: expect.stringContaining("sign in at") },
  });
  await signIn(person, server, id);
  expect(await useCases.detail(t.instanceId, id)).toMatchObject({ status: "ACTIVE", errorMessage: null });
  expect(reconnected).toEqual([id]);
});

test("[T12] a grant does not open for another connection, client or token address", async () => {
  const [one, two] = [await signedIn(), await signedIn()];
  await t.deps.appPool.query(
    `UPDATE oauth_grant SET sealed = (SELECT sealed FROM oauth_grant WHERE connector_id = $2) WHERE connector_id = $1`,
    [one.id, two.id],
  );
  await expect(one.check()).rejects.toThrow(/another place/);
});

test("no token reaches the log", () => {
  expect(lines.join("")).toContain("an access token was not renewed");
  const tokens = /(access|refresh|code)-[A-Za-z0-9_-]{32}/;
  expect(lines.filter((line) => tokens.test(line))).toEqual([]);
});
