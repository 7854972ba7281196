/** The whole server in a test: real HTTP handling, real PostgreSQL, a clock that the test winds. */
import { randomBytes } from "node:crypto";
import { BUILT_IN_ROLES, type BuiltInRole, type Id, type Permission } from "@accord/contracts";
import { buildApp, type App, type Role } from "../src/app.ts";
import { readConfig, type Config } from "../src/config.ts";
import { makeOrganisation, makeUser } from "../src/modules/identity/first-start.ts";
import { setRoles } from "../src/modules/identity/roles/index.ts";
import { antiForgery, type AntiForgery } from "../src/platform/http/request/anti-forgery.ts";
import { ownHosts } from "../src/platform/http/request/own-hosts.ts";
import { sessionCookieName } from "../src/platform/http/request/session-cookie.ts";
import type { Deps } from "../src/platform/deps.ts";
import { makeLog } from "../src/platform/log/log.ts";
import type { Module } from "../src/platform/module.ts";
import { makeCaller, type Caller } from "./caller.ts";
import { testDatabase } from "./database/database.ts";
import { fakeClock, type FakeClock } from "./fake-clock.ts";
import { openTestApps } from "./open-test-apps.ts";

export interface TestAppOptions {
  config?: Partial<Config>;
  /** Background work runs too when it holds `worker`; default none: only requests. */
  roles?: readonly Role[];
  /** Opens the secrets of this app in another process. */
  masterKey?: Buffer;
  /** Lines the server logs; default only problems, to the terminal. */
  log?: Deps["log"];
  /** Real time instead of a fake clock. */
  realTime?: true;
  /** Listens on a free port as well, for sockets and browsers. */
  listen?: true;
}

export interface Place {
  organisationId: Id<"organisation">;
  instanceId: Id<"instance">;
}

export interface UserOptions extends Partial<Place> {
  roles?: readonly string[];
  email?: string;
  /** Hash of a password, for tests of signing in. */
  passwordHash?: string;
  orgAdmin?: boolean;
  superAdmin?: boolean;
}

export interface SessionOptions {
  instanceId?: Id<"instance"> | null;
  purpose?: "full" | "passwordChange";
}

export interface TestApp extends Place {
  readonly app: App;
  readonly deps: Deps;
  readonly clock: FakeClock;
  readonly subscriptionId: string;
  /** `http://127.0.0.1:port`, when it listens. */
  readonly address: string;
  /** Somebody with a built-in role, or with just these permissions, in an instance (default: `instanceId`). One user each. */
  as(who: BuiltInRole | readonly Permission[], at?: Partial<Place>): Caller;
  /** Nobody: with a guest's anti-forgery token, as the sign-in page has it. */
  readonly anonymous: Caller;
  /** A caller with a session of this user. */
  asUser(userId: Id<"user">, options?: SessionOptions): Promise<Caller & { sessionId: string; token: string }>;
  readonly forgery: AntiForgery;
  readonly build: {
    organisation(name?: string): Promise<{ organisationId: Id<"organisation">; subscriptionId: string }>;
    /** Another instance of the organisation (or of another one), with all its tables. */
    instance(options?: {
      name?: string;
      type?: "production" | "trial" | "partner";
      organisationId?: Id<"organisation">;
      subscriptionId?: string;
    }): Promise<Id<"instance">>;
    user(options?: UserOptions): Promise<Id<"user">>;
  };
  /** A module by its name: `sync/runs`. */
  module<M extends Module = Module>(name: string): M;
  close(): Promise<void>;
}

/** What a look or a turn does is proven in seconds: no test is about how often it happens. */
const SHORT_INTERVALS: Config["intervals"] = { deletionDetectionMs: 1_000, replicationSlotsMs: 1_000 };

const SESSION_KEPT_MS = 15 * 60_000;

