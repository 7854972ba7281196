/** The mapping of one entity of a system at full size: lines over the rows of its source and its destination. Pure. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import { FieldMapping, type Graph, type GraphNode } from "@accord/contracts/sync/graph";
import {
  changeNode,
  isSink,
  isSource,
  mappingFits,
  mayConvert,
  nodeById,
  proposeMappings,
  type MappingReason,
} from "@accord/sync-engine/graph";

/** The nodes that read and write the entity; one of them where there is one way only. */
export interface MappedNodes {
  source: GraphNode | undefined;
  sink: GraphNode | undefined;
}

/** From the system into the core, from the core into the system, or both. */
export type Direction = "source" | "sink" | "both";

export interface Line extends FieldMapping {
  direction: Direction;
}

export interface ProposedLine extends Line {
  reason: MappingReason;
}

export interface MapperFields {
  connectorFields: readonly FieldSchema[];
  coreFields: readonly FieldSchema[];
}

/** The node with its counterpart in the other direction, where the graph has one for the same entity. */
export function mappedNodes(graph: Graph, nodeId: string): MappedNodes {
  const node = nodeById(graph, nodeId);
  if (!node) return { source: undefined, sink: undefined };
  const isHere = ({ configuration }: GraphNode): boolean =>
    configuration.connectorId === node.configuration.connectorId &&
    configuration.entityDefinition === node.configuration.entityDefinition;
  const other = (isOther: (candidate: GraphNode) => boolean) =>
    graph.nodes.find((candidate) => isOther(candidate) && isHere(candidate));
  if (isSource(node)) return { source: node, sink: other(isSink) };
  return isSink(node) ? { source: other(isSource), sink: node } : { source: undefined, sink: undefined };
}

/** Rows as they are stored; those with an empty side are kept while somebody is still choosing in the form. */
const storedRows = (node: GraphNode | undefined): unknown[] => {
  const held = node?.configuration["fieldMappings"];
  return Array.isArray(held) ? held : [];
};

const rowsOf = (node: GraphNode | undefined): FieldMapping[] =>
  storedRows(node)
    .flatMap((row) => FieldMapping.safeParse(row).data ?? [])
    // A pair that is stored twice is one line.
    .filter((row, at, all) => all.findIndex((other) => isSamePair(row, other)) === at);

const isSamePair = (a: FieldMapping, b: FieldMapping): boolean =>
  a.connectorField === b.connectorField && a.coreField === b.coreField;

export function linesOf({ source, sink }: MappedNodes): Line[] {
  const [read, written] = [rowsOf(source), rowsOf(sink)];
  return [
    ...read.map((row): Line => ({
      ...row,
      direction: written.some((other) => isSamePair(row, other)) ? "both" : "source",
    })),
    ...written
      .filter((row) => !read.some((other) => isSamePair(row, other)))
      .map((row): Line => ({ ...row, direction: "sink" })),
  ];
}

const isWritten = (field: FieldSchema): boolean => !field.calculated && (field.updateable || field.initializable);

/** Ways in which values can go between two fields, the fullest first; none where they can't be joined. */
export function directionsFor(nodes: MappedNodes, connector: FieldSchema, core: FieldSchema): Direction[] {
  const reads = nodes.source !== undefined && mayConvert(connector, core);
  const writes = nodes.sink !== undefined && isWritten(connector) && mayConvert(core, connector);
  return [
    ...(reads && writes ? (["both"] as const) : []),
    ...(reads ? (["source"] as const) : []),
    ...(writes ? (["sink"] as const) : []),
  ];
}

/**
 * The way in which a new line carries values: the fullest that fits. Where the destination already writes the field of
 * the system from another core field, the line only reads, so that it does not take that place over unasked.
 */
export function directionOfNew(nodes: MappedNodes, connector: FieldSchema, core: FieldSchema): Direction | undefined {
  const [fullest, ...others] = directionsFor(nodes, connector, core);
  if (fullest !== "both") return fullest;
  const pair = { connectorField: connector.apiName, coreField: core.apiName };
  const isTaken = replacedBy(nodes, pair, fullest).some(({ direction }) => direction === "sink");
  return isTaken ? (others.find((direction) => direction === "source") ?? fullest) : fullest;
}

export type NoLine = "readOnly" | "typesDiffer";

/** Why two fields can't be joined. */
export function whyNoLine(nodes: MappedNodes, connector: FieldSchema, core: FieldSchema): NoLine | undefined {
  if (directionsFor(nodes, connector, core).length > 0) return undefined;
  return nodes.source === undefined && !isWritten(connector) ? "readOnly" : "typesDiffer";
}

/**
 * The graph with a line between two fields in this direction, or without one. What is written by another line in that
 * direction is written by this one instead: a field takes its values from one place.
 */
