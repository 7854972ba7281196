/** Reads a system's schema in the background: activation and refresh, with progress, and what to do when it fails. */
import { connectionErrors } from "@accord/contracts/messages/en/synapses/connection-errors";
import { ConnectorError } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import { id } from "@accord/contracts";
import {
  connectorChanged,
  schemaRefreshProgress,
  type ConnectorProblem,
  type ConnectorStatus,
  type SchemaProgress,
} from "@accord/contracts/connections/connectors";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { z } from "zod";
import type { Db } from "../../../../platform/db/db.ts";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { defineJob } from "../../../../platform/jobs/jobs.ts";
import { changeState, findConnector, type ConnectorRow } from "../connectors.store.ts";
import { findEntity, readEntities, saveEntities } from "./entities.store.ts";
import { mergeSchemas } from "./entity-view.ts";
import type { OpenConnection } from "../open-connection.ts";
import { holdRequest, readAutoRefreshing, requestActive, requestIdle, requestUsed } from "./schema-requests.store.ts";

type InstanceId = Id<"instance">;

export const refreshSchemaJob = defineJob({
  name: "connectors.refreshSchema",
  data: z.strictObject({
    instanceId: id("instance"),
    connectorId: id("connector"),
    /** Only these entities, where no other request came meanwhile; the others stay as they are. */
    only: z.array(z.string()).optional(),
    /** The request that this is for. */
    request: z.int().optional(),
  }),
  retries: 1,
  expiresAfter: 600,
  oneWaitingPerKey: true,
});

export const autoRefreshJob = defineJob({ name: "connectors.autoRefresh", data: z.strictObject({}), retries: 0 });

/** How often progress is stored and told, in milliseconds. */
const PROGRESS_EVERY = 250;
/** Milliseconds for which a schema that was just read says all there is to say about a field that is gone. */
const FRESH_MS = 1_000;
/** A schema that takes longer than this will not come. */
const MAX_DISCOVERY_MS = 300_000;

/** A request for some entities only. */
export interface PartRequest {
  only: string[] | undefined;
  request: number;
}

export type SchemaRefresh = ReturnType<typeof schemaRefresh>;

