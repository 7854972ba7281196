/** Connectors and their credentials (sealed) in `app`. Decides nothing. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type {
  ConnectorProblem,
  ConnectorStatus,
  SchemaProgress,
  SchemaRefreshStatus,
} from "@accord/contracts/connections/connectors";
import type { Values } from "@accord/contracts/data/values";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";
import type { Redirect, RedirectOrigins } from "./oauth/redirect-url.ts";
import { withSynapseTypes } from "./synapse-rows.ts";
import { synapseOfConnector } from "./synapse-types.store.ts";

type ConnectorTable = {
  id: string;
  instance_id: string;
  name: string;
  type: string;
  config: Values;
  auth_type: string;
  status: ConnectorStatus;
  schema_status: SchemaRefreshStatus;
  schema_request: number;
  problem: ConnectorProblem | null;
  progress: SchemaProgress | null;
  auto_schema_entities: string[];
  schema_refreshed_at: string | null;
  activated_at: string | null;
  version: number;
  created_at: string;
  created_by: string;
  updated_at: string;
  /** Last part of its redirect address; null: the shared one. And the origins that it was made for. */
  redirect_name: string | null;
  redirect_origins: RedirectOrigins | null;
};

type CredentialTable = {
  id: string;
  instance_id: string;
  connector_id: string;
  /** Where the secrets may go: `https://host:port`, `postgres://host:port/database`. */
  hosts: string[];
  plain: Record<string, string>;
  secret_names: string[];
  sealed: string;
  updated_at: string;
};

type Tables = {
  connector: ConnectorTable;
  credential: CredentialTable;
  /** What the list needs of it. */
  connector_entity: { connector_id: string; status: "ACTIVE" | "INACTIVE" };
};

export type ConnectorRow = ConnectorTable & {
  entity_count: number;
  plain: Record<string, string>;
  secret_names: string[];
  synapse: ConnectorDefinition | null;
};
export type CredentialRow = CredentialTable;
/** What its connections are opened with. */
export type StoredConnector = ConnectorTable & {
  credential: CredentialRow | null;
  synapse: ConnectorDefinition | null;
};
type InstanceId = Id<"instance">;
const tables = (db: Db) => db.withTables<Tables>();
const json = (value: unknown): never => JSON.stringify(value) as never;
const connectors = (db: Db, at: InstanceId) =>
  tables(db)
    .selectFrom("connector")
    .leftJoin("credential", "credential.connector_id", "connector.id")
    .selectAll("connector")
    .select((row) => [
      sql<Record<string, string>>`coalesce(credential.plain, '{}')`.as("plain"),
      sql<string[]>`coalesce(credential.secret_names, '[]')`.as("secret_names"),
      row
        .selectFrom("connector_entity")
        .whereRef("connector_entity.connector_id", "=", "connector.id")
        .where("connector_entity.status", "=", "ACTIVE")
        .select(sql<number>`count(*)::integer`.as("count"))
        .as("entity_count"),
      synapseOfConnector.as("synapse"),
    ])
    .where("connector.instance_id", "=", at)
    .where("connector.status", "!=", "DELETED");

/** Those not deleted, by name. */
export const readConnectors = async (db: Db, at: InstanceId): Promise<ConnectorRow[]> =>
  (await withSynapseTypes(
    db,
    at,
    await connectors(db, at)
      .orderBy(sql`lower(connector.name)`)
      .execute(),
  )) as ConnectorRow[];

const stored = (db: Db, at: InstanceId) =>
  tables(db)
    .selectFrom("connector")
    .leftJoin("credential", (join) =>
      join
        .onRef("credential.connector_id", "=", "connector.id")
        .onRef("credential.instance_id", "=", "connector.instance_id"),
    )
    .selectAll("connector")
    .select([sql<CredentialRow | null>`to_jsonb(credential)`.as("credential"), synapseOfConnector.as("synapse")])
    .where("connector.instance_id", "=", at)
    .where("connector.status", "!=", "DELETED");

/** Among these ids, in no order. */
export const readStored = async (db: Db, at: InstanceId, ids: readonly string[]): Promise<StoredConnector[]> =>
  withSynapseTypes(
    db,
    at,
    await stored(db, at)
      .where(sql<boolean>`connector.id = any(${ids})`)
      .execute(),
  );

export const findStored = async (db: Db, at: InstanceId, connectorId: string): Promise<StoredConnector | null> =>
  (await readStored(db, at, [connectorId]))[0] ?? null;

export async function findConnector(db: Db, at: InstanceId, connectorId: string): Promise<ConnectorRow | null> {
  const found = await connectors(db, at).where("connector.id", "=", connectorId).execute();
  const [row] = (await withSynapseTypes(db, at, found)) as ConnectorRow[];
  return row ?? null;
}

export interface NewConnector {
  id: string;
  instanceId: InstanceId;
  name: string;
  type: string;
  config: Values;
  authType: string;
  by: string;
  now: Date;
  redirect: Omit<Redirect, "former">;
}

