/** Fields that are added to a system while a pipeline runs that does not map them: they come to nothing. */
import type { Chance } from "./chance.ts";

export interface NewField {
  /** Index of the system. */
  system: number;
  field: string;
  /** Milliseconds since the beginning. */
  fromMs: number;
  /** All rows count as changed when it is added: a migration fills it. */
  touchesRows: boolean;
  /** How often somebody enters something in it. */
  edits: number;
}

/** Null in most histories. */
export function drawNewField(chance: Chance, busyMs: number): NewField | null {
  if (!chance.happens(0.05)) return null;
  return {
    system: chance.between(0, 1),
    field: chance.pick(["fax", "constructor", "Phone"]),
    fromMs: chance.between(1, busyMs),
    touchesRows: chance.happens(0.5),
    edits: chance.between(0, 4),
  };
}
