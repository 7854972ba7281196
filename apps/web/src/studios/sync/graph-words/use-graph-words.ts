/** What screens need to speak of a pipeline's graph: names of fields, functions, systems and branches. */
import type { Id } from "@accord/contracts";
import { useMemo } from "react";
import { useWords } from "../../../app/words.ts";
import { usePortNames } from "../pipeline-editor/canvas/port-names.ts";
import { useConnectors, useCoreEntity, usePalette } from "../pipeline-editor/queries.ts";
import type { GraphWords } from "./graph-words.ts";

/** Undefined until everything is there; what can't be read is named by its id. */
export function useGraphWords(entityId: Id<"entity">): GraphWords | undefined {
  const { t } = useWords("sync");
  const entity = useCoreEntity(entityId);
  const palette = usePalette(entityId);
  const connectors = useConnectors();
  const portName = usePortNames();
  const isPending = entity.isPending || palette.isPending || connectors.isPending;
  return useMemo((): GraphWords | undefined => {
    if (isPending) return undefined;
    const functions = [...(palette.data?.functions ?? []), ...(palette.data?.actions ?? [])];
    const definitions = new Map(functions.map((each) => [each.name, each]));
    const systems = new Map<string, string>((connectors.data?.connectors ?? []).map(({ id, name }) => [id, name]));
    return {
      t,
      fields: entity.data?.fields ?? [],
      definition: (apiName) => definitions.get(apiName),
      connectorName: (connectorId) => systems.get(connectorId) ?? connectorId,
      title: (nodeId) => nodeId,
      portName,
    };
  }, [connectors.data, entity.data, isPending, palette.data, portName, t]);
}
