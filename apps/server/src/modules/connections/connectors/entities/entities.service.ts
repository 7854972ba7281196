/** Use cases of a connector's entities: list, look inside, choose id and watermark, sample records. */
import { connectionErrors } from "@accord/contracts/messages/en/synapses/connection-errors";
import { ConnectorError } from "@accord/connector-sdk";
import type { FieldProblem, Id } from "@accord/contracts";
import { fill } from "@accord/contracts/messages/fill";
import { pipelines as words } from "@accord/contracts/messages/en/sync/pipelines";
import type { EntityChanges } from "@accord/contracts/connections/change-detection";
import type { FieldSchema } from "@accord/contracts/data/schema";
import { isSecretField, SecretFields } from "@accord/expressions";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { entityChanges } from "./change-detection.ts";
import type { ConnectorUse, FindSecretFields } from "../connector-facts.ts";
import { connectorFinder } from "../connector-finder.ts";
import { CHECK_TIMEOUT_MS } from "../connectors.service.ts";
import { chooseFields, findEntity as findStored, readEntities, type EntityRow } from "./entities.store.ts";
import { typeOf } from "../connector-view.ts";
import { entityDetail, entityFacts, entitySummary, idCandidates, inForce, watermarkCandidates } from "./entity-view.ts";
import type { OpenConnection } from "../open-connection.ts";
import { checkFailed, refuse } from "../refusals.ts";
import { problemOf, type SchemaRefresh } from "./schema-refresh.ts";

type InstanceId = Id<"instance">;
type ConnectorId = Id<"connector">;

export interface EntityNeeds {
  open: OpenConnection;
  refresh: Pick<SchemaRefresh, "tell">;
  secretFieldsOf: FindSecretFields;
  usesOf(at: InstanceId, connectorId: ConnectorId): Promise<ConnectorUse[]>;
}

export function entitiesService(
  { appDb }: Pick<Deps, "appDb">,
  { open, refresh, secretFieldsOf, usesOf }: EntityNeeds,
) {
  const { find, demandAction } = connectorFinder(appDb);

  /** Records that are tied by their ids would be taken for others by the values of another field. */
  async function demandUnused(at: InstanceId, connectorId: ConnectorId, apiName: string, idField: string) {
    const uses = await usesOf(at, connectorId);
    const names = uses
      .filter(({ published, outside }) => published && outside.includes(apiName))
      .map((use) => use.name);
    if (names.length === 0) return;
    refuse([{ path: "idField", message: fill(words.idFieldInUse, { pipelines: names.join(", "), idField }) }]);
  }

  return {
    async list(at: InstanceId, connectorId: ConnectorId) {
      await find(at, connectorId);
      return (await readEntities(appDb, at, connectorId)).map(entitySummary);
    },

    async detail(at: InstanceId, connectorId: ConnectorId, apiName: string) {
      return detail(at, connectorId, apiName);
    },

    async chooseFields(
      at: InstanceId,
      connectorId: ConnectorId,
      apiName: string,
      chosen: { idField?: string | null; watermarkField?: string | null },
    ) {
      await demandAction(at, connectorId, "editEntities");
      const entity = await findEntity(at, connectorId, apiName);
      const { definition } = entity;
      const check = (path: string, field: string | null | undefined, candidates: string[]): FieldProblem[] =>
        field && !candidates.includes(field)
          ? [
              {
                path,
                message: fill(connectionErrors.idFieldUnusable, { field, candidates: candidates.join(", ") || "none" }),
              },
            ]
          : [];
      refuse([
        ...check("idField", chosen.idField, idCandidates(definition)),
        ...check("watermarkField", chosen.watermarkField, watermarkCandidates(definition)),
      ]);
      if (chosen.idField !== undefined) {
        const { idField: before } = inForce(entity);
        const { idField: after } = inForce({ ...entity, id_field: chosen.idField });
        if (before !== null && after !== before) await demandUnused(at, connectorId, apiName, before);
      }
      await chooseFields(appDb, at, connectorId, apiName, chosen);
      await refresh.tell(at, connectorId);
      return detail(at, connectorId, apiName);
    },

    /** How changes are found, asked of the system now. */
    async changes(
      at: InstanceId,
      connectorId: ConnectorId,
      apiName: string,
      { pipelineId, nodeId }: { pipelineId?: string | undefined; nodeId?: string | undefined },
    ): Promise<EntityChanges> {
      const connector = await find(at, connectorId);
      if (pipelineId && !(await usesOf(at, connectorId)).some(({ entityId }) => entityId === pipelineId))
        throw new AppError("not_found", { what: "Pipeline" });
      const { schema, capabilities, problem } = entityFacts(
        await findEntity(at, connectorId, apiName),
        typeOf(connector),
        connector.config,
      );
      if (problem) throw checkFailed({ kind: "configuration", message: problem });
      const connection = await open(at, connectorId, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
      const node = pipelineId && nodeId ? { pipelineId, nodeId } : null;
      const isPosted = connector.type === "webhook";
      try {
        return await entityChanges({ connection, connectorId, schema, capabilities, isPosted, node });
      } catch (error) {
        throw error instanceof ConnectorError ? checkFailed(problemOf(error)) : error;
      } finally {
        await connection.close();
      }
    },

    /** The first records, read from the system now; values of secret fields are masked. */
    async sample(at: InstanceId, connectorId: ConnectorId, apiName: string, count: number) {
      const { schema, problem } = inForce(await findEntity(at, connectorId, apiName));
      if (problem) throw checkFailed({ kind: "configuration", message: problem });
      const connection = await open(at, connectorId, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
      const fields = schema.fields.filter((field) => field.status === "ACTIVE");
      try {
        const names = fields.map((field) => field.apiName);
        const page = await connection.read({
          entity: schema,
          fields: names,
          cursor: null,
          mode: "all",
          pageSize: count,
        });
        const mapped = await secretFieldsOf(at, connectorId, apiName);
        const isHidden = (field: FieldSchema): boolean => mapped.has(field.apiName) || isSecretField(field);
        const secrets = SecretFields.named(fields.filter(isHidden).map((field) => field.apiName));
        const records = page.records.slice(0, count).map(({ id, values }) => ({ id, values: secrets.values(values) }));
        // A piece of what the system answered may hold anything.
        const bad = (page.bad ?? []).map(({ excerpt, ...one }) =>
          excerpt === undefined || fields.some(isHidden) ? one : { ...one, excerpt },
        );
        return { fields, records, bad: bad.slice(0, count) };
      } catch (error) {
        throw error instanceof ConnectorError ? checkFailed(problemOf(error)) : error;
      } finally {
        await connection.close();
      }
    },
  };

  async function detail(at: InstanceId, connectorId: ConnectorId, apiName: string) {
    const connector = await find(at, connectorId);
    return entityDetail(await findEntity(at, connectorId, apiName), typeOf(connector), connector.config);
  }

  async function findEntity(at: InstanceId, connectorId: ConnectorId, apiName: string): Promise<EntityRow> {
    await find(at, connectorId);
    const row = await findStored(appDb, at, connectorId, apiName);
    if (!row) throw new AppError("not_found", { what: "Entity" });
    return row;
  }
}

export type EntityUseCases = ReturnType<typeof entitiesService>;
