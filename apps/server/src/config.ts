/** Every setting of the server. The only file that reads the environment. */
import { isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import { isWithin } from "./platform/paths.ts";

const MAX_PROXY_HOPS = 10;

/** `10.0.0.5`, `10.0.0.0/8`, `fd00::/8`. A range of everything would believe everybody. */
function isAddressOrRange(part: string): boolean {
  const [address = "", bits, ...more] = part.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128));
}

const isHost = (name: string) => /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(name);

const text = z.string().trim();
const flag = text.regex(/^[01]$/, "must be 0 or 1").transform((value) => value === "1");
const list = text.transform((value) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);
const url = (...protocols: string[]) =>
  text.refine(
    (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
    `must be an address starting with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
  );
const port = text
  .regex(/^\d+$/, "must be a port number, 0 to 65535")
  .transform(Number)
  .refine((value) => value <= 65_535, "must be a port number, 0 to 65535");
/** `0`, a number of hops, or the proxies themselves; never "whoever says so": callers write that header as well. */
const proxies = list
  .refine(
    (parts) =>
      parts.length === 1 && /^\d+$/.test(parts[0] ?? "")
        ? Number(parts[0]) <= MAX_PROXY_HOPS
        : parts.every(isAddressOrRange),
    `must be 0, a number of proxies (1 to ${MAX_PROXY_HOPS}), or their addresses or CIDR ranges, separated by commas`,
  )
  .transform((parts) => (/^\d+$/.test(parts[0] ?? "") ? Number(parts[0]) : parts));
/** `INSTANCE=FOLDER`, separated by commas. */
const instanceFolders = list
  .refine(
    (parts) => parts.every((part) => /^[0-9a-f]{24}=\s*\S/.test(part)),
    "must be INSTANCE_ID=FOLDER, separated by commas; the settings of a files synapse name the folder, which ends in the id",
  )
  .transform((parts) => parts.map((part) => [part.slice(0, 24), part.slice(25).trim()] as const))
  .refine(
    (pairs) => new Set(pairs.map(([instanceId]) => instanceId)).size === pairs.length,
    "must name each instance once",
  );
const BYTES = { KB: 1_000, MB: 1_000_000, GB: 1_000_000_000 } as const;
/** `file=100MB,files=200,total=1GB`: each part may be left out. */
const uploadLimits = list
  .refine(
    (parts) => parts.every((part) => /^(?:(?:file|total)=\d{1,6}(?:KB|MB|GB)|files=\d{1,5})$/.test(part)),
    "must be written like file=100MB,files=200,total=1GB",
  )
  .transform((parts) => {
    const given = new Map(parts.map((part) => [part.split("=")[0], part.split("=")[1] ?? ""]));
    const bytes = (name: string, initial: number): number => {
      const [, count, unit] = /^(\d+)(KB|MB|GB)$/.exec(given.get(name) ?? "") ?? [];
      return unit === "KB" || unit === "MB" || unit === "GB" ? Number(count) * BYTES[unit] : initial;
    };
    return {
      fileBytes: bytes("file", 100_000_000),
      files: Number(given.get("files") ?? 200),
      totalBytes: bytes("total", 1_000_000_000),
    };
  });
/** `memory=256MB,disk=4GB`, of each instance; each part may be left out. */
const mirrorLimits = list
  .refine(
    (parts) => parts.every((part) => /^(?:memory|disk)=\d{1,6}(?:MB|GB)$/.test(part)),
    "must be written like memory=256MB,disk=4GB",
  )
  .transform((parts) => {
    const given = new Map(parts.map((part) => [part.split("=")[0], part.split("=")[1] ?? ""]));
    const megabytes = (name: string, initial: number): number => {
      const [, count, unit] = /^(\d+)(MB|GB)$/.exec(given.get(name) ?? "") ?? [];
      return unit === undefined ? initial : Number(count) * (unit === "GB" ? 1_000 : 1);
    };
    return { memoryMb: Math.max(64, megabytes("memory", 256)), diskMb: megabytes("disk", 4_000) };
  });
const days = (initial: number) =>
  text
    .regex(/^\d{1,5}$/, "must be a number of days, or 0 to keep everything")
    .transform(Number)
    .default(initial);
const email = text.pipe(z.email("must be an e-mail address"));
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Name in the environment → how it is read. An empty value counts as absent. */
const SETTINGS = z.object({
  PORT: port.default(3000),
  ACCORD_HOST: text.default("127.0.0.1"),
  ACCORD_URL: url("http:", "https:").optional(),
  ACCORD_HOSTS: list
    .refine((names) => names.every(isHost), "must be host names, with or without a port, separated by commas")
    .default([]),
  ACCORD_HOME: text.default(".accord"),
  DATABASE_URL: url("postgres:", "postgresql:").optional(),
  ACCORD_DATA_DATABASE_URL: url("postgres:", "postgresql:").optional(),
  ACCORD_ADMIN_EMAIL: email.default("admin@accord.local"),
  ACCORD_ADMIN_PASSWORD: text.min(12, "must have at least 12 characters").optional(),
  ACCORD_DEMO: flag.default(true),
  ACCORD_SQL_MODE: flag.optional(),
  ACCORD_MIRROR: flag.default(true),
  ACCORD_MIRROR_LIMITS: mirrorLimits.prefault(""),
  ACCORD_MASTER_KEY_FILE: text.optional(),
  SMTP_URL: url("smtp:", "smtps:").optional(),
  ACCORD_FILES_ROOT: text.optional(),
  ACCORD_FILES_FOLDERS: instanceFolders.default([]),
  ACCORD_UPLOAD_LIMITS: uploadLimits.prefault(""),
  ACCORD_KEEP_POSTS_DAYS: days(30),
  ACCORD_KEEP_LEDGER_DAYS: days(400),
  ACCORD_KEEP_CYCLES_DAYS: days(90),
  ACCORD_KEEP_QUARANTINE_DAYS: days(90),
  ACCORD_KEEP_MAILS_DAYS: days(90),
  ACCORD_OUTBOUND_ALLOW: list.default([]),
  ACCORD_INTERNAL_EMAIL_DOMAIN: text.optional(),
  ACCORD_TRUST_PROXY: proxies.default(0),
  ACCORD_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
});

/** Where the operator says how many days what happened is kept. */
export const KEEP_SETTINGS = {
  /** Posts of webhooks, once they are read. */
  posts: "ACCORD_KEEP_POSTS_DAYS",
  /** Entries of the ledger that say nothing about present values. */
  ledger: "ACCORD_KEEP_LEDGER_DAYS",
  cycles: "ACCORD_KEEP_CYCLES_DAYS",
  /** Quarantined records, once they are resolved. */
  quarantine: "ACCORD_KEEP_QUARANTINE_DAYS",
  /** Mails, unless they wait to be sent. */
  mails: "ACCORD_KEEP_MAILS_DAYS",
} as const;
export type KeepDays = Record<keyof typeof KEEP_SETTINGS, number>;

/** How often background work looks for what is due. */
export interface Intervals {
  /** New sources to look for deletions in, and due ones. */
  deletionDetectionMs: number;
  /** What systems retain for sources. */
  replicationSlotsMs: number;
}
const INTERVALS: Intervals = { deletionDetectionMs: 15_000, replicationSlotsMs: 15_000 };

export interface MirrorSettings {
  isOn: boolean;
  /** Of one instance, in DuckDB. */
  memoryMb: number;
  /** Of one instance, for its copies, and as much for temporary files. */
  diskMb: number;
  /** Entities with fewer records are left to PostgreSQL: at 100,000 it is about as fast as both together. */
  minRecords: number;
}
const MIRROR_MIN_RECORDS = 200_000;
const CONNECTING =
  /^(PG[A-Z_]+|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|HOME|USER|LOGNAME|PATH|TMPDIR|TEMP|APPDATA|USERPROFILE|SYSTEMROOT)$/i;

export interface Config {
  port: number;
  /** Address the server listens on; `127.0.0.1` keeps it to this machine. */
  host: string;
  /** Public origin without a trailing slash: what mails link to and what browsers must come from. */
  baseUrl: string;
  /** Further names the server answers to: `host` or `host:port`. */
  hosts: string[];
  /** Absolute folder for everything the server keeps beside the databases. */
  home: string;
  /** External PostgreSQL. Absent: the embedded one in `home` is started. */
  databaseUrl?: string;
  /** The database of records. Absent: beside the first, with `_data` after its name. */
  dataDatabaseUrl?: string;
  adminEmail: string;
  adminPassword?: string;
  demo: boolean;
  /** Datasets may be written in SQL: on with the embedded PostgreSQL unless it is switched off. */
  sqlMode: boolean;
  /** The columnar mirror of analytics. */
  mirror: MirrorSettings;
  /** Variables that a process of its own needs to connect to PostgreSQL as this one does; no secrets of other systems. */
  connecting: Readonly<Record<string, string | undefined>>;
  masterKeyFile: string;
  smtpUrl?: string;
  /** Holds a folder for each instance, named by its id, whose files the connectors of that instance may read. */
  filesRoot: string;
  /** Absolute folders of the instances whose files lie elsewhere, by instance id. */
  filesFolders: ReadonlyMap<string, string>;
  /** What an instance may store of uploaded files: bytes of one, how many, bytes in all. */
  uploadLimits: { fileBytes: number; files: number; totalBytes: number };
  /** How many days what happened is kept; 0: for ever. */
  keepDays: KeepDays;
  /** Internal hosts that connectors may reach: `host`, `host:port` or a CIDR range. */
  outboundAllow: string[];
  internalEmailDomain?: string;
  /** How many proxies stand before the server, or their addresses and ranges; 0: none. */
  trustProxy: number | string[];
  logLevel: string;
  intervals: Intervals;
  /** Folder of the built web application. */
  webDist: string;
}

/** What is wrong with the settings, one line each; shown as it is, without a stack. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`These settings can't be used:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/** @throws ConfigError with one line for each bad setting. Values are not repeated: they may be secrets. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== "");
  const parsed = SETTINGS.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`));
  }
  const settings = parsed.data;
  const databaseUrl = settings.DATABASE_URL;
  if (settings.ACCORD_DATA_DATABASE_URL && !databaseUrl) {
    throw new ConfigError(["ACCORD_DATA_DATABASE_URL needs DATABASE_URL as well"]);
  }
  const home = resolve(settings.ACCORD_HOME);
  const filesRoot = resolve(settings.ACCORD_FILES_ROOT ?? `${home}/files`);
  return {
    port: settings.PORT,
    host: settings.ACCORD_HOST,
    baseUrl: settings.ACCORD_URL ? settings.ACCORD_URL.replace(/\/+$/, "") : `http://localhost:${settings.PORT}`,
    hosts: settings.ACCORD_HOSTS,
    home,
    databaseUrl,
    dataDatabaseUrl: settings.ACCORD_DATA_DATABASE_URL ?? (databaseUrl && besideDatabase(databaseUrl)),
    adminEmail: settings.ACCORD_ADMIN_EMAIL,
    adminPassword: settings.ACCORD_ADMIN_PASSWORD,
    demo: settings.ACCORD_DEMO,
    // Processes of the embedded PostgreSQL are limited in memory by us, those of another server by its operator.
    sqlMode: settings.ACCORD_SQL_MODE ?? databaseUrl === undefined,
    mirror: { isOn: settings.ACCORD_MIRROR, minRecords: MIRROR_MIN_RECORDS, ...settings.ACCORD_MIRROR_LIMITS },
    connecting: Object.fromEntries(given.filter(([name]) => CONNECTING.test(name))),
    masterKeyFile: resolve(settings.ACCORD_MASTER_KEY_FILE ?? `${home}/master.key`),
    smtpUrl: settings.SMTP_URL,
    filesRoot,
    filesFolders: separateFolders(filesRoot, settings.ACCORD_FILES_FOLDERS),
    uploadLimits: settings.ACCORD_UPLOAD_LIMITS,
    keepDays: {
      posts: settings[KEEP_SETTINGS.posts],
      ledger: settings[KEEP_SETTINGS.ledger],
      cycles: settings[KEEP_SETTINGS.cycles],
      quarantine: settings[KEEP_SETTINGS.quarantine],
      mails: settings[KEEP_SETTINGS.mails],
    },
    outboundAllow: settings.ACCORD_OUTBOUND_ALLOW,
    internalEmailDomain: settings.ACCORD_INTERNAL_EMAIL_DOMAIN,
    trustProxy: settings.ACCORD_TRUST_PROXY,
    logLevel: settings.ACCORD_LOG_LEVEL,
    intervals: INTERVALS,
    webDist: resolve(import.meta.dirname, "../../web/dist"),
  };
}

/**
 * The folders that the operator gave to instances, absolute. Two instances share a folder only where it is written for
 * both: one that holds another's, or the root with everybody's, is refused.
 */
function separateFolders(root: string, pairs: readonly (readonly [string, string])[]): Map<string, string> {
  const folders = new Map(pairs.map(([instanceId, folder]) => [instanceId, resolve(root, folder)]));
  const problems = [...folders].flatMap(([instanceId, folder]) => {
    const others = [...folders.values()].filter((other) => other !== folder);
    if (isWithin(folder, root))
      return [`ACCORD_FILES_FOLDERS gives ${instanceId} the files of all other instances too`];
    if (others.some((other) => isWithin(folder, other)))
      return [`ACCORD_FILES_FOLDERS gives ${instanceId} a folder that holds the one of another instance`];
    return [];
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return folders;
}

function besideDatabase(databaseUrl: string): string {
  const address = new URL(databaseUrl);
  const name = address.pathname.replace(/^\/+/, "");
  if (name === "") throw new ConfigError(["DATABASE_URL must name a database: postgres://host/NAME"]);
  address.pathname = `/${name}_data`;
  return address.href;
}
