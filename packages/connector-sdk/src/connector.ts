/** The promise a connector makes: what it needs to connect, what it can do, and how it reads and writes. */
import type { FieldProblem } from "@accord/contracts";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import type { z } from "zod";
import { ConnectorError } from "./errors.ts";

/** Plain data a connector returns to continue reading later; stored as JSON, never looked into by the engine. */
export type Cursor = Value;

export const AUTH_TYPES = [
  "none",
  "userPassword",
  "apiKey",
  "bearerToken",
  "apiSecretKey",
  "oauth",
  "simpleOAuth",
  "oneClickOAuth",
  "userPasswordToken",
  "netSuiteToken",
  "oauthClientCredentials",
] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

export interface AuthMethod {
  type: AuthType;
  label: string;
  /** Secret inputs carry `secret: true`; they are stored encrypted and handed to `connect` in `credentials`. */
  fields: InputDefinition[];
}

export type Capability =
  | "read"
  | "create"
  | "update"
  | "delete"
  | "getById"
  | "lookup"
  | "readByWatermark"
  | "readById"
  /** Reads tell deleted records (`deleted: true`). */
  | "readDeletes"
  /** `listIds` walks the ids that exist, so that vanished records can be found. */
  | "listIds"
  /** An unchanged record is not read twice in `changes` mode; without it every pass reads everything and is compared. */
  | "readChanges"
  /** Creates carry the idempotency key to the system: a repeat is harmless even after an unknown outcome. */
  | "idempotentCreate"
  /** `subscribe` works. */
  | "notifies"
  | "userEditableId"
  | "userEditableWatermark";

/** What a connector type is, before anybody connects. */
export interface ConnectorDefinition {
  /** Stable name, also the folder's: `postgres`. */
  type: string;
  displayName: string;
  category: "database" | "api" | "files";
  description: string;
  /** Name of an icon in the icon set, and the tile's colour token. */
  icon: string;
  backgroundColor: string;
  helpUrl?: string;
  configFields: InputDefinition[];
  authMethods: AuthMethod[];
  capabilities: Capability[];
  /** Records a read page should hold; records one write call takes; seconds a fresh write may stay invisible to reads. */
  readPageSize: number;
  writeBatchSize: number;
  readDelaySeconds: number;
  /** Hosts (`name:port`) a configuration talks to; the server checks them against its outbound rules before saving. */
  hosts(config: Values): string[];
  /** What is wrong with a configuration, by field; empty when it can be saved. Made by `defineConnector`. */
  problems(config: Values): FieldProblem[];
  /** What one entity allows: a part of `capabilities`. */
  capabilitiesOf(config: Values, entity: EntitySchema): Capability[];
  connect(context: ConnectContext): Connection;
}

/** The only outside world a connector gets; every call in it is checked by the server's outbound rules. */
export interface ConnectContext {
  config: Values;
  authType: AuthType;
  credentials: Record<string, string>;
  /**
   * One guarded HTTP exchange, whatever the status. Throws classified `ConnectorError`s: `outboundRefused`,
   * `unreachable`, `timeout`, `certificate`. Connectors use `sendRequest`, which adds what they share.
   */
  send(request: HttpRequest): Promise<HttpReply>;
  /** Checks a host and port and answers the address to connect to; for connectors that speak their own protocol. */
  resolveHost(host: string, port: number): Promise<{ address: string; port: number }>;
  /** Posts kept for this connector, for those that are posted to instead of asking. */
  readInbox?(request: InboxRequest): Promise<InboxPost[]>;
  /** Full path of a folder that file connectors may read; paths outside the operator's root are refused by the server. */
  resolveFolder(path: string): Promise<string>;
  now(): Date;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  signal: AbortSignal;
  log(level: "info" | "warn", message: string, facts?: Record<string, unknown>): void;
}

export interface InboxRequest {
  /** Number of the last post seen; 0 for none. */
  after: number;
  /** Most posts wanted. */
  count: number;
  since?: Date;
  until?: Date;
}

/** A post as it came. Numbers grow in the order in which posts can be seen. */
export interface InboxPost {
  number: number;
  body: string;
}

export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Milliseconds for the whole exchange. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface HttpReply {
  status: number;
  /** Names in lower case; repeated ones joined with a comma. */
  headers: Record<string, string>;
  body: Uint8Array;
}

