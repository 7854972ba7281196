/** Which core fields a place's sources map to other columns than an earlier version of the pipeline did. Pure. */
import { type Graph, SourceConfiguration } from "@accord/contracts/sync/graph";
import { placeName, type Remapped, remappedKey } from "@accord/sync-engine/run";

/** A version's sources, by their configurations. */
export interface VersionSources {
  /** UTC ISO-8601. */
  publishedAt: string;
  sources: readonly unknown[];
}

/** Since when, by place and core field; `versions`: the oldest first. A field that is mapped again as it was is as it was. */
export function remappedFields(versions: readonly VersionSources[]): Remapped {
  const columns = new Map<string, string>();
  const since = new Map<string, string>();
  for (const { publishedAt, sources } of versions) {
    for (const [key, column] of columnsOf(sources)) {
      const before = columns.get(key);
      if (before !== undefined && before !== column) since.set(key, publishedAt);
      columns.set(key, column);
    }
  }
  return since;
}

/** Of a version, or a draft: what is not configured yet maps nothing. */
export function sourcesOf({ graph, publishedAt }: { graph: Graph; publishedAt: string }): VersionSources {
  const sources = graph.nodes.flatMap(({ nodeType, configuration }) =>
    nodeType === "ENTITY_SOURCE" && SourceConfiguration.safeParse(configuration).success ? [configuration] : [],
  );
  return { publishedAt, sources };
}

/** Several sources of one place may map the same field. */
function columnsOf(sources: readonly unknown[]): Map<string, string> {
  const found = new Map<string, string[]>();
  for (const configuration of sources) {
    const { connectorId, entityDefinition: entity, fieldMappings } = SourceConfiguration.parse(configuration);
    for (const { coreField, connectorField } of fieldMappings) {
      const key = remappedKey(placeName({ connectorId, entity }), coreField);
      found.set(key, [...(found.get(key) ?? []), connectorField]);
    }
  }
  return new Map([...found].map(([key, names]) => [key, names.toSorted().join("\n")]));
}
