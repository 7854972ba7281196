/** Composition root: builds what every module gets, lists every module, and puts them behind one HTTP server. Read this first. */
import { ENDPOINTS } from "@accord/contracts/endpoints";
import type { FastifyInstance } from "fastify";
import type { Config } from "./config.ts";
import { makeDemo, repointDemo, type DemoStep, type DemoSystems } from "./demo/index.ts";
import { dashboardsStep } from "./demo/dashboards.ts";
import { pipelinesStep } from "./demo/pipelines.ts";
import { connectorsModule } from "./modules/connections/connectors/index.ts";
import { customSynapsesModule } from "./modules/connections/custom-synapses/index.ts";
import { sdkSynapsesModule } from "./modules/connections/sdk-synapses/index.ts";
import { webhookInbox, webhooksModule } from "./modules/connections/webhooks/index.ts";
import { recordsModule } from "./modules/data/records/index.ts";
import { referenceDataModule } from "./modules/data/reference-data/index.ts";
import { savedFiltersModule } from "./modules/data/saved-filters/index.ts";
import { schemaModule } from "./modules/data/schema/index.ts";
import { ensureInstallation, type Installation } from "./modules/identity/first-start.ts";
import { instancesModule } from "./modules/identity/instances/index.ts";
import { preferencesModule } from "./modules/identity/preferences/index.ts";
import { rolesModule } from "./modules/identity/roles/index.ts";
import { type SignIn, signInModule } from "./modules/identity/sign-in/index.ts";
import { usersModule } from "./modules/identity/users/index.ts";
import { insightsModules } from "./modules/insights/index.ts";
import { type AuditLog, auditModule } from "./modules/operations/audit/index.ts";
import { healthModule } from "./modules/operations/health/index.ts";
import { mailsModule } from "./modules/operations/mails/index.ts";
import { notificationsModule } from "./modules/operations/notifications/index.ts";
import { syncModules } from "./modules/sync/index.ts";
import { matchingModule } from "./modules/sync/matching/index.ts";
import type { ReconciliationCommands } from "./modules/sync/reconciliation/index.ts";
import { deletePipelineData, wakeSql } from "./modules/sync/runs/index.ts";
import { rateLimiter } from "./platform/access/postgres-rate-limiter.ts";
import type { Clock } from "./platform/clock.ts";
import { codeSandbox } from "./platform/code-sandbox/code-sandbox.ts";
import type { Database } from "./platform/db/db.ts";
import type { Deps } from "./platform/deps.ts";
import { antiForgery, type AntiForgery } from "./platform/http/request/anti-forgery.ts";
import { listeningPort, makeHttpServer } from "./platform/http/http-server.ts";
import { type OwnHosts, ownHosts, refuseOtherHosts } from "./platform/http/request/own-hosts.ts";
import { serve } from "./platform/http/serve.ts";
import { sessionCookieName } from "./platform/http/request/session-cookie.ts";
import { serveApiDocuments } from "./platform/http/api-documents/serve-api-documents.ts";
import { serveWebPage } from "./platform/http/web-page.ts";
import { makeNewId } from "./platform/ids.ts";
import { bossJobs, type BossJobs } from "./platform/jobs/boss.ts";
import type { Log } from "./platform/log/log.ts";
import { outbox, type Outbox } from "./platform/mail/outbox.ts";
import type { Module } from "./platform/module.ts";
import { outbound, type ClosableOutbound } from "./platform/outbound/guard.ts";
import { realtime, serveStream } from "./platform/realtime/stream.ts";
import { makeSecrets, type MasterKey } from "./platform/secrets/envelope.ts";
import { stopInTime } from "./platform/stop-in-time.ts";

export type Role = "web" | "worker" | "scheduler";

export interface AppParts {
  config: Config;
  clock: Clock;
  log: Log;
  /** Both migrated. */
  app: Database;
  data: Database;
  masterKeys: readonly MasterKey[];
}

