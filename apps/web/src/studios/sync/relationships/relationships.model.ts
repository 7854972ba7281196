/** Entities and the references between them as a drawing: what refers to what, and where each card stands. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";

export interface Reference {
  from: Id<"entity">;
  to: Id<"entity">;
  /** Names of the fields that hold it. */
  fields: string[];
}

/** One for each pair of entities, in the order of the entities. An entity may refer to itself. */
export function referencesOf(entities: readonly CoreEntity[]): Reference[] {
  const byName = new Map(entities.map((entity) => [entity.apiName, entity]));
  return entities.flatMap((entity) => {
    const found = new Map<string, Reference>();
    for (const field of entity.fields) {
      const target = field.dataType === "reference" && field.referenceTo ? byName.get(field.referenceTo) : undefined;
      if (!target) continue;
      const known = found.get(target.id);
      if (known) known.fields.push(field.displayName);
      else found.set(target.id, { from: entity.id, to: target.id, fields: [field.displayName] });
    }
    return [...found.values()];
  });
}

export const CARD = { width: 184, height: 64 } as const;
const GAP = { x: 64, y: 24 } as const;
/** Cards of entities without references stand in rows of so many. */
const LOOSE_PER_ROW = 4;

export interface Placed {
  id: string;
  x: number;
  y: number;
}

export interface Drawing {
  cards: Placed[];
  width: number;
  height: number;
}

/**
 * What is referred to stands left of what refers to it; of a circle of references the first entity does. Entities
 * without references stand below, so that they are in no line's way. Cards come in the order of reading.
 */
export function drawingOf(entities: readonly CoreEntity[], references: readonly Reference[]): Drawing {
  const between = references.filter(({ from, to }) => from !== to);
  const linked = new Set(between.flatMap(({ from, to }) => [from, to]));
  const columns: string[][] = [];
  const columnOf = columnsOf(between);
  for (const { id } of entities) if (linked.has(id)) (columns[columnOf(id)] ??= []).push(id);
  const tallest = Math.max(0, ...columns.map((ids) => ids?.length ?? 0));
  const cards = columns.flatMap((ids, column) =>
    ids.map((id, index) => ({
      id,
      x: column * (CARD.width + GAP.x),
      // Columns stand level in their middles.
      y: (index + (tallest - ids.length) / 2) * (CARD.height + GAP.y),
    })),
  );
  const top = tallest === 0 ? 0 : tallest * (CARD.height + GAP.y) + GAP.y;
  const loose = entities
    .filter(({ id }) => !linked.has(id))
    .map(({ id }, index) => ({
      id,
      x: (index % LOOSE_PER_ROW) * (CARD.width + GAP.y),
      y: top + Math.floor(index / LOOSE_PER_ROW) * (CARD.height + GAP.y),
    }));
  const all = [...cards, ...loose];
  return {
    cards: all,
    width: Math.max(0, ...all.map(({ x }) => x + CARD.width)),
    height: Math.max(0, ...all.map(({ y }) => y + CARD.height)),
  };
}

/** Length of the longest way of references that leads out of an entity, each entity once on it. */
function columnsOf(references: readonly Reference[]): (id: string) => number {
  const targets = new Map<string, string[]>();
  for (const { from, to } of references) targets.set(from, [...(targets.get(from) ?? []), to]);
  const columns = new Map<string, number>();
  const columnOf = (id: string, onTheWay: ReadonlySet<string>): number => {
    const known = columns.get(id);
    if (known !== undefined) return known;
    const passed = new Set([...onTheWay, id]);
    const next = (targets.get(id) ?? []).filter((target) => !passed.has(target));
    const column = next.length === 0 ? 0 : 1 + Math.max(...next.map((target) => columnOf(target, passed)));
    columns.set(id, column);
    return column;
  };
  return (id) => columnOf(id, new Set());
}

/** The line of a reference, from the card that refers to the one that is referred to. */
export function lineOf(from: Placed, to: Placed): string {
  const middle = CARD.height / 2;
  const [start, end] = [
    { x: from.x, y: from.y + middle },
    { x: to.x + CARD.width, y: to.y + middle },
  ];
  if (start.x > end.x) {
    const bend = (start.x - end.x) / 2;
    return `M${start.x},${start.y} C${start.x - bend},${start.y} ${end.x + bend},${end.y} ${end.x},${end.y}`;
  }
  // Against the order, as circles need it: around, on the right of both.
  const [right, far] = [from.x + CARD.width, Math.max(from.x, to.x) + CARD.width + GAP.x / 2];
  return `M${right},${start.y} C${far},${start.y} ${far},${end.y} ${end.x},${end.y}`;
}