/** @throws when the name is taken: see `isNameTaken`. */
export async function insertConnector(db: Db, connector: NewConnector): Promise<void> {
  const now = connector.now.toISOString();
  await tables(db)
    .insertInto("connector")
    .values({
      id: connector.id,
      instance_id: connector.instanceId,
      name: connector.name,
      type: connector.type,
      config: json(connector.config),
      auth_type: connector.authType,
      status: "NEW",
      schema_status: "NEW",
      schema_request: 0,
      problem: null,
      progress: null,
      auto_schema_entities: json([]),
      schema_refreshed_at: null,
      activated_at: null,
      version: 1,
      created_at: now,
      created_by: connector.by,
      updated_at: now,
      redirect_name: connector.redirect.name,
      redirect_origins: connector.redirect.origins && json(connector.redirect.origins),
    })
    .execute();
}

export const isNameTaken = (error: unknown): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === "connector_name";

export interface ConnectorEdit {
  name?: string;
  config?: Values;
  authType?: string;
  autoSchemaEntities?: string[];
  redirect?: Redirect;
}

/** False when the version, or the redirect address, is not the present one any more. */
export async function editConnector(
  db: Db,
  at: InstanceId,
  connectorId: string,
  version: number,
  { name, config, authType, autoSchemaEntities, redirect }: ConnectorEdit,
  now: Date,
): Promise<boolean> {
  let query = tables(db)
    .updateTable("connector")
    .set({
      ...(name !== undefined && { name }),
      ...(config !== undefined && { config: json(config) }),
      ...(authType !== undefined && { auth_type: authType }),
      ...(autoSchemaEntities !== undefined && { auto_schema_entities: json(autoSchemaEntities) }),
      ...(redirect && {
        redirect_name: redirect.name,
        redirect_origins: redirect.origins && json(redirect.origins),
      }),
      version: version + 1,
      updated_at: now.toISOString(),
    })
    .where("instance_id", "=", at)
    .where("id", "=", connectorId)
    .where("version", "=", version)
    .where("status", "!=", "DELETED");
  if (redirect) query = query.where("redirect_name", "is not distinct from", redirect.former);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

export interface StateChange {
  status?: ConnectorStatus;
  schemaStatus?: SchemaRefreshStatus;
  problem?: ConnectorProblem | null;
  progress?: SchemaProgress | null;
  activatedAt?: Date | null;
  schemaRefreshedAt?: Date;
}

/** Changes the state if it is still one of `from`; false when somebody else was first. PROCESSING requests a schema. */
export async function changeState(
  db: Db,
  at: InstanceId,
  connectorId: string,
  from: { status?: readonly ConnectorStatus[]; schemaStatus?: readonly SchemaRefreshStatus[] },
  { status, schemaStatus, problem, progress, activatedAt, schemaRefreshedAt }: StateChange,
): Promise<boolean> {
  let query = tables(db)
    .updateTable("connector")
    .set({
      ...(status !== undefined && { status }),
      ...(schemaStatus !== undefined && { schema_status: schemaStatus }),
      ...(schemaStatus === "PROCESSING" && { schema_request: sql<number>`schema_request + 1` }),
      ...(problem !== undefined && { problem: problem && json(problem) }),
      ...(progress !== undefined && { progress: progress && json(progress) }),
      ...(activatedAt !== undefined && { activated_at: activatedAt?.toISOString() ?? null }),
      ...(schemaRefreshedAt !== undefined && { schema_refreshed_at: schemaRefreshedAt.toISOString() }),
    })
    .where("instance_id", "=", at)
    .where("id", "=", connectorId)
    .where("status", "!=", "DELETED");
  if (from.status) query = query.where("status", "in", [...from.status]);
  if (from.schemaStatus) query = query.where("schema_status", "in", [...from.schemaStatus]);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Leaves the row, so that what it brought keeps its origin; secrets and schema go. */
export async function markDeleted(db: Db, at: InstanceId, connectorId: string, now: Date): Promise<void> {
  await tables(db)
    .updateTable("connector")
    .set({ status: "DELETED", config: json({}), problem: null, updated_at: now.toISOString() })
    .where("instance_id", "=", at)
    .where("id", "=", connectorId)
    .execute();
  await tables(db)
    .deleteFrom("credential")
    .where("instance_id", "=", at)
    .where("connector_id", "=", connectorId)
    .execute();
  await sql`DELETE FROM webhook_draft WHERE instance_id = ${at} AND connector_id = ${connectorId}`.execute(db);
}

export const findCredential = async (db: Db, at: InstanceId, connectorId: string): Promise<CredentialRow | null> =>
  (await tables(db)
    .selectFrom("credential")
    .selectAll()
    .where("instance_id", "=", at)
    .where("connector_id", "=", connectorId)
    .executeTakeFirst()) ?? null;

export async function saveCredential(db: Db, credential: Omit<CredentialRow, "updated_at">, now: Date): Promise<void> {
  const { hosts, plain, secret_names, sealed } = credential;
  const changed = {
    hosts: json(hosts),
    plain: json(plain),
    secret_names: json(secret_names),
    sealed,
    updated_at: now.toISOString(),
  };
  await tables(db)
    .insertInto("credential")
    .values({ ...credential, ...changed })
    .onConflict((conflict) => conflict.column("connector_id").doUpdateSet(changed))
    .execute();
}
