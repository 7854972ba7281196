/** What all cards of the graph share: names of fields, labels and families of functions, connected systems. */
import type { Connector } from "@accord/contracts/connections/connectors";
import type { Id } from "@accord/contracts";
import { createContext, useContext, useMemo, type ReactNode } from "react";
import { useWords } from "../../../../app/words.ts";
import type { SummaryWorld } from "./card-summary.ts";
import type { Family } from "./node-icon.tsx";
import { useConnectors, useCoreEntity, usePalette } from "../queries.ts";

export interface CardWorld extends SummaryWorld {
  family: (apiName: string) => Family | undefined;
  connector: (connectorId: string | undefined) => Connector | undefined;
}

const CardContext = createContext<CardWorld | null>(null);

export function useCardWorld(): CardWorld {
  const world = useContext(CardContext);
  if (!world) throw new Error("Cards stand inside CardWorldProvider");
  return world;
}

export function CardWorldProvider({ entityId, children }: { entityId: Id<"entity">; children: ReactNode }) {
  const { t } = useWords("sync");
  const fields = useCoreEntity(entityId).data?.fields;
  const palette = usePalette(entityId).data;
  const connectors = useConnectors().data?.connectors;
  const world = useMemo((): CardWorld => {
    const functions = new Map(
      [...(palette?.functions ?? []), ...(palette?.actions ?? [])].map((each) => [each.name, each]),
    );
    const systems = new Map((connectors ?? []).map((each): [string, Connector] => [each.id, each]));
    return {
      fields: fields ?? [],
      functionLabel: (apiName) => functions.get(apiName)?.label,
      family: (apiName) => functions.get(apiName)?.family,
      connector: (id) => (id ? systems.get(id) : undefined),
      words: {
        notConfigured: t("node.notConfigured"),
        bypassed: t("flow.bypass.card"),
        coreField: t("node.coreField"),
        kind: (kind) => t(`node.${kind}`),
        mapped: (count) => t("node.mapped", { count }),
        of: (name, value) => t("node.of", { name, value }),
      },
    };
  }, [connectors, fields, palette, t]);
  return <CardContext.Provider value={world}>{children}</CardContext.Provider>;
}
