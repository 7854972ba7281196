/** The places of a pipeline as their connectors stand, or why it can't run with them. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import { fill } from "@accord/contracts/messages/fill";
import { EntitySchema } from "@accord/contracts/data/schema";
import { isActionsEndpoint, type EndpointSchema, type EndpointFields, placesOf } from "@accord/sync-engine/run";
import type {
  ConnectorEntityFacts,
  ConnectorFacts,
  ConnectorsService,
  StoredConnector,
} from "../../../connections/connectors/index.ts";
import type { PublishedVersion } from "../../pipelines/index.ts";
import { fieldGraphsOf } from "../secrets/pipeline-secrets.ts";

/** The pipeline can't run as things are; the message says what to do. */
export class PipelineNotRunnable extends Error {
  override name = "NotReady";
}

/** What a pipeline finds outside. */
export interface World {
  connectors: Map<string, ConnectorFacts>;
  stored: Map<string, StoredConnector>;
  /** By `connectorId/entity`. */
  entities: Map<string, ConnectorEntityFacts>;
}

/** Places of a version at which something is read or written. */
export const pipelineEndpoints = (version: PublishedVersion): EndpointFields[] =>
  placesOf(version.graph, fieldGraphsOf(version)).filter((place) => !isActionsEndpoint(place));

type Found = Awaited<ReturnType<ConnectorsService["findPlaces"]>>;

/** Throws `PipelineNotRunnable` where something is missing. */
export function worldOf(places: readonly EndpointFields[], found: Found): World {
  const world: World = { connectors: new Map(), stored: new Map(), entities: new Map() };
  for (const [index, { connectorId, entity }] of places.entries()) {
    const { connector, facts, stored } = found[index] ?? { connector: null, facts: null };
    if (stored) world.stored.set(connectorId, stored);
    if (!connector) throw new PipelineNotRunnable(syncRefusals.connectorDeleted);
    world.connectors.set(connectorId, connector);
    if (!facts || facts.status === "INACTIVE") {
      throw new PipelineNotRunnable(fill(syncRefusals.entityGone, { system: connector.name, entity }));
    }
    if (facts.problem) throw new PipelineNotRunnable(facts.problem);
    world.entities.set(`${connectorId}/${entity}`, facts);
  }
  return world;
}

/** Nothing is read or written at the place of loose actions. */
const ACTIONS_FACTS = {
  connectorName: "Actions",
  schema: EntitySchema.parse({ apiName: "actions", displayName: "Actions", fields: [] }),
  writeBatchSize: 200,
  readDelayMs: 0,
  idempotentCreate: true,
  canLookup: false,
  canGetById: false,
  listsAll: false,
};

/** What compiling needs to know of a place. */
export function factsOf(
  place: EndpointFields & { id: number },
  { connectors, entities }: Pick<World, "connectors" | "entities">,
): EndpointSchema {
  if (isActionsEndpoint(place)) return { ...ACTIONS_FACTS, ...place };
  const connector = connectors.get(place.connectorId);
  const facts = entities.get(`${place.connectorId}/${place.entity}`);
  if (!connector || !facts) throw new Error(`${place.entity} was not among what was found`);
  const { schema, capabilities } = facts;
  return {
    id: place.id,
    connectorId: place.connectorId,
    connectorName: connector.name,
    schema,
    readFields: place.readFields,
    writeFields: place.writeFields,
    writeBatchSize: connector.writeBatchSize,
    readDelayMs: connector.readDelaySeconds * 1000,
    idempotentCreate: capabilities.includes("idempotentCreate"),
    canLookup: capabilities.includes("lookup"),
    canGetById: capabilities.includes("getById"),
    listsAll: !capabilities.includes("readChanges"),
  };
}
