/** What the server gives every module: time, ids, storage and the ways out. Built once, in `app.ts`. */
import type { Config } from "../config.ts";
import type { RateLimiter } from "./access/rate-limiter.ts";
import type { Clock } from "./clock.ts";
import type { CodeSandbox } from "./code-sandbox/code-sandbox.ts";
import type { Db, Pool } from "./db/db.ts";
import type { NewId } from "./ids.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { Log } from "./log/log.ts";
import type { Mail } from "./mail/mail.ts";
import type { Outbound } from "./outbound/outbound.ts";
import type { Realtime } from "./realtime/realtime.ts";
import type { Secrets } from "./secrets/secrets.ts";

export interface Deps {
  readonly config: Config;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** People, configuration, secrets, jobs. A store names its tables with `appDb.withTables<…>()`. */
  readonly appDb: Db;
  /** The same database for `transaction(pool, …)`, bulk statements and LISTEN. */
  readonly appPool: Pool;
  /** Records and everything sync; one schema for each instance: `instanceSchema(instanceId)`. */
  readonly dataDb: Db;
  readonly dataPool: Pool;
  /** The same database for what people look at: read-only, each statement bounded in time. */
  readonly dataReads: Pool;
  readonly secrets: Secrets;
  readonly rateLimiter: RateLimiter;
  readonly outbound: Outbound;
  readonly mail: Mail;
  readonly realtime: Realtime;
  readonly jobs: Jobs;
  /** Runs people's own code, away from everything. */
  readonly codeSandbox: CodeSandbox;
}
