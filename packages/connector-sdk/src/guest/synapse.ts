/** What authors of uploaded synapses write: a description, and how to connect. Without imports that a sandbox does not have. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import type { Capability, AuthMethod, HttpReply, HttpRequest } from "../connector.ts";
import type { Connection } from "../connection.ts";

/** The world of an uploaded synapse: its configuration, and HTTP to the addresses that it declares. Nothing else. */
export interface SynapseContext {
  config: Values;
  authType: string;
  credentials: Readonly<Record<string, string>>;
  /** One HTTP exchange, made by Accord; only with `origins`, and without redirects. Throws `ConnectorError`. */
  send(request: HttpRequest): Promise<HttpReply>;
  now(): Date;
  sleep(milliseconds: number): Promise<void>;
  /** Into the log that authors and operators see. */
  log(level: "info" | "warn", message: string): void;
}

/** What a connection of an uploaded synapse can be asked; what its capabilities don't name may be left out. */
export interface SynapseConnection extends Pick<
  Connection,
  "check" | "read" | "listIds" | "getByIds" | "lookup" | "write"
> {
  /** All entities, or those named by `only`. */
  discover(options: { only?: string[] }): Promise<EntitySchema[]> | EntitySchema[] | AsyncIterable<EntitySchema>;
}

export interface Synapse {
  displayName: string;
  description?: string;
  helpUrl?: string;
  configFields?: InputDefinition[];
  authMethods?: AuthMethod[];
  capabilities: Capability[];
  /**
   * Where it may send requests: `https://api.example.com`, or with inputs of its configuration in the host,
   * `https://{account}.example.com`, or an input that holds a whole address: `{baseUrl}`.
   */
  origins: string[];
  readPageSize?: number;
  writeBatchSize?: number;
  readDelaySeconds?: number;
  connect(context: SynapseContext): SynapseConnection;
}

/** Checks nothing: Accord does, when the synapse is uploaded. For editors, which then know the types. */
export const defineSynapse = (synapse: Synapse): Synapse => synapse;
