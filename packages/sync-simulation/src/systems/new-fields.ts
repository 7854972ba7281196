/** Fields that are added to a system while a pipeline runs that does not map them: they come to nothing. */
import type { Rng } from "../rng.ts";

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
export function drawNewField(rng: Rng, busyMs: number): NewField | null {
  if (!rng.bool(0.05)) return null;
  return {
    system: rng.between(0, 1),
    field: rng.pick(["fax", "constructor", "Phone"]),
    fromMs: rng.between(1, busyMs),
    touchesRows: rng.bool(0.5),
    edits: rng.between(0, 4),
  };
}
