/** The two columns of the mapper with the lines between them, and what was just done with them. */
import { useMemo, useRef, useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { FieldColumn } from "./field-column.tsx";
import { LineLayer } from "./line-layer.tsx";
import {
  byName,
  ROW_HEIGHT,
  searchFields,
  type Column,
  type Line,
  type MapperFields,
  type ProposedLine,
} from "./mapper.model.ts";
import { isOf, useBoardKeys } from "./use-board-keys.ts";
import { useColumns } from "./use-columns.ts";
import { usePointer, type Point } from "./use-pointer.ts";
import { nameOf, type Drawing, type Side, type Spot } from "./use-drawing.ts";

type Words = ReadonlyMap<string, string>;

interface Props {
  connectorName: string;
  entityName: string;
  fields: MapperFields;
  lines: readonly Line[];
  proposals: readonly ProposedLine[];
  samples: Readonly<Record<Side, Words>>;
  drawing: Drawing;
  spot: Spot | undefined;
  onSpot: (spot: Spot) => void;
}

export function MapperBoard({ fields, lines, proposals, samples, drawing, spot, onSpot, ...props }: Props) {
  const { t } = useWords("sync");
  const mapped = useMemo(() => mappedNames(lines, fields), [lines, fields]);
  const [texts, setTexts] = useState<Record<Side, string>>({ system: "", core: "" });
  const system = useMemo(() => searchFields(fields.connectorFields, texts.system), [fields, texts.system]);
  const core = useMemo(() => searchFields(fields.coreFields, texts.core), [fields, texts.core]);
  const shown = { system, core };
  const [systemRef, coreRef, gapRef] = [
    useRef<HTMLDivElement>(null),
    useRef<HTMLDivElement>(null),
    useRef<HTMLDivElement>(null),
  ];
  const columns = useColumns({ systemRef, coreRef, gapRef }, system, core);
  const board = useRef<HTMLDivElement>(null);
  const keys = useBoardKeys({ ref: board, shown, lines, proposals, drawing, onSpot });
  const pointer = usePointer(gapRef, drawing);
  const title: Record<Side, string> = {
    system: t("mapper.systemColumn", { system: props.connectorName }),
    core: t("mapper.coreColumn", { entity: props.entityName }),
  };
  const columnOf = (side: Side) => ({
    side,
    title: title[side],
    fields: shown[side],
    text: texts[side],
    current: keys.current[side],
    picked: drawing.from?.side === side ? drawing.from.field : undefined,
    mapped: mapped[side],
    samples: samples[side],
    onText: (text: string) => setTexts((before) => ({ ...before, [side]: text })),
    onScroll: columns.measure,
  });
  const hidden = hiddenLines(lines, columns);
  return (
    <>
      <div
        ref={board}
        className="ac-mapper__board"
        data-drawing={pointer.at !== undefined || undefined}
        {...keys.handlers}
        {...pointer.handlers}
      >
        <FieldColumn {...columnOf("system")} listRef={systemRef} />
        <div ref={gapRef} className="ac-mapper__gap">
          <LineLayer
            lines={lines}
            proposals={proposals}
            system={columns.system}
            core={columns.core}
            width={columns.width}
            isCurrent={(pair) => spot !== undefined && isOf(pair, spot)}
            drawn={drawnLine(drawing.from, pointer.at, columns)}
            onPick={({ connectorField }) => keys.focus({ side: "system", field: connectorField })}
          />
        </div>
        <FieldColumn {...columnOf("core")} listRef={coreRef} />
      </div>
      <p className="ac-mapper__said" role="status">
        {drawing.said || (hidden > 0 ? t("mapper.hiddenLines", { count: hidden }) : t("mapper.lead"))}
      </p>
    </>
  );
}

/** How many lines the searches leave out. */
const hiddenLines = (lines: readonly Line[], { system, core }: Columns): number =>
  lines.filter(({ connectorField, coreField }) => !system.rows.has(connectorField) || !core.rows.has(coreField)).length;

/** What each field is mapped to, in words. */
function mappedNames(lines: readonly Line[], fields: MapperFields): Record<Side, Words> {
  const [connectors, cores] = [byName(fields.connectorFields), byName(fields.coreFields)];
  const add = (into: Map<string, string>, from: string, to: string) => {
    const before = into.get(from);
    into.set(from, before === undefined ? to : `${before}, ${to}`);
  };
  const [system, core] = [new Map<string, string>(), new Map<string, string>()];
  for (const { connectorField, coreField } of lines) {
    add(system, connectorField, nameOf(cores.get(coreField), coreField));
    add(core, coreField, nameOf(connectors.get(connectorField), connectorField));
  }
  return { system, core };
}

interface Columns {
  system: Column;
  core: Column;
  width: number;
}

/** From the field that a line is drawn from to the pointer. */
function drawnLine(from: Spot | null, at: Point | undefined, columns: Columns): { from: Point; to: Point } | undefined {
  if (!from || !at) return undefined;
  const { rows, scrollTop } = columns[from.side];
  const row = rows.get(from.field);
  if (row === undefined) return undefined;
  const y = row * ROW_HEIGHT + ROW_HEIGHT / 2 - scrollTop;
  return { from: { x: from.side === "system" ? 0 : columns.width, y }, to: at };
}
