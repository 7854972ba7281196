/** The mapping at full size: fields of the system left, fields of the core right, what can be done with them around. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import { keysFirst } from "@accord/sync-engine/graph";
import { useMemo, useState, type ReactNode } from "react";
import { useLocked } from "../editor-context.tsx";
import { FieldBar } from "./field-bar.tsx";
import { MapperBar } from "./mapper-bar.tsx";
import { MapperBoard } from "./mapper-board.tsx";
import { linesOf, proposedLines, unmappedKeys, type MappedNodes } from "./mapper.model.ts";
import { useDrawing, type Side, type Spot } from "./use-drawing.ts";
import "./mapper.css";

export interface MapperViewProps {
  nodes: MappedNodes;
  connectorName: string;
  entityName: string;
  connectorFields: readonly FieldSchema[];
  coreFields: readonly FieldSchema[];
  /** Values of now in words, by field. */
  samples: Readonly<Record<Side, ReadonlyMap<string, string>>>;
  onCreateField: ((field: FieldSchema) => void) | undefined;
  /** In its bar, before and behind what it does itself. */
  start?: ReactNode;
  end?: ReactNode;
}

export function MapperView({ nodes, connectorFields, coreFields, ...props }: MapperViewProps) {
  const isLocked = useLocked();
  const fields = useMemo(
    () => ({
      connectorFields: keysFirst(connectorFields),
      coreFields: keysFirst(coreFields.filter(({ status }) => status === "ACTIVE")),
    }),
    [connectorFields, coreFields],
  );
  const lines = useMemo(() => linesOf(nodes), [nodes]);
  const proposals = useMemo(() => proposedLines(nodes, fields), [nodes, fields]);
  const drawing = useDrawing(nodes, fields, isLocked);
  /** The field that was reached last, on either side. */
  const [spot, setSpot] = useState<Spot>();
  const shared = { nodes, fields, lines, proposals, drawing, isLocked, spot };
  return (
    <div className="ac-mapper">
      <MapperBar {...shared} keys={unmappedKeys(nodes, fields)} start={props.start} end={props.end} />
      <MapperBoard
        {...shared}
        connectorName={props.connectorName}
        entityName={props.entityName}
        samples={props.samples}
        onSpot={setSpot}
      />
      <FieldBar {...shared} onCreateField={props.onCreateField} />
    </div>
  );
}
