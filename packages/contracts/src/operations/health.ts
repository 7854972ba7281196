/** Whether the server works, and reports of the browser when it does not. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";

export const getHealth = endpoint({
  name: "getHealth",
  method: "GET",
  path: "/health",
  access: "public",
  scope: "none",
  summary: "`ok` when both databases answer, all migrations are applied and background work runs; else 503.",
  reply: z.strictObject({
    status: z.literal("ok"),
    /**
     * What works with less protection than it could; absent when nothing does. `analytics_not_isolated`: the role of
     * the database `data` may not make roles, so that statements of analytics run with the rights of the server.
     * `database_open`: on an external PostgreSQL server other roles may enter a database, or call functions in it that
     * do harm; `GET /installation/database` says which, and the SQL that ends it.
     */
    warnings: z.array(z.enum(["analytics_not_isolated", "database_open"])).optional(),
  }),
  errors: ["server_busy", "database_unavailable"],
});

export const getDatabaseProtection = endpoint({
  name: "getDatabaseProtection",
  method: "GET",
  path: "/installation/database",
  access: "DEBUG",
  scope: "organisation",
  summary:
    "What other roles of an external PostgreSQL server may do with the databases, and the SQL that ends it. Empty where the server runs its own PostgreSQL, or all is closed.",
  reply: z.strictObject({
    exposures: z.array(
      z.strictObject({
        database: z.string(),
        /** Every role of the server may connect. */
        isOpen: z.boolean(),
        dangerousFunctions: z.number().int(),
        /** For a superuser in this database, one statement a line. */
        sql: z.string(),
      }),
    ),
  }),
});

/** At most 16 KB in all: what happened, never what was on the screen. */
export const reportError = endpoint({
  name: "reportError",
  method: "POST",
  path: "/phoneHome",
  access: "public",
  scope: "none",
  summary: "Takes a report of a crashed screen.",
  body: z.strictObject({
    phoneHomeId: z.string().max(100),
    errorMessage: z.string().max(2_000),
    errorStack: z.string().max(8_000).default(""),
    state: z.string().max(2_000).default(""),
    actions: z.string().max(2_000).default(""),
    componentStack: z.string().max(4_000).default(""),
    browserInfo: z.string().max(500).default(""),
    url: z.string().max(1_000).default(""),
  }),
  reply: z.strictObject({}),
  errors: ["too_many_tries", "body_too_large"],
});