export interface App {
  readonly http: FastifyInstance;
  readonly deps: Deps;
  readonly modules: readonly Module[];
  readonly identity: Modules["identity"];
  /** What the command `reconcile` does. */
  readonly reconciliation: ReconciliationCommands;
  /** Makes organisation, administrator and instance on the very first start. */
  ensureInstallation(): Promise<Installation>;
  /** Makes what is missing of the demo; after `start` with the role `worker`. */
  makeDemo(systems: DemoSystems, installation: Installation): Promise<void>;
  /** Gives its connections the addresses of its systems by now; before background work begins. */
  repointDemo(systems: DemoSystems, installation: Installation): Promise<void>;
  /** Starts modules and, by role, the message stream and background work, which waits for `beforeWork`. */
  start(roles: readonly Role[], beforeWork?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function buildApp(parts: AppParts): Promise<App> {
  const { deps, mail, jobs, egress } = buildDeps(parts);
  const hosts = ownHosts(parts.config, () => listeningPort(http));
  const forgery = antiForgery(deps.secrets, hosts);
  const { modules, identity, connectors, webhooks, reconciliation, demoSteps } = listModules(deps, {
    forgery,
    outbox: mail,
  });
  const { sessions } = identity.signIn;
  const http = await makeHttpServer(deps);
  refuseOtherHosts(http, hosts);
  serve(http, { deps, modules, endpoints: ENDPOINTS, sessions, forgery });
  webhooks.receive(http);
  serveApiDocuments(http, ENDPOINTS, parts.config.baseUrl);
  await serveWebPage(http, { root: parts.config.webDist, baseUrl: parts.config.baseUrl, forgery, sessions });
  /** In the order of starting; stopped in the opposite one. */
  const stops: { part: string; stop: () => Promise<void> }[] = [];
  const started = (part: string, stop?: (() => Promise<void>) | void): void => {
    if (stop) stops.push({ part, stop });
  };

  return {
    http,
    deps,
    modules,
    identity,
    reconciliation: reconciliation.commands,
    ensureInstallation: () => ensureInstallation(deps, identity.instances.service),
    makeDemo: (systems, installation) => makeDemo(deps, { systems, installation, connectors, steps: demoSteps }),
    repointDemo: (systems, installation) => repointDemo(deps, { systems, installation, connectors }),
    async start(roles, beforeWork) {
      await http.ready();
      if (roles.includes("web")) started("message stream", await startStream(http, deps, { parts, sessions, hosts }));
      for (const module of modules) started(module.name, await module.start?.());
      await beforeWork?.();
      if (!roles.includes("worker") && !roles.includes("scheduler")) return;
      for (const module of modules) started(`background work of ${module.name}`, await module.startWorker?.());
    },
    async close() {
      stops.unshift(
        { part: "outbound connections", stop: () => egress.close() },
        { part: "jobs", stop: () => jobs.stop() },
        { part: "code sandbox", stop: () => deps.codeSandbox.close() },
        { part: "web server", stop: async () => await http.close() },
      );
      for (const { part, stop } of stops.splice(0).reverse()) await stopInTime(part, stop, deps);
    },
  };
}

function buildDeps({ config, clock, log, app, data, masterKeys }: AppParts) {
  const newId = makeNewId(clock);
  const secrets = makeSecrets(masterKeys);
  const jobs: BossJobs = bossJobs({ url: app.url, log });
  const egress: ClosableOutbound = outbound({ allow: config.outboundAllow });
  const mail = outbox({ appDb: app.db, clock, config, jobs, log, newId, secrets });
  const deps: Deps = {
    config,
    clock,
    newId,
    log,
    appDb: app.db,
    appPool: app.pool,
    dataDb: data.db,
    dataPool: data.pool,
    dataReads: data.reads,
    secrets,
    rateLimiter: rateLimiter({ appDb: app.db, clock }),
    outbound: egress,
    mail,
    realtime: realtime(app.pool, secrets),
    jobs,
    codeSandbox: codeSandbox({ log }),
  };
  return { deps, mail, jobs, egress };
}

type Modules = ReturnType<typeof listModules>;

/** Every module of the product. A new one adds its line; what it needs of others is handed to it here. */
function listModules(deps: Deps, { forgery, outbox }: { forgery: AntiForgery; outbox: Outbox }) {
  const audit = auditModule(deps);
  const identity = identityModules(deps, { audit: audit.service, forgery });
  outbox.onLink(identity.signIn.service.createLink);
  const { instances } = identity;
  const inbox = webhookInbox(deps.dataPool, deps.secrets, wakeSql);
  const sdkSynapses = sdkSynapsesModule(deps, { audit: audit.service, instances: instances.service });
  const connectors = connectorsModule(deps, inbox.read, sdkSynapses.service, audit.service);
  const schema = schemaModule(deps, { connectors: connectors.service });
  instances.service.onCreate((instanceId) => schema.service.prepareInstance(instanceId));
  const notifications = notificationsModule(deps);
  const shared = { schema: schema.service, connectors: connectors.service, notify: notifications.service.notify };
  const sync = syncModules(deps, { ...shared, instances: instances.service });
  const { pipelines, runs, reconciliation } = sync;
  const { assistant } = sync.actions.service;
  schema.service.onDelete((instanceId, entityId) => deletePipelineData(deps.dataPool, instanceId, entityId));
  const { findWebhook, hasSecretFields } = connectors.service;
  const readers = { findReaders: runs.service.webhookReaders, update: connectors.useCases.update };
  const webhooks = webhooksModule(deps, { findWebhook, hasSecretFields, ...readers }, inbox);
  const records = recordsModule(deps, {
    schema: schema.service,
    connectors: connectors.service,
    changes: runs.service,
    limits: instances.service,
  });
  instances.service.countWith({
    records: (at) => records.service.countAll(at),
    publishes: (at) => pipelines.service.publishCount(at),
  });
  const noted = { audit: audit.service, notifications: notifications.service };
  const insights = insightsModules(deps, { ...shared, ...noted, features: instances.service, assistant });
  const modules: Module[] = [
    ...Object.values(identity),
    audit,
    mailsModule(deps, { outbox }),
    notifications,
    healthModule(deps),
    ...insights.modules,
    connectors,
    sdkSynapses,
    webhooks,
    customSynapsesModule(deps, { connections: connectors.synapses, instances: instances.service }),
    schema,
    records,
    savedFiltersModule(deps, { schema: schema.service }),
    referenceDataModule(deps, { pipelines: pipelines.service, schema: schema.service }),
    ...Object.values(sync),
    matchingModule(deps, { schema: schema.service, changes: runs.service }),
  ];
  /** What the demo shows beyond its connectors, in this order. */
  const demoSteps: DemoStep[] = [
    pipelinesStep({ schema: schema.service, pipelines: pipelines.service }),
    dashboardsStep({ schema: schema.service, insights }),
  ];
  return { modules, identity, connectors, webhooks, reconciliation, demoSteps };
}

/** Who people are, what they may do, and the instances they do it in. */
function identityModules(deps: Deps, { audit, forgery }: { audit: AuditLog; forgery: AntiForgery }) {
  const signIn = signInModule(deps, { forgery });
  const roles = rolesModule(deps, { audit });
  const instances = instancesModule(deps, { audit });
  const preferences = preferencesModule(deps);
  const users = usersModule(deps, {
    audit,
    instances: instances.service,
    preferences: preferences.service,
    roles: roles.service,
    sessions: signIn.sessions,
    signIn: signIn.service,
  });
  return { signIn, users, roles, instances, preferences };
}

function startStream(
  http: FastifyInstance,
  deps: Deps,
  { parts, sessions, hosts }: { parts: AppParts; sessions: SignIn["sessions"]; hosts: OwnHosts },
) {
  const { baseUrl } = parts.config;
  return serveStream({
    app: http,
    url: parts.app.url,
    log: deps.log,
    secrets: deps.secrets,
    sessions,
    tokenOf: (header) => http.parseCookie(header ?? "")[sessionCookieName(baseUrl)] ?? null,
    mayConnect: ({ origin, host }) => hosts.serves(host) && (origin === undefined || hosts.isOwnOrigin(origin, host)),
  });
}
