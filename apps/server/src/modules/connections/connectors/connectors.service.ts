/** Use cases of connectors: create, change, try, sign in, activate, delete. Those of their entities: entities.service.ts. */
import { isDeepStrictEqual } from "node:util";
import { ConnectorError, type ConnectorDefinition } from "@accord/connector-sdk";
import { previewEntity } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import type { CheckResult, ConnectorDetail } from "@accord/contracts/connections/connectors";
import type { Values } from "@accord/contracts/data/values";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { connectorTypeView, connectorView, typeOf } from "./connector-view.ts";
import * as store from "./connectors.store.ts";
import { authMethodOf, credentialProblems, joinCredentials, storeCredentials } from "./credentials/credentials.ts";
import { filesFolderOf } from "./files-folder.ts";
import { connectMasked, maskedContext, maskedPreview } from "./credentials/masked-connection.ts";
import { checkOf } from "./check.ts";
import { connectorFinder } from "./connector-finder.ts";
import { dropReaders } from "./drop-readers.ts";
import { readEntities } from "./entities/entities.store.ts";
import type { ConnectorUse } from "./connector-facts.ts";
import {
  deleteGrantOf,
  endBackOff,
  newRedirectName,
  redirectAfter,
  redirectOriginsOf,
  sharedOf,
  sharedRedirectUrl,
} from "./oauth/index.ts";
import { findTypeFor, holdType, typesFor } from "./library.ts";
import { isCustomType } from "./synapse-types.ts";
import { deleteFilesOf } from "./uploads/index.ts";
import { describedContext, programOf, type OpenConnection } from "./open-connection.ts";
import { checkFailed, namesAreUnique, notInLibrary, refuse, refuseForbiddenHosts } from "./refusals.ts";
import type { UploadedSynapses } from "./uploaded-types.ts";
import { problemOf, type PartRequest, type SchemaRefresh } from "./entities/schema-refresh.ts";

type InstanceId = Id<"instance">;
type ConnectorId = Id<"connector">;

/** What is sent to describe a connection, saved or not. */
export interface ConnectionInput {
  typeId: string;
  config: Values;
  authType: string;
  credentials: Record<string, string>;
}

export interface ConnectorEdit {
  version: number;
  name?: string;
  config?: Values;
  authType?: string;
  credentials?: Record<string, string>;
  autoSchemaSyncEntities?: string[];
  ownRedirectAddress?: true;
}

export interface ConnectorNeeds {
  uploaded: UploadedSynapses | null;
  open: OpenConnection;
  refresh: SchemaRefresh;
  usesOf(at: InstanceId, connectorId: ConnectorId): Promise<ConnectorUse[]>;
  /** Somebody changed how the connector connects. */
  reconnected(at: InstanceId, connectorId: ConnectorId): Promise<void>;
}

/** In milliseconds. A person waits: a system that has not answered by then counts as silent. */
export const CHECK_TIMEOUT_MS = 20_000;

