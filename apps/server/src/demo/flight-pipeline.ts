/** The demo's Flight entity and its one-way pipeline: a folder of files as a source, nothing written back. */
import type { CreateEntityBody } from "@accord/contracts/data/core-schema";
import { Graph } from "@accord/contracts/sync/graph";
import type { z } from "zod";
import type { DemoConnectors } from "./connectors.ts";

export const FLIGHT_ENTITY: z.input<typeof CreateEntityBody> = {
  apiName: "Flight",
  displayName: "Flight",
  description: "Departures of one quarter, from files.",
  nameField: "flightNumber",
  publish: true,
  fields: [
    { apiName: "flightNumber", displayName: "Flight number" },
    { apiName: "departedAt", displayName: "Departed at", dataType: "datetime" },
    { apiName: "origin", displayName: "Origin" },
    { apiName: "destination", displayName: "Destination" },
    { apiName: "delayMinutes", displayName: "Delay in minutes", dataType: "integer" },
    { apiName: "distanceMiles", displayName: "Distance in miles", dataType: "integer" },
  ],
};

export const FLIGHT_VERSION = {
  versionName: "Flights from files",
  summary: "Reads the flights folder; new and changed files are taken up by themselves.",
};

const MAPPED = [
  ["flight_id", "flightNumber"],
  ["departed_at", "departedAt"],
  ["origin", "origin"],
  ["destination", "destination"],
  ["delay_minutes", "delayMinutes"],
  ["distance_miles", "distanceMiles"],
] as const;

/** The graph over this connector; valid as it is. */
export function flightPipeline({ flights }: Pick<DemoConnectors, "flights">): Graph {
  return Graph.parse({
    nodes: [
      {
        id: "demo-flights-source",
        nodeType: "ENTITY_SOURCE",
        label: "Flight files",
        connectorEntityName: "flights",
        location: { x: 200, y: 160 },
        configuration: {
          connectorId: flights,
          entityDefinition: "flights",
          fieldMappings: MAPPED.map(([connectorField, coreField]) => ({ connectorField, coreField })),
        },
      },
      {
        id: "demo-core-flight",
        nodeType: "CORE_ENTITY",
        label: "Flight",
        name: "Flight",
        location: { x: 520, y: 160 },
      },
    ],
    edges: [
      {
        id: "demo-edge-flights",
        source: { nodeId: "demo-flights-source", anchor: 2 },
        destination: { nodeId: "demo-core-flight", anchor: 0 },
      },
    ],
  });
}