export function withLine(graph: Graph, nodes: MappedNodes, pair: FieldMapping, direction: Direction | null): Graph {
  const row = { connectorField: pair.connectorField, coreField: pair.coreField };
  const rowsWith = (node: GraphNode, target: keyof FieldMapping, isWanted: boolean): unknown[] => {
    const kept = storedRows(node).filter((held) => {
      const other = FieldMapping.safeParse(held).data;
      return !other || (!isSamePair(other, row) && !(isWanted && other[target] === row[target]));
    });
    const before = storedRows(node).findIndex((held) => {
      const other = FieldMapping.safeParse(held).data;
      return other !== undefined && (isSamePair(other, row) || other[target] === row[target]);
    });
    return isWanted ? kept.toSpliced(before < 0 ? kept.length : before, 0, row) : kept;
  };
  const put = (into: Graph, node: GraphNode | undefined, target: keyof FieldMapping, isWanted: boolean): Graph => {
    const current = node && nodeById(into, node.id);
    if (!current) return into;
    const fieldMappings = rowsWith(current, target, isWanted);
    if (JSON.stringify(fieldMappings) === JSON.stringify(storedRows(current))) return into;
    return changeNode(into, current.id, { configuration: { ...current.configuration, fieldMappings } });
  };
  const read = put(graph, nodes.source, "coreField", direction === "source" || direction === "both");
  return put(read, nodes.sink, "connectorField", direction === "sink" || direction === "both");
}

/** What loses its place to a line in this direction: rows of the source, of the destination, or both. */
export function replacedBy(nodes: MappedNodes, pair: FieldMapping, direction: Direction): Line[] {
  const replaced = (node: GraphNode | undefined, target: keyof FieldMapping, way: "source" | "sink"): Line[] =>
    direction !== way && direction !== "both"
      ? []
      : rowsOf(node)
          .filter((row) => row[target] === pair[target] && !isSamePair(row, pair))
          .map((row) => ({ ...row, direction: way }));
  return [...replaced(nodes.source, "coreField", "source"), ...replaced(nodes.sink, "connectorField", "sink")];
}

/** Lines for fields that have none, each in as many directions as fit. */
export function proposedLines(nodes: MappedNodes, { connectorFields, coreFields }: MapperFields): ProposedLine[] {
  const direction = nodes.source ? "source" : "sink";
  const [connectors, cores] = [byName(connectorFields), byName(coreFields)];
  return proposeMappings({ connectorFields, coreFields, existing: linesOf(nodes), direction }).flatMap((row) => {
    const [connector, core] = [connectors.get(row.connectorField), cores.get(row.coreField)];
    if (!connector || !core) return [];
    const isBoth = nodes.sink !== undefined && isProposedBack(nodes, connector, core);
    return [{ ...row, direction: isBoth ? "both" : direction }];
  });
}

/** What is only set on creation, or times that the system keeps by itself, is written by choice only. */
const isProposedBack = (nodes: MappedNodes, connector: FieldSchema, core: FieldSchema): boolean =>
  directionsFor(nodes, connector, core).includes("both") &&
  mappingFits(connector, core, "sink") &&
  connector.updateable &&
  !connector.createOnly &&
  !connector.isIdField &&
  !connector.isCreatedAtField &&
  !connector.isUpdatedAtField;

/** The graph with all of them, as one edit. */
export const withProposals = (graph: Graph, nodes: MappedNodes, lines: readonly ProposedLine[]): Graph =>
  lines.reduce((before, line) => withLine(before, nodes, line, line.direction), graph);

/** Fields that records are known by and that have no line: never left out unsaid. */
export function unmappedKeys(nodes: MappedNodes, { connectorFields }: MapperFields): FieldSchema[] {
  const mapped = new Set(linesOf(nodes).map(({ connectorField }) => connectorField));
  return connectorFields.filter(
    (field) =>
      field.status === "ACTIVE" &&
      !field.isSystem &&
      (field.isIdField || field.unique) &&
      !mapped.has(field.apiName) &&
      // A destination can't set the id that its system gives.
      (nodes.source !== undefined || isWritten(field)),
  );
}

export const byName = <Field extends FieldSchema>(fields: readonly Field[]): Map<string, Field> =>
  new Map(fields.map((field) => [field.apiName, field]));

/** Fields whose names or types have every word of the text. */
export function searchFields<Field extends FieldSchema>(fields: readonly Field[], text: string): Field[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return fields.filter(({ apiName, displayName, dataType }) => {
    const held = `${displayName} ${apiName} ${dataType}`.toLowerCase();
    return words.every((word) => held.includes(word));
  });
}

/** Height of a field's row in px: lines are placed by it. */
export const ROW_HEIGHT = 50;

export interface Column {
  /** Place of each shown field, by api name. */
  rows: ReadonlyMap<string, number>;
  scrollTop: number;
  height: number;
}

export interface LineShape {
  from: number;
  to: number;
  /** One of its fields is scrolled out of sight: the line ends at the edge. */
  isCut: boolean;
}

/** Where a line runs between the two columns; undefined where nothing of it is in sight. */
export function lineShape(line: FieldMapping, system: Column, core: Column): LineShape | undefined {
  const [from, to] = [placeOf(line.connectorField, system), placeOf(line.coreField, core)];
  if (from === undefined || to === undefined) return undefined;
  const [shownFrom, shownTo] = [within(from, system.height), within(to, core.height)];
  const isCut = shownFrom !== from || shownTo !== to;
  if (shownFrom !== from && shownTo !== to) return undefined;
  return { from: shownFrom, to: shownTo, isCut };
}

const placeOf = (name: string, { rows, scrollTop }: Column): number | undefined => {
  const row = rows.get(name);
  return row === undefined ? undefined : row * ROW_HEIGHT + ROW_HEIGHT / 2 - scrollTop;
};
const within = (y: number, height: number): number => Math.max(0, Math.min(height, y));
