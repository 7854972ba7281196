/** Numbers that were met, with what belongs to each: in a few bytes for each, and no more of them than was said. */

/** Halves of what is kept stay free: finding a place takes a look or two. */
const SPARE = 2;

export class NumberTable {
  readonly #most: number;
  /** One more than each number; 0 where nothing is. */
  #keys = new Float64Array(1_024);
  #values: Float64Array | null;
  #size = 0;

  /** `hasValues`: something belongs to each; otherwise each belongs to itself. */
  constructor(most: number, { hasValues }: { hasValues: boolean }) {
    this.#most = most;
    this.#values = hasValues ? new Float64Array(this.#keys.length) : null;
  }

  get size(): number {
    return this.#size;
  }

  /** What comes now is not kept any more. */
  get isFull(): boolean {
    return this.#size >= this.#most;
  }

  get(key: number): number | undefined {
    const slot = this.#slotOf(key);
    if (this.#keys[slot] === 0) return undefined;
    return this.#values ? this.#values[slot] : key;
  }

  /** Whole numbers from 0 to 2 ** 53 - 2. */
  set(key: number, value = key): void {
    if (this.#size * SPARE >= this.#keys.length) this.#grow();
    const slot = this.#slotOf(key);
    if (this.#keys[slot] === 0) {
      if (this.isFull) return;
      this.#keys[slot] = key + 1;
      this.#size += 1;
    }
    if (this.#values) this.#values[slot] = value;
  }

  #slotOf(key: number): number {
    const keys = this.#keys;
    let slot = key % keys.length;
    while (keys[slot] !== 0 && keys[slot] !== key + 1) slot = (slot + 1) % keys.length;
    return slot;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(keys.length * 2);
    this.#values = values && new Float64Array(keys.length * 2);
    for (const [at, key] of keys.entries())
      if (key !== 0) {
        const slot = this.#slotOf(key - 1);
        this.#keys[slot] = key;
        if (this.#values) this.#values[slot] = values?.[at] ?? 0;
      }
  }
}
