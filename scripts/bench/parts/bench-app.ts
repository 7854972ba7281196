/** The whole server for a bench, on a database of its own, with an administrator signed in. */
import { randomBytes } from "node:crypto";
import { CSRF } from "@accord/contracts";
import { buildApp, type Role } from "../../../apps/server/src/app.ts";
import { type Config, readConfig } from "../../../apps/server/src/config.ts";
import { makeOrganisation, makeUser } from "../../../apps/server/src/modules/identity/first-start.ts";
import { setRoles } from "../../../apps/server/src/modules/identity/roles/index.ts";
import { systemClock } from "../../../apps/server/src/platform/clock.ts";
import { antiForgery } from "../../../apps/server/src/platform/http/request/anti-forgery.ts";
import { ownHosts } from "../../../apps/server/src/platform/http/request/own-hosts.ts";
import { sessionCookieName } from "../../../apps/server/src/platform/http/request/session-cookie.ts";
import { makeLog } from "../../../apps/server/src/platform/log/log.ts";
import { makeCaller } from "../../../apps/server/test-kit/caller.ts";
import { closeTestDatabases, testDatabase } from "../../../apps/server/test-kit/database/database.ts";
import { leaveTestCluster } from "../../../apps/server/test-kit/database/test-cluster.ts";

/** `settings`: in place of those that the server has by itself. */
export async function benchApp(roles: readonly Role[], settings: Partial<Config> = {}) {
  const databases = await testDatabase();
  const config = { ...readConfig({ ACCORD_DEMO: "0", ACCORD_LOG_LEVEL: "silent" }), ...settings };
  const parts = { config, clock: systemClock, log: makeLog(config), app: databases.app, data: databases.data };
  const app = await buildApp({ ...parts, masterKeys: [{ id: "bench", key: randomBytes(32) }] });
  const { organisationId, subscriptionId } = await makeOrganisation(app.deps, "Bench");
  const instanceId = await app.identity.instances.service.make({
    organisationId,
    subscriptionId,
    name: "bench",
    displayName: "Bench",
    type: "production",
    createdBy: null,
  });
  const person = { email: "bench@example.com", firstName: "Bench", lastName: "Mark", passwordHash: null };
  const userId = await makeUser(app.deps, { organisationId, ...person });
  await setRoles(app.deps.appDb, userId, instanceId, ["INSTANCE_ADMIN"]);
  const session = await app.identity.signIn.sessions.open({
    userId,
    instanceId,
    purpose: "full",
    address: "127.0.0.1",
    userAgent: "bench",
  });
  const cookieName = sessionCookieName(config.baseUrl);
  const token = antiForgery(
    app.deps.secrets,
    ownHosts(config, () => null),
  ).token(session.sessionId);
  await app.start(roles);
  const address = await app.http.listen({ port: 0, host: "127.0.0.1" });
  return {
    app,
    databases,
    instanceId,
    address,
    /** Of the administrator's requests. */
    headers: { cookie: `${cookieName}=${session.token}`, [CSRF.header]: token, origin: config.baseUrl },
    caller: makeCaller({ http: app.http, cookies: { [cookieName]: session.token }, token }),
    async close(): Promise<void> {
      await app.close();
      await databases.drop();
      await closeTestDatabases();
      await leaveTestCluster();
    },
  };
}
