/** Drawing lines: what is picked up on one side, by mouse or keyboard, and what becomes of it on the other. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { FieldMapping } from "@accord/contracts/sync/graph";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { useEditorStore } from "../editor-context.tsx";
import {
  byName,
  directionOfNew,
  replacedBy,
  whyNoLine,
  withLine,
  type Direction,
  type MappedNodes,
  type MapperFields,
} from "./mapper.model.ts";

export type Side = "system" | "core";
export const otherSide = (side: Side): Side => (side === "system" ? "core" : "system");

/** A field in one of the two columns. */
export interface Spot {
  side: Side;
  field: string;
}

export const pairOf = (a: Spot, b: Spot): FieldMapping =>
  a.side === "system"
    ? { connectorField: a.field, coreField: b.field }
    : { connectorField: b.field, coreField: a.field };

export const nameOf = (field: FieldSchema | undefined, apiName: string): string => field?.displayName || apiName;

export function useDrawing(nodes: MappedNodes, fields: MapperFields, isLocked: boolean) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const [from, setFrom] = useState<Spot | null>(null);
  /** What was just done, for screen readers as well. */
  const [said, setSaid] = useState("");
  const [connectors, cores] = [byName(fields.connectorFields), byName(fields.coreFields)];
  const namesOf = ({ connectorField, coreField }: FieldMapping) => ({
    from: nameOf(connectors.get(connectorField), connectorField),
    to: nameOf(cores.get(coreField), coreField),
  });
  /** One edit of the graph; fields that get their values from elsewhere than before are named. */
  const setDirection = (pair: FieldMapping, direction: Direction) => {
    const replaced = replacedBy(nodes, pair, direction).map((line) => {
      const names = namesOf(line);
      return line.direction === "sink"
        ? t("mapper.replaced", { other: names.to, field: names.from })
        : t("mapper.replaced", { other: names.from, field: names.to });
    });
    store.getState().edit((graph) => withLine(graph, nodes, pair, direction));
    const drawn = t("mapper.drawn", { ...namesOf(pair), direction: t(`mapper.direction.${direction}`) });
    setSaid([drawn, ...replaced].join(" "));
  };

  /** Whether the two are joined now. */
  const join = (pair: FieldMapping, direction?: Direction): boolean => {
    const [connector, core] = [connectors.get(pair.connectorField), cores.get(pair.coreField)];
    if (!connector || !core || isLocked) return false;
    const names = namesOf(pair);
    const refusal = connector.status === "ACTIVE" ? whyNoLine(nodes, connector, core) : "gone";
    const wanted = direction ?? directionOfNew(nodes, connector, core);
    if (refusal || !wanted) {
      setSaid(t(`mapper.refused.${refusal ?? "typesDiffer"}`, names));
      return false;
    }
    setDirection(pair, wanted);
    return true;
  };
  return {
    from,
    said,
    setSaid,
    namesOf,
    join,
    setDirection,
    remove: (pairs: readonly FieldMapping[]) => {
      const [first] = pairs;
      if (!first || isLocked) return;
      store.getState().edit((graph) => pairs.reduce((before, pair) => withLine(before, nodes, pair, null), graph));
      setSaid(pairs.map((pair) => t("mapper.removed", namesOf(pair))).join(" "));
    },
    begin: (spot: Spot) => {
      if (isLocked) return;
      const field = (spot.side === "system" ? connectors : cores).get(spot.field);
      setFrom(spot);
      setSaid(t("mapper.drawing", { field: nameOf(field, spot.field) }));
    },
    cancel: () => {
      setFrom(null);
      setSaid(t("mapper.cancelled"));
    },
    /** Ends at a field of the other side. */
    end: (spot: Spot): boolean => {
      if (!from || from.side === spot.side) return false;
      setFrom(null);
      return join(pairOf(from, spot));
    },
  };
}

export type Drawing = ReturnType<typeof useDrawing>;
