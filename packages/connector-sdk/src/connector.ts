/** The promise a connector makes: what it needs to connect, what it can do, and how it reads and writes. */
import type { FieldProblem } from "@accord/contracts";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import type { AuthorizationSettings, GetAccessToken } from "./authorization.ts";
import type { Connection } from "./connection.ts";

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
  "privateKey",
] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

export interface AuthMethod {
  type: AuthType;
  label: string;
  /** Secret inputs carry `secret: true`; they are stored encrypted and handed to `connect` in `credentials`. */
  fields: InputDefinition[];
  /** Inputs of the configuration that only this method needs: shown with it, stored with the others. */
  settings?: InputDefinition[];
  /** Members of a secret that is JSON, such as a key file, that are no secrets: messages may name them. */
  readableMembers?: readonly string[];
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
  /** Updates and deletes compare with `expected` and write in one step: no edit between the two can be overwritten. */
  | "conditionalWrite"
  /** They read the record right before writing it: an edit between the two is a matter of milliseconds. */
  | "checkedWrite"
  /** The system retains changes, deletions among them, for readers by name where it can (`changeDetection` says). */
  | "retainsChanges"
  /** `subscribe` works. */
  | "notifies"
  | "userEditableId"
  | "userEditableWatermark";

/** What a connector type is, before anybody connects. */
export interface ConnectorDefinition {
  /** Stable name, also the folder's: `postgres`. */
  type: string;
  displayName: string;
  category: "database" | "application" | "api" | "files";
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
  /**
   * Hosts (`name:port`) a configuration talks to; the server checks them against its outbound rules before saving. By
   * `authType`, those of the sign-in method too.
   */
  hosts(config: Values, authType?: string): string[];
  /**
   * What secrets are entered for, and never used beyond: origins (`https://host:port`) of an API, host, port and
   * database (`postgres://host:port/database`) of a database. By `authType`, an address where tokens are given out stands
   * in full: what one place is trusted with is none of the other's, and neither may take the other's part.
   */
  destinations(config: Values, authType?: string): string[];
  /** A configuration as it is stored: what was left out and means something stands in it. */
  complete?(config: Values): Values;
  /** What is wrong with a configuration, by field; empty when it can be saved. Made by `defineConnector`. */
  problems(config: Values): FieldProblem[];
  /**
   * The same of a configuration that is about to be stored in place of `former`, with what only new settings have to
   * keep: stored ones of earlier versions go on.
   */
  editProblems(config: Values, former: Values | null): FieldProblem[];
  /** What is wrong with the settings of one sign-in method, by field, in a configuration that `problems` finds nothing wrong with. */
  signInProblems(config: Values, authType: AuthType): FieldProblem[];
  /**
   * How a person signs in at the system with the method `oauth`; absent: nobody does. Throws
   * `ConnectorError("configuration")` for settings that `signInProblems` complains about.
   */
  authorization?: (config: Values, credentials: Readonly<Record<string, string>>) => AuthorizationSettings;
  /** What one entity allows: a part of `capabilities`. */
  capabilitiesOf(config: Values, entity: EntitySchema): Capability[];
  connect(context: ConnectContext): Connection;
}

/** Stands in help texts for the full path of the folder with the instance's files, which the server writes in its place. */
export const FILES_FOLDER = "{filesFolder}";

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
  /** For the method `oauth` of a saved connection. */
  accessToken?: GetAccessToken;
  /** Checks a host and port and answers the address to connect to; for connectors that speak their own protocol. */
  resolveHost(host: string, port: number): Promise<{ address: string; port: number }>;
  /** Posts kept for this connector, for those that are posted to instead of asking. */
  readInbox?(request: InboxRequest): Promise<InboxPage>;
  /** Full path of a folder that file connectors may read; paths outside the instance's folder are refused by the server. */
  resolveFolder(path: string): Promise<string>;
  /** Files that people uploaded for this connector. */
  uploadedFiles?: UploadedFiles;
  /**
   * Starts the uploaded code of this connector in a process of its own. Throws `ConnectorError`. `masked` takes the
   * credentials out of what the code prints, before any of it is logged.
   */
  openProgram?(masked: (text: string) => string): Promise<SynapseProgram>;
  now(): Date;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  signal: AbortSignal;
  log(level: "info" | "warn", message: string, facts?: Record<string, unknown>): void;
}

/** Uploaded code in its sandbox. What it answers is a stranger's data. */
export interface SynapseProgram {
  /** Throws `ConnectorError` and nothing else. `ask` answers what the code asks for meanwhile. */
  call(
    name: string,
    args: object,
    options: {
      signal?: AbortSignal | undefined;
      ask(name: string, args: unknown, signal: AbortSignal): Promise<unknown>;
    },
  ): Promise<unknown>;
  readonly hasEnded: boolean;
  close(): Promise<void>;
}

export interface UploadedFiles {
  /** By name; no two are called alike. */
  list(): Promise<UploadedFile[]>;
}

export interface UploadedFile {
  name: string;
  size: number;
  /** Another number for each version of the same name. */
  modified: number;
  /** Bytes from any place; null once this version is not there any more. */
  read(offset: number, length: number): Promise<Buffer | null>;
}

export interface InboxRequest {
  /** Number of the last post seen; 0 for none. */
  after: number;
  /** Most posts wanted. */
  count: number;
  /** Nothing follows the post with which their bodies reach so many bytes, as they are stored. */
  maxBytes: number;
  since?: Date;
  until?: Date;
}

export interface InboxPage {
  posts: InboxPost[];
  /** It stopped at one of its bounds, as only the inbox knows, which counts bytes as it stores them: there may be more. */
  isFull: boolean;
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
  /** Names of those that hold credentials: a request with some follows no redirect to another origin. */
  secretHeaders?: readonly string[];
  /** Credentials in its address or body that are none of the connection's own, such as a session's token. */
  secretValues?: readonly string[];
  body?: string;
  /** The only origins that may be called, by redirects too. */
  onlyOrigins?: readonly string[];
  /** Milliseconds for the whole exchange. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** Called right before the request leaves, however long it waited for its turn; what it throws keeps it from being sent. */
  beforeSend?: () => void;
}

export interface HttpReply {
  status: number;
  /** Names in lower case; repeated ones joined with a comma. */
  headers: Record<string, string>;
  body: Uint8Array;
}
