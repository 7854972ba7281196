/** Opens connections of stored connectors: credentials decrypted for their own destinations only, every way out guarded, errors masked. */
import type { ConnectContext, Connection, InboxPage, InboxRequest, SynapseProgram } from "@accord/connector-sdk";
import { UPLOADED_TYPE } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { typeOf } from "./connector-view.ts";
import { findStored, type StoredConnector } from "./connectors.store.ts";
import { connectContext } from "./connection-context.ts";
import { openCredential } from "./credentials/credentials.ts";
import { connectMasked } from "./credentials/masked-connection.ts";
import { accessTokensOf } from "./oauth/index.ts";
import { uploadedFiles } from "./uploads/stored-file.ts";
import { type WaitPolicy, rateLimits } from "./rate-limits/rate-limits.ts";

export type OpenConnection = (
  at: Id<"instance">,
  connectorId: string,
  options?: {
    signal?: AbortSignal;
    anyStatus?: boolean;
    patience?: WaitPolicy | undefined;
    /** Asked right before each request that may change something, whatever the connector does. */
    assertMaySend?: (() => void) | undefined;
    /** Reads a post that is just being answered too. */
    isAnswering?: boolean;
    /** The connector, where it was read just now. */
    stored?: StoredConnector | undefined;
  },
) => Promise<Connection>;

/** Posts kept for a connector. */
export type ReadInbox = (
  at: Id<"instance">,
  connectorId: string,
  request: InboxRequest & { isAnswering: boolean },
) => Promise<InboxPage>;

/** Starts the approved code of an uploaded synapse. */
export type OpenProgram = (
  at: Id<"instance">,
  synapseId: string,
  start: { signal: AbortSignal; onLog(text: string): void },
) => Promise<SynapseProgram>;

const NO_POSTS: Promise<InboxPage> = Promise.resolve({ posts: [], isFull: false });

/** The world of a connection as it is being described; `connectorId`: what is stored for a saved one is at hand. */
export function describedContext(
  deps: Deps,
  connection: Parameters<typeof connectContext>[1],
  signal: AbortSignal,
  connectorId: Id<"connector"> | undefined,
): ConnectContext {
  const context = connectContext(deps, connection, signal);
  if (!connectorId) return context;
  const at = connection.instanceId;
  const accessToken = accessTokensOf(deps, { ...connection, at, connectorId, signal });
  const files = uploadedFiles(deps.appDb, at, connectorId);
  return { ...context, uploadedFiles: files, ...(accessToken && { accessToken }) };
}

/** In use: ACTIVE, or in an ERROR that came while it was and may pass. */
const isUsable = (row: StoredConnector): boolean =>
  row.status === "ACTIVE" || (row.status === "ERROR" && row.activated_at !== null);

/** Nothing where the type is no uploaded one. */
export const programOf = (
  { log }: Pick<Deps, "log">,
  openProgram: OpenProgram | null,
  { at, type, signal }: { at: Id<"instance">; type: string; signal: AbortSignal },
): Pick<ConnectContext, "openProgram"> =>
  openProgram && type.startsWith(UPLOADED_TYPE)
    ? {
        openProgram: (masked) =>
          openProgram(at, type.slice(UPLOADED_TYPE.length), {
            signal,
            // Cut last: a part of a credential would not be known as one.
            onLog: (text) => log.info({ connector: type }, `an uploaded synapse says: ${masked(text).slice(0, 1_000)}`),
          }),
      }
    : {};

export function connectionOpener(
  deps: Deps,
  inbox: ReadInbox | null = null,
  openProgram: OpenProgram | null = null,
): OpenConnection {
  const limits = rateLimits(deps);
  return async (at, connectorId, options = {}) => {
    const row = options.stored ?? (await findStored(deps.appDb, at, connectorId));
    if (!row) throw new AppError("not_found", { what: "Synapse" });
    if (!options.anyStatus && !isUsable(row)) throw new AppError("connector_not_active", { name: row.name });
    const type = typeOf(row);
    const credentials = await openCredential(deps, at, row.credential, type.destinations(row.config, row.auth_type));
    const signal = options.signal ?? new AbortController().signal;
    const connection = { instanceId: at, type, config: row.config, authType: row.auth_type, credentials };
    const context = connectContext(deps, connection, signal, options.assertMaySend);
    const accessToken = accessTokensOf(deps, { ...connection, at, connectorId: row.id, signal });
    // Whoever signed in is whom the system counts calls for, not the client that many connections may share.
    const counted = accessToken ? { ...credentials, signedInFor: row.id } : credentials;
    const send = limits.guard({ at, credentials: counted, signal, patience: options.patience }, context.send);
    const { isAnswering = false } = options;
    const readInbox = (request: InboxRequest): Promise<InboxPage> =>
      inbox?.(at, connectorId, { ...request, isAnswering }) ?? NO_POSTS;
    const files = uploadedFiles(deps.appDb, at, row.id);
    return connectMasked(type, {
      ...context,
      send,
      readInbox,
      uploadedFiles: files,
      ...(accessToken && { accessToken }),
      ...programOf(deps, openProgram, { at, type: row.type, signal }),
    });
  };
}