/** One open, authenticated connection to a system. Methods throw `ConnectorError` and nothing else. */
export interface Connection {
  /** Succeeds when host, credentials and rights are good enough to discover and read. */
  check(): Promise<void>;
  /** Entities one by one, so that progress can be shown; `only` limits it to these api names. */
  discover(options: { only?: string[] }): AsyncIterable<{ entity: EntitySchema; done: number; total: number | null }>;
  /**
   * The next page after `cursor`; the same cursor gives the same or newer records, never a gap. A record may come
   * again unchanged (overlap for late commits): the engine compares and absorbs it. Values are in Accord's own form
   * for the field's data type; a record with a value that does not fit its type is answered in `bad`.
   */
  read(request: ReadRequest): Promise<ReadPage>;
  /**
   * The next page of the ids that exist now, walked once from null to `drained`. A known id that is missing after a
   * whole walk, and was there before it began, has been deleted.
   */
  listIds?(request: ListIdsRequest): Promise<IdPage>;
  /** Records that still exist among these ids; used to look before a repeated create and by live tests. */
  getByIds?(request: { entity: EntitySchema; fields: string[]; ids: string[] }): Promise<SourceRecord[]>;
  /** Records whose field equals one of the values; used to look before create. At most 100 values. */
  lookup?(request: { entity: EntitySchema; fields: string[]; field: string; values: Value[] }): Promise<SourceRecord[]>;
  /** One outcome per operation, in order. At most `writeBatchSize` operations, all of one entity. */
  write?(request: { entity: EntitySchema; operations: WriteOperation[] }): Promise<WriteOutcome[]>;
  /** Calls back with an entity's api name when the system says it changed; the engine then reads at once. */
  subscribe?(request: SubscribeRequest): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface SubscribeRequest {
  entities: EntitySchema[];
  onChange(entityApiName: string): void;
  /** The subscription broke off; the engine subscribes again after a while and polls meanwhile. */
  onBroken(error: ConnectorError): void;
}

export interface ReadRequest {
  entity: EntitySchema;
  /** Api names wanted; id and watermark fields are always read. */
  fields: string[];
  /** null: from the very beginning. */
  cursor: Cursor | null;
  /** `changes` stops at now and resumes later; `all` walks everything once (resync) and may restrict to a time range. */
  mode: "changes" | "all";
  since?: Date;
  until?: Date;
  pageSize: number;
  /** Where a connector can tell, records come with the place they stand at: one that could not be read is found again by it. */
  withPlaces?: boolean;
  signal?: AbortSignal;
}

export interface ListIdsRequest {
  entity: EntitySchema;
  cursor: Cursor | null;
  /** Ids wanted; some connectors answer more. */
  pageSize: number;
  signal?: AbortSignal;
}

export interface IdPage {
  ids: string[];
  cursor: Cursor;
  drained: boolean;
}

export interface SourceRecord {
  id: string;
  values: Values;
  deleted?: boolean;
  /** UTC ISO-8601, when the system tells it. */
  modifiedAt?: string;
  /** Where it stands, in the words of `BadRecord.place`; only told `withPlaces`. */
  place?: string;
}

/** A record the connector could not read: quarantined with its place, the rest of the page goes on. */
export interface BadRecord {
  /** Where: `line 14`, `id 55`. */
  place: string;
  /** Its id, where that could be read: it is found again under it once it can be read. */
  id?: string;
  message: string;
  excerpt?: string;
}

export interface ReadPage {
  records: SourceRecord[];
  bad?: BadRecord[];
  /** Where the next page starts; kept as the incremental position when `drained`. */
  cursor: Cursor;
  /** Nothing more to read for now. */
  drained: boolean;
  /**
   * Pages that may be fetched ahead of this one being committed, when the system's paging allows it
   * (offset or page number within one pass): their cursors, in order.
   */
  ahead?: Cursor[];
}

export type WriteOperation =
  | { kind: "create"; values: Values; idempotencyKey: string }
  | { kind: "update"; id: string; values: Values; idempotencyKey: string }
  | { kind: "delete"; id: string; idempotencyKey: string };

export type WriteOutcome =
  | {
      status: "done";
      id: string;
      /** Values as stored there, when the system answers them. */
      values?: Values;
      modifiedAt?: string;
    }
  /** Refused for good: the record is quarantined with this message. */
  | { status: "rejected"; code: string; message: string; field?: string }
  /** May succeed later. */
  | { status: "retry"; message: string; retryAfterMs?: number }
  /** Sent, but no answer came: it may have been done. */
  | { status: "unknown"; message: string }
  /** The record is gone there (update or delete of a missing id). */
  | { status: "missing" };

/** A definition as its author writes it: the configuration is parsed by `config` before `connect` and `hosts` see it. */
export interface ConnectorSpec<Config> extends Omit<
  ConnectorDefinition,
  "hosts" | "problems" | "capabilitiesOf" | "connect"
> {
  config: z.ZodType<Config>;
  hosts(config: Config): string[];
  /** When an entity allows less than the type; read-only entities lose the writing ones by themselves. */
  capabilitiesOf?(config: Config, entity: EntitySchema): Capability[];
  connect(context: ConnectContext, config: Config): Connection;
}

/**
 * Makes a definition from a typed one. `connect` and `hosts` throw `ConnectorError("configuration")` for a
 * configuration that `problems` complains about.
 */
export function defineConnector<Config>(spec: ConnectorSpec<Config>): ConnectorDefinition {
  const parse = (config: Values): Config => {
    const parsed = spec.config.safeParse(config);
    if (parsed.success) return parsed.data;
    const [first] = problemsOf(parsed.error);
    throw new ConnectorError("configuration", `The configuration is not complete: ${first?.path}: ${first?.message}.`, {
      hint: "Edit the connection and correct this setting.",
    });
  };
  const { config, hosts, connect, capabilitiesOf, ...rest } = spec;
  return {
    ...rest,
    capabilitiesOf: (values, entity) => {
      const allowed = capabilitiesOf ? capabilitiesOf(parse(values), entity) : spec.capabilities;
      return entity.readOnly ? allowed.filter((capability) => !WRITING.has(capability)) : allowed;
    },
    hosts: (values) => hosts(parse(values)),
    problems: (values) => {
      const parsed = config.safeParse(values);
      return parsed.success ? [] : problemsOf(parsed.error);
    },
    connect: (context) => connect(context, parse(context.config)),
  };
}

const WRITING: ReadonlySet<Capability> = new Set(["create", "update", "delete", "idempotentCreate"]);

const problemsOf = (error: z.ZodError): FieldProblem[] =>
  error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
