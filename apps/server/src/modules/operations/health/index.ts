/** Whether everything works, and what the browser reports when it does not. */
import * as contract from "@accord/contracts/operations/health";
import { migrationsAreCurrent } from "../../../platform/db/migrations.ts";
import { mayMakeReaders } from "../../../platform/db/reader-roles.ts";
import { type Exposure, findExposure } from "../../../platform/postgres/exposure.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { route, type Module } from "../../../platform/module.ts";
import { beat, countWorkers, stopHeartbeat, insertErrorReport, ping } from "./health.store.ts";

const BEAT_EVERY_MS = 5_000;
const SILENT_AFTER_SECONDS = 20;
const REPORT_LIMIT_BYTES = 16 * 1024;
const REPORTS = { scope: "phoneHome.network", attempts: 20, windowMs: 15 * 60_000 };
/** Things in addresses that open something: `?token=…`. */
const SECRETS_IN_TEXT = /([?&#](?:token|code|state|password|key|secret)=)[^&#\s"']+/gi;
const INVITATIONS_IN_TEXT = /(\/setpassword\/)[0-9a-f]{24}/g;

export function healthModule(deps: Deps): Module {
  const { appDb, appPool, clock, config, dataDb, dataPool, log, newId, rateLimiter } = deps;
  let migrated = false;
  let isolated: Promise<boolean> | undefined;
  let exposed: Promise<Exposure[]> | undefined;
  // The PostgreSQL that the server runs itself is closed at each start.
  const external = [...(config.databaseUrl ? [appPool] : []), ...(config.dataDatabaseUrl ? [dataPool] : [])];

  async function findExposures(): Promise<Exposure[]> {
    const found = await Promise.all(external.map((pool) => findExposure(pool)));
    return found.filter(({ statements }) => statements.length > 0);
  }

  async function check(): Promise<void> {
    await Promise.all([ping(appDb), ping(dataDb)]);
    // Once current, always current: a newer version would be another process.
    migrated ||= await migrationsAreCurrent({ appPool, dataPool });
    if (!migrated) throw new AppError("server_busy", { reason: "Migrations are missing." });
    const workers = await countWorkers(appDb, SILENT_AFTER_SECONDS);
    if (workers === 0) throw new AppError("server_busy", { reason: "No background work is running." });
  }

  return {
    name: "operations/health",
    routes: [
      route(contract.getHealth, async () => {
        await check();
        const [isIsolated, exposures] = await Promise.all([
          (isolated ??= mayMakeReaders(dataPool)),
          (exposed ??= findExposures()),
        ]);
        const warnings = [
          ...(isIsolated ? [] : ["analytics_not_isolated" as const]),
          ...(exposures.length === 0 ? [] : ["database_open" as const]),
        ];
        return { status: "ok" as const, ...(warnings.length > 0 ? { warnings } : {}) };
      }),
      route(contract.getDatabaseProtection, async () => {
        // Looked at anew: whoever ran the statements wants to see that they helped.
        exposed = findExposures();
        const exposures = await exposed;
        return { exposures: exposures.map(({ statements, ...rest }) => ({ ...rest, sql: sqlOf(statements) })) };
      }),
      route(contract.reportError, async (ctx, { body }) => {
        await rateLimiter.consumeAttempt(REPORTS, ctx.exchange.network);
        const report = JSON.stringify(body).replace(SECRETS_IN_TEXT, "$1…").replace(INVITATIONS_IN_TEXT, "$1…");
        if (Buffer.byteLength(report) > REPORT_LIMIT_BYTES) throw new AppError("body_too_large", { limit: "16 KB" });
        log.warn({ phoneHomeId: body.phoneHomeId, requestId: ctx.requestId }, "a screen crashed in a browser");
        await insertErrorReport(appDb, {
          id: newId(),
          organisation_id: ctx.signedIn ? ctx.organisationId : null,
          user_id: ctx.signedIn ? ctx.actor.userId : null,
          phone_home_id: body.phoneHomeId,
          report,
          created_at: clock.now(),
        });
        return {};
      }),
    ],
    async start() {
      for (const { database, isOpen, dangerousFunctions, statements } of await findExposures())
        log.warn(
          { database, isOpen, dangerousFunctions, sql: sqlOf(statements) },
          "other roles of this PostgreSQL server may enter the database or call functions in it that do harm: " +
            "run the statements of `sql` in it as a superuser, if no other role is meant to",
        );
      if (await mayMakeReaders(dataPool)) return;
      log.warn(
        "Analytics runs with the server's own rights in the database: its role may not make roles. " +
          "To keep instances apart there too, run ALTER ROLE … CREATEROLE for the role of DATABASE_URL and start again.",
      );
    },
    async startWorker() {
      const processId = newId();
      const tell = () => beat(appDb, processId).catch((error: unknown) => log.warn({ err: error }, "no heartbeat"));
      await tell();
      const timer = setInterval(() => void tell(), BEAT_EVERY_MS);
      timer.unref();
      return async () => {
        clearInterval(timer);
        await stopHeartbeat(appDb, processId);
      };
    },
  };
}

const sqlOf = (statements: readonly string[]): string => statements.map((statement) => `${statement};`).join("\n");
