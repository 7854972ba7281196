/** Seeded chance: the same seed gives the same run, bit by bit (mulberry32). */
export interface Rng {
  /** 0 ≤ x < 1. */
  next(): number;
  /** Whole number from `from` up to, not including, `to`. */
  between(from: number, to: number): number;
  /** True this often. */
  bool(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

export function createRng(seed: number): Rng {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from)),
    bool: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)]!,
  };
}