export function connectorsService(deps: Deps, { open, refresh, usesOf, reconnected, uploaded }: ConnectorNeeds) {
  const { appDb, clock, newId } = deps;
  const library = { appDb, uploaded };
  const { find, demandAction } = connectorFinder(appDb);
  const detail = async (at: InstanceId, connectorId: ConnectorId): Promise<ConnectorDetail> => {
    const row = await find(at, connectorId);
    const entities = await readEntities(appDb, at, connectorId);
    return {
      ...connectorView(row, deps.config),
      config: row.config,
      credentialValues: row.plain,
      entities: entities
        .filter((entity) => entity.status === "ACTIVE")
        .map((entity) => ({ apiName: entity.api_name, displayName: entity.definition.displayName })),
      usedBy: (await usesOf(at, connectorId)).map(({ outside: _, ...use }) => use),
    };
  };

  /** Parses type, configuration and sign-in; asks nobody yet. Credentials left out come from the stored ones. */
  const parseConnection = async (
    at: InstanceId,
    input: ConnectionInput,
    connectorId?: ConnectorId,
    former: Values | null = null,
  ) => {
    const type = await findTypeFor(library, at, input.typeId);
    if (!type) throw notInLibrary();
    const method = authMethodOf(type, input.authType);
    const problems = [...type.editProblems(input.config, former), ...type.signInProblems(input.config, method.type)];
    refuse(problems.map(({ path, message }) => ({ path: `config.${path}`, message })));
    const hosts = type.hosts(input.config, method.type);
    const destinations = type.destinations(input.config, method.type);
    const credentials = await joinCredentials(deps, appDb, at, connectorId, method, input.credentials, destinations);
    refuse(credentialProblems(method, credentials));
    const config = type.complete?.(input.config) ?? input.config;
    return { instanceId: at, type, method, hosts, destinations, credentials, config, authType: input.authType };
  };

  const tryConnection = async (
    connect: (signal: AbortSignal) => Promise<ReturnType<ConnectorDefinition["connect"]>>,
  ): Promise<CheckResult> => {
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    return checkOf(clock, () => connect(signal));
  };

  const openToLeave = (at: InstanceId, connectorId: ConnectorId) =>
    open(at, connectorId, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS), anyStatus: true });

  const startRefresh = async (at: InstanceId, connectorId: ConnectorId, part?: PartRequest): Promise<void> => {
    await refresh.send(at, connectorId, part);
    await refresh.tell(at, connectorId);
  };

  return {
    detail,
    types: async (at: InstanceId) => ({
      types: (await typesFor(library, at)).map((type) => connectorTypeView(type, filesFolderOf(deps.config, at))),
      oauthRedirectUrl: sharedRedirectUrl(deps.config),
    }),
    list: async (at: InstanceId) =>
      (await store.readConnectors(appDb, at)).map((row) => connectorView(row, deps.config)),

    async create(
      ctx: Pick<Ctx, "instanceId" | "actor">,
      input: ConnectionInput & { name: string; oauthRedirectName?: string },
    ): Promise<ConnectorDetail> {
      const at = ctx.instanceId;
      const { type, method, hosts, destinations, credentials, config } = await parseConnection(at, input);
      await refuseForbiddenHosts(deps.outbound, hosts);
      const id = newId<"connector">();
      await namesAreUnique(input.name, () =>
        appDb.transaction().execute(async (tx) => {
          if (!(await holdType(library, tx, at, type.type))) throw notInLibrary();
          const row = { id, instanceId: at, name: input.name, type: type.type, config, authType: input.authType };
          const origins = redirectOriginsOf(type, config, method.type);
          const redirect = { name: input.oauthRedirectName ?? newRedirectName(), origins };
          await store.insertConnector(tx, { ...row, redirect, by: ctx.actor.userId, now: clock.now() });
          await storeCredentials(deps, tx, at, id, method, credentials, destinations);
        }),
      );
      await refresh.tell(at, id);
      return detail(at, id);
    },

    async update(at: InstanceId, connectorId: ConnectorId, edit: ConnectorEdit): Promise<ConnectorDetail> {
      const row = await demandAction(at, connectorId, "edit");
      const authType = edit.authType ?? row.auth_type;
      const config = edit.config ?? row.config;
      const isReconnected = edit.config !== undefined || edit.credentials !== undefined || edit.authType !== undefined;
      const sent = { typeId: row.type, config, authType, credentials: { ...row.plain, ...edit.credentials } };
      const connection = isReconnected ? await parseConnection(at, sent, connectorId, row.config) : null;
      if (connection) await refuseForbiddenHosts(deps.outbound, connection.hosts);
      const isMoved =
        connection &&
        hasReaders(row) &&
        !isDeepStrictEqual(connection.type.destinations(config), connection.type.destinations(row.config));
      const shared = await sharedOf(appDb, at, row);
      const former = isMoved ? await openToLeave(at, connectorId) : null;
      await namesAreUnique(edit.name ?? row.name, () =>
        appDb.transaction().execute(async (tx) => {
          const { name, autoSchemaSyncEntities: autoSchemaEntities } = edit;
          const change = {
            name,
            config: edit.config && connection?.config,
            authType: edit.authType,
            autoSchemaEntities,
            redirect: redirectAfter({ ...row, type: typeOf(row) }, connection, {
              ownAddress: edit.ownRedirectAddress,
              shared,
            }),
          };
          if (!(await store.editConnector(tx, at, connectorId, edit.version, change, clock.now())))
            throw new AppError("stale_version", { version: row.version });
          if (!connection) return;
          const { method, credentials, destinations } = connection;
          await storeCredentials(deps, tx, at, connectorId, method, credentials, destinations);
          await endBackOff(tx, { at, connectorId });
        }),
      );
      if (former) await dropReaders(former, connectorId, deps.log);
      if (isReconnected) await reconnected(at, connectorId);
      // Another address or description has another schema.
      if (edit.config !== undefined) await refresh.afterEdit(at, connectorId, row.status);
      else await refresh.tell(at, connectorId);
      return detail(at, connectorId);
    },

    async remove(at: InstanceId, connectorId: ConnectorId): Promise<void> {
      const row = await find(at, connectorId);
      if (row.status === "ACTIVATING" || row.schema_status === "PROCESSING") throw new AppError("connector_busy");
      const uses = (await usesOf(at, connectorId)).filter((use) => use.published);
      if (uses.length > 0) throw new AppError("in_use", { what: row.name, uses });
      if (hasReaders(row)) await dropReaders(await openToLeave(at, connectorId), connectorId, deps.log);
      await appDb.transaction().execute(async (tx) => {
        await store.markDeleted(tx, at, connectorId, clock.now());
        await deleteFilesOf(tx, at, connectorId);
        await deleteGrantOf(tx, at, connectorId);
      });
      await refresh.tell(at, connectorId);
    },

    /** Tries what is being typed; nothing is stored. */
    async test(at: InstanceId, input: ConnectionInput, connectorId?: ConnectorId): Promise<CheckResult> {
      const former = connectorId ? (await find(at, connectorId)).config : null;
      const connection = await parseConnection(at, input, connectorId, former);
      return tryConnection(async (signal) =>
        connectMasked(connection.type, {
          ...describedContext(deps, connection, signal, connectorId),
          ...programOf(deps, uploaded?.open ?? null, { at, type: connection.type.type, signal }),
        }),
      );
    },

    async testSaved(at: InstanceId, connectorId: ConnectorId): Promise<CheckResult> {
      await find(at, connectorId);
      return tryConnection((signal) => open(at, connectorId, { signal, anyStatus: true }));
    },

    async authenticate(at: InstanceId, connectorId: ConnectorId): Promise<ConnectorDetail> {
      await demandAction(at, connectorId, "authenticate");
      const { ok, problem } = await tryConnection((signal) => open(at, connectorId, { signal, anyStatus: true }));
      await store.changeState(
        appDb,
        at,
        connectorId,
        {},
        { status: ok ? "AUTHENTICATED" : "ERROR", problem, activatedAt: null },
      );
      await refresh.tell(at, connectorId);
      if (problem) throw checkFailed(problem);
      return detail(at, connectorId);
    },

    async activate(at: InstanceId, connectorId: ConnectorId): Promise<ConnectorDetail> {
      const { status } = await demandAction(at, connectorId, "activate");
      const change = { status: "ACTIVATING", schemaStatus: "PROCESSING", problem: null, progress: null } as const;
      const isMine = await store.changeState(appDb, at, connectorId, { status: [status] }, change);
      // Read before the work begins: the answer is the state this call made.
      const begun = await detail(at, connectorId);
      if (isMine) await startRefresh(at, connectorId);
      return begun;
    },

    async deactivate(at: InstanceId, connectorId: ConnectorId): Promise<ConnectorDetail> {
      await demandAction(at, connectorId, "deactivate");
      await store.changeState(appDb, at, connectorId, {}, { status: "INACTIVE", problem: null, activatedAt: null });
      await refresh.tell(at, connectorId);
      return detail(at, connectorId);
    },

    async refreshSchema(at: InstanceId, connectorId: ConnectorId, only?: string[]): Promise<ConnectorDetail> {
      await demandAction(at, connectorId, "refreshSchema");
      const request = await refresh.claim(at, connectorId);
      if (request === null) throw new AppError("schema_refresh_running");
      const begun = await detail(at, connectorId);
      await startRefresh(at, connectorId, { only, request });
      return begun;
    },

    async preview(at: InstanceId, input: ConnectionInput & { entity: Values }, connectorId?: ConnectorId) {
      if (connectorId) await find(at, connectorId);
      if (input.typeId !== "http")
        throw new AppError("validation_failed", {}, { errors: [{ path: "typeId", message: "must be http" }] });
      const connection = await parseConnection(
        at,
        { ...input, config: { ...input.config, entities: [] } },
        connectorId,
      );
      const began = clock.monotonicMs();
      const open = describedContext(deps, connection, AbortSignal.timeout(CHECK_TIMEOUT_MS), connectorId);
      const { context, mask } = maskedContext(connection.type, open);
      try {
        const preview = maskedPreview(await previewEntity(context, input.entity), mask);
        return { ...preview, durationMs: Math.round(clock.monotonicMs() - began) };
      } catch (error) {
        throw error instanceof ConnectorError ? checkFailed(problemOf(mask.connectorError(error))) : mask.error(error);
      }
    },
  };
}

/**
 * A custom synapse retains nothing for readers, and may not be there to be opened any more; nor may the address of a
 * connection that a newer version of its code asks for more inputs.
 */
const hasReaders = ({ type }: { type: string }): boolean => !isCustomType(type);

export type ConnectorUseCases = ReturnType<typeof connectorsService>;
