/** The systems a reconciliation compares: each connector entity that the pipeline reads, writes, or both. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import { fill } from "@accord/contracts/messages/fill";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { isActionsEndpoint, type SinkPlan, type SourcePlan } from "@accord/sync-engine/run";
import type { CompiledPipeline } from "../../runs/index.ts";

export interface ComparedSystem {
  /** Number of the connector entity in the pipeline's links. */
  placeId: number;
  connectorId: string;
  connectorName: string;
  schema: EntitySchema;
  source: SourcePlan | null;
  sink: SinkPlan | null;
  /** Read there: everything that is compared. */
  fields: readonly string[];
  pageSize: number;
  readDelayMs: number;
  canGetById: boolean;
  reportsDeletions: boolean;
  /** Its ids are listed now and then to find what was deleted. */
  isScannedForDeletions: boolean;
  /** Why its records can't be listed; null when they can. */
  problem: string | null;
}

export function systemsOf(pipeline: CompiledPipeline): ComparedSystem[] {
  const { plan, entities, connectors } = pipeline;
  return [...plan.places.values()]
    .filter((place) => !isActionsEndpoint(place))
    .flatMap((place): ComparedSystem[] => {
      const facts = entities.get(place.id);
      const connector = connectors.get(place.connectorId);
      if (!facts || !connector) return [];
      return [
        {
          placeId: place.id,
          connectorId: place.connectorId,
          connectorName: connector.name,
          schema: facts.schema,
          source: plan.sources.find((source) => source.place.id === place.id) ?? null,
          sink: plan.sinks.find((sink) => sink.place.id === place.id && !sink.isActionsOnly) ?? null,
          fields: [...new Set([...place.readFields, ...place.writeFields])].filter((field) =>
            facts.schema.fields.some(({ apiName }) => apiName === field),
          ),
          pageSize: connector.readPageSize,
          readDelayMs: connector.readDelaySeconds * 1000,
          canGetById: facts.capabilities.includes("getById"),
          reportsDeletions: facts.capabilities.includes("readDeletes"),
          isScannedForDeletions: facts.capabilities.includes("listIds") && !facts.capabilities.includes("readDeletes"),
          problem: unlistable(connector.type, facts.capabilities, connector.name),
        },
      ];
    });
}

/** What is posted to us can't be listed: the sender keeps it. */
function unlistable(type: string, capabilities: readonly string[], name: string): string | null {
  if (type === "webhook") return fill(syncRefusals.keepsNoList, { system: name });
  return capabilities.includes("read") ? null : fill(syncRefusals.cannotList, { system: name });
}
