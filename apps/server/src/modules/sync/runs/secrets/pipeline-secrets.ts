/** Which fields of a pipeline's records are secret, in the core and at its places, and how their values are kept. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { FieldSchema } from "@accord/contracts/data/schema";
import { isSecretField, SecretFields } from "@accord/expressions";
import { secretConnectorFields } from "@accord/sync-engine/run";
import type { Deps } from "../../../../platform/deps.ts";
import { SealedValues } from "../../../../platform/secrets/sealed-values.ts";
import type { PublishedVersion } from "../../pipelines/index.ts";

export interface PipelineSecrets {
  /** Of core records. */
  core: SecretFields;
  /** Of records at a place, whether their fields go by the core's names or by the system's. */
  at(placeId: number): SecretFields;
  /** Whether the system's records hold any. */
  hasSecretsAt(placeId: number): boolean;
}

/** The same fields, as what seals their values. */
export interface PipelineSeals {
  core: SealedValues;
  at(placeId: number): { seals: SealedValues; secrets: SecretFields };
}

interface PlaceSchema {
  connectorId: string;
  schema: { apiName: string; fields: readonly Pick<FieldSchema, "apiName" | "dataType">[] };
}
type Entity = Pick<CoreEntity, "fields">;

const coreNames = ({ fields }: Entity): string[] => fields.filter(isSecretField).map(({ apiName }) => apiName);

export const fieldGraphsOf = ({ fieldGraphs }: Pick<PublishedVersion, "fieldGraphs">) =>
  new Map(Object.entries(fieldGraphs ?? {}));

/** Names that secret fields have in a system. */
function namesAt(version: PublishedVersion, entity: Entity, { connectorId, schema }: PlaceSchema): string[] {
  const mapped = secretConnectorFields(version.graph, fieldGraphsOf(version), new Set(coreNames(entity)));
  const typed = schema.fields.filter(isSecretField).map(({ apiName }) => apiName);
  return [...(mapped.get(`${connectorId}/${schema.apiName}`) ?? []), ...typed];
}

export function pipelineSecrets(
  version: PublishedVersion,
  entity: Entity,
  places: readonly (PlaceSchema & { id: number })[],
): PipelineSecrets {
  const core = coreNames(entity);
  const byPlace = new Map(
    places.map((place) => {
      const outside = namesAt(version, entity, place);
      return [place.id, { fields: SecretFields.named([...core, ...outside]), hasSecrets: outside.length > 0 }];
    }),
  );
  return {
    core: SecretFields.of(entity.fields),
    at: (placeId) => byPlace.get(placeId)?.fields ?? SecretFields.of(null),
    hasSecretsAt: (placeId) => byPlace.get(placeId)?.hasSecrets ?? true,
  };
}

export function pipelineSeals(
  secrets: Deps["secrets"],
  instanceId: Id<"instance">,
  entity: Entity,
  fields: PipelineSecrets,
): PipelineSeals {
  return {
    core: entitySeals(secrets, instanceId, entity),
    at: (placeId) => ({
      seals: new SealedValues(secrets, instanceId, fields.at(placeId)),
      secrets: fields.at(placeId),
    }),
  };
}

/** For records of an entity, without a pipeline. */
export const entitySeals = (secrets: Deps["secrets"], instanceId: Id<"instance">, entity: Entity): SealedValues =>
  new SealedValues(secrets, instanceId, SecretFields.named(coreNames(entity)));

/** For what one place answers. Without a published version there is none. */
export function placeSeals(
  secrets: Deps["secrets"],
  instanceId: Id<"instance">,
  { version, entity, place }: { version: PublishedVersion | null; entity: Entity | null; place: PlaceSchema },
): SealedValues {
  const names = version && entity ? [...coreNames(entity), ...namesAt(version, entity, place)] : [];
  return new SealedValues(secrets, instanceId, SecretFields.named(names));
}