/** Closes by itself when the test file ends. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const databases = await testDatabase();
  const clock = options.realTime ? Object.assign(fakeClock(), { now: () => new Date() }) : fakeClock();
  const defaults = readConfig({ ACCORD_DEMO: "0", ACCORD_SQL_MODE: "1", ACCORD_LOG_LEVEL: "silent" });
  const config: Config = { ...defaults, intervals: SHORT_INTERVALS, ...options.config };
  const log = options.log ?? makeLog({ logLevel: process.env["ACCORD_TEST_LOG"] ?? "silent" });
  const masterKeys = [{ id: "test", key: options.masterKey ?? randomBytes(32) }];
  const built: { app?: App } = {};
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= Promise.resolve(built.app?.close()).finally(() => databases.drop()));
  openTestApps.add(close);
  const app = await buildApp({ config, clock, log, app: databases.app, data: databases.data, masterKeys });
  built.app = app;

  const { deps } = app;
  const instances = app.identity.instances.service;
  const { organisationId, subscriptionId } = await makeOrganisation(deps, "Test");
  const instanceId = await instances.make({
    organisationId,
    subscriptionId,
    name: "first",
    displayName: "First",
    type: "production",
    createdBy: null,
  });
  await app.start(options.roles ?? []);
  if (options.listen) await app.http.listen({ port: 0, host: "127.0.0.1" });
  const forgery = antiForgery(
    deps.secrets,
    ownHosts(config, () => null),
  );
  const cookieName = sessionCookieName(config.baseUrl);
  const { host } = new URL(config.baseUrl);

  const build: TestApp["build"] = {
    organisation: (name = "Other") => makeOrganisation(deps, name),
    instance: ({ name = `i${randomBytes(4).toString("hex")}`, type = "production", ...of } = {}) =>
      instances.make({ organisationId, subscriptionId, createdBy: null, name, displayName: name, type, ...of }),
    async user({ roles = [], email, passwordHash, orgAdmin, superAdmin, ...at } = {}) {
      const userId = await makeUser(deps, {
        organisationId: at.organisationId ?? organisationId,
        email: email ?? `${randomBytes(6).toString("hex")}@example.com`,
        firstName: "Test",
        lastName: "Person",
        passwordHash: passwordHash ?? null,
        orgAdmin,
        superAdmin,
      });
      await setRoles(deps.appDb, userId, at.instanceId ?? instanceId, roles);
      return userId;
    },
  };

  const asUser: TestApp["asUser"] = async (userId, { instanceId: at = instanceId, purpose = "full" } = {}) => {
    const session = { userId, instanceId: at, purpose, address: "127.0.0.1", userAgent: "test" };
    const { sessionId, token } = await app.identity.signIn.sessions.open(session);
    const caller = makeCaller({
      http: app.http,
      cookies: { [cookieName]: token },
      token: forgery.token(sessionId),
      host,
    });
    return { ...caller, sessionId, token };
  };

  const people = new Map<string, Promise<Id<"user">>>();
  const callers = new Map<string, { openedAt: number; caller: Promise<Caller> }>();
  const person = (who: BuiltInRole | readonly Permission[], at: Partial<Place>) => {
    const place = { organisationId, instanceId, ...at };
    const key = `${JSON.stringify(who)} ${place.organisationId} ${place.instanceId}`;
    const known = callers.get(key);
    const now = clock.now().getTime();
    // After a long turn of the clock they sign in again, as people do.
    if (known && now - known.openedAt < SESSION_KEPT_MS) return known.caller;
    const userId = people.get(key) ?? makePerson(deps, build, who, place);
    people.set(key, userId);
    const caller = userId.then((id) => asUser(id, { instanceId: place.instanceId }));
    callers.set(key, { openedAt: now, caller });
    return caller;
  };

  return {
    app,
    deps,
    clock,
    organisationId,
    subscriptionId,
    instanceId,
    forgery,
    build,
    close,
    asUser,
    address: options.listen ? addressOf(app) : "",
    anonymous: makeCaller({ http: app.http, cookies: {}, token: forgery.token(null), host }),
    as: (who, at = {}) => ({
      call: async (...call) => (await person(who, at)).call(...call),
      send: async (...call) => (await person(who, at)).send(...call),
      raw: async (request) => (await person(who, at)).raw(request),
    }),
    module<M extends Module>(name: string): M {
      const found = app.modules.find((module) => module.name === name);
      if (!found)
        throw new Error(
          `There is no module ${name}; there are: ${app.modules.map((module) => module.name).join(", ")}`,
        );
      return found as M;
    },
  };
}

/** A user with the role where it belongs: the two administrators above instances are flags. */
async function makePerson(
  deps: Deps,
  build: TestApp["build"],
  who: BuiltInRole | readonly Permission[],
  place: Place,
): Promise<Id<"user">> {
  if (typeof who === "string") {
    if (!BUILT_IN_ROLES.includes(who)) throw new Error(`There is no role ${who}`);
    const flags = { orgAdmin: who === "ORG_ADMIN", superAdmin: who === "SUPER_ADMIN" };
    return build.user({ ...place, roles: [who], ...flags });
  }
  const roleId = deps.newId<"role">();
  const now = deps.clock.now();
  const role = { id: roleId, organisation_id: place.organisationId, name: `role ${roleId}`, description: "" };
  await deps.appDb
    .withTables<{ custom_role: Record<string, unknown> }>()
    .insertInto("custom_role")
    .values({ ...role, permissions: [...who], created_at: now, updated_at: now, version: 1 })
    .execute();
  return build.user({ ...place, roles: [roleId] });
}

function addressOf(app: App): string {
  const address = app.http.server.address();
  return address !== null && typeof address === "object" ? `http://127.0.0.1:${address.port}` : "";
}