export function schemaRefresh(deps: Deps, open: OpenConnection) {
  const { appDb, clock, realtime, jobs, log } = deps;

  /** Everybody who looks at connectors sees the present state. */
  const publish = async (at: InstanceId, connectorId: Id<"connector">): Promise<void> => {
    const row = await findConnector(appDb, at, connectorId);
    await realtime.publish(at, connectorChanged, {
      connectorId,
      status: row?.status ?? "DELETED",
      schemaRefreshStatus: row?.schema_status ?? "SUCCESS",
    });
  };

  const report = async (at: InstanceId, connectorId: Id<"connector">, progress: SchemaProgress): Promise<void> => {
    await changeState(appDb, at, connectorId, { schemaStatus: ["PROCESSING"] }, { progress });
    await realtime.publish(at, schemaRefreshProgress, { connectorId, ...progress });
  };

  const discover = async (
    at: InstanceId,
    connectorId: Id<"connector">,
    only: string[] | undefined,
    signal: AbortSignal,
  ): Promise<EntitySchema[]> => {
    const connection = await open(at, connectorId, { signal, anyStatus: true });
    const found: EntitySchema[] = [];
    let told = clock.monotonicMs();
    try {
      await connection.check();
      for await (const { entity, done, total } of connection.discover({ only })) {
        signal.throwIfAborted();
        found.push(entity);
        if (clock.monotonicMs() - told < PROGRESS_EVERY) continue;
        told = clock.monotonicMs();
        const percentage = total ? Math.min(100, Math.max(0, Math.round((done / total) * 100))) : 0;
        await report(at, connectorId, { done, total, percentage, entity: entity.displayName });
      }
    } finally {
      await connection.close();
    }
    return found;
  };

  const store = async (
    tx: Db,
    at: InstanceId,
    connectorId: string,
    found: EntitySchema[],
    only?: string[],
  ): Promise<void> => {
    const known = await readEntities(tx, at, connectorId);
    const knownByName = new Map(known.map((row) => [row.api_name, row.definition]));
    const names = new Set(found.map((entity) => entity.apiName));
    const gone = known.filter((row) => !names.has(row.api_name) && (!only || only.includes(row.api_name)));
    await saveEntities(
      tx,
      at,
      connectorId,
      [
        ...found.map((schema) => ({
          schema: mergeSchemas(knownByName.get(schema.apiName), schema),
          status: "ACTIVE" as const,
        })),
        ...gone.map((row) => ({ schema: row.definition, status: "INACTIVE" as const })),
      ],
      clock.now(),
    );
  };

  /** Changes nothing where there is a later request: a job waits or works for that. */
  const asLatest = (at: InstanceId, row: ConnectorRow, work: (tx: Db) => Promise<void>): Promise<void> =>
    appDb.transaction().execute(async (tx) => {
      if (await holdRequest(tx, at, row.id, row.schema_request)) await work(tx);
    });

  const succeed = (at: InstanceId, row: ConnectorRow, found: EntitySchema[], only?: string[]): Promise<void> =>
    asLatest(at, row, async (tx) => {
      await store(tx, at, row.id, found, only);
      const now = clock.now();
      const done = { schemaStatus: "SUCCESS", progress: null, problem: null, schemaRefreshedAt: now } as const;
      const state = { schemaStatus: ["PROCESSING"] } as const;
      const activated = { ...done, status: "ACTIVE", activatedAt: now } as const;
      await changeState(tx, at, row.id, { ...state, status: ["ACTIVATING"] }, activated);
      // It failed while it was in use, and works again; nobody signed it in meanwhile, in vain.
      const present = await findConnector(tx, at, row.id);
      if (isFailedInUse(row) && present && isFailedInUse(present))
        await changeState(tx, at, row.id, { ...state, status: ["ERROR"] }, { ...done, status: "ACTIVE" });
      await changeState(tx, at, row.id, state, done);
    });

  const fail = (at: InstanceId, row: ConnectorRow, problem: ConnectorProblem): Promise<void> =>
    asLatest(at, row, async (tx) => {
      const failed = { schemaStatus: "ERROR", progress: null, problem } as const;
      await changeState(tx, at, row.id, { status: ["ACTIVATING"] }, { ...failed, status: "ERROR" });
      await changeState(tx, at, row.id, { schemaStatus: ["PROCESSING"] }, failed);
    });

  return {
    tell: publish,

    /** Runs the job. A connector that was deactivated or deleted meanwhile is left alone. */
    async run(data: z.output<typeof refreshSchemaJob.data>, signal: AbortSignal): Promise<void> {
      const { instanceId: at, connectorId } = data;
      const row = await findConnector(appDb, at, connectorId);
      if (!row || row.schema_status !== "PROCESSING") return;
      // Whoever asked later wants all of it.
      const only = (data.request ?? row.schema_request) === row.schema_request ? data.only : undefined;
      const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_DISCOVERY_MS)]);
      try {
        const found = await discover(at, connectorId, only, limit);
        await succeed(at, row, found, only);
      } catch (error) {
        if (signal.aborted) throw error;
        const problem = problemOf(error);
        log.warn({ connectorId, kind: problem.kind, err: error }, "reading a connector's schema failed");
        await fail(at, row, problem);
      }
      await publish(at, connectorId);
    },

    /** The request with which the caller may start the job now; null while somebody else's is not done. */
    claim: (at: InstanceId, connectorId: Id<"connector">): Promise<number | null> =>
      requestIdle(appDb, at, connectorId),

    /** Starts the job for an entity of which a field is gone, unless its schema was just read or is being read. */
    async find(at: InstanceId, connectorId: Id<"connector">, entity: string): Promise<void> {
      const row = await findConnector(appDb, at, connectorId);
      const known = row && (await findEntity(appDb, at, connectorId, entity));
      if (!known || clock.now().getTime() - Date.parse(known.refreshed_at) < FRESH_MS) return;
      const request = await this.claim(at, connectorId);
      if (request !== null) await this.send(at, connectorId, { only: [entity], request });
    },

    /** Starts the job for every connector whose chosen entities refresh themselves. */
    async runAuto(): Promise<void> {
      for (const { instance_id: at, id: connectorId, auto_schema_entities: only } of await readAutoRefreshing(appDb)) {
        const request = await this.claim(at, connectorId);
        if (request !== null) await this.send(at, connectorId, { only, request });
      }
    },

    /** Another configuration has another schema: one in use is read again. */
    async afterEdit(at: InstanceId, connectorId: Id<"connector">, status: ConnectorStatus): Promise<void> {
      if (status === "ACTIVE" && (await requestActive(appDb, at, connectorId)) !== null)
        await this.send(at, connectorId);
      await publish(at, connectorId);
    },

    /**
     * Another version of its synapse has another schema: a connection in use is read again, one that is being activated
     * or that failed too.
     */
    async afterPublish(at: InstanceId, connectorId: Id<"connector">): Promise<void> {
      if ((await requestUsed(appDb, at, connectorId)) !== null) await this.send(at, connectorId);
      await publish(at, connectorId);
    },

    async send(at: InstanceId, connectorId: Id<"connector">, part?: PartRequest): Promise<void> {
      await jobs.send(refreshSchemaJob, { instanceId: at, connectorId, ...part }, { key: connectorId, priority: 10 });
    },
  };
}

const isFailedInUse = ({ status, activated_at }: Pick<ConnectorRow, "status" | "activated_at">): boolean =>
  status === "ERROR" && activated_at !== null;

/** What to show of any failure: a classified one in its own words, an unexpected one without its insides. */
export function problemOf(error: unknown): ConnectorProblem {
  if (error instanceof ConnectorError) return { kind: error.kind, message: error.message, hint: error.hint };
  if (error instanceof AppError && error.code === "credential_host_changed")
    return {
      kind: "configuration",
      message: connectionErrors.credentialsOfOtherHost,
      hint: connectionErrors.enterCredentials,
    };
  if (error instanceof Error && error.name === "TimeoutError")
    return {
      kind: "timeout",
      message: connectionErrors.noAnswerInTime,
      hint: connectionErrors.noAnswerInTimeHint,
    };
  return { kind: "unexpected", message: connectionErrors.unexpected, hint: connectionErrors.unexpectedHint };
}
