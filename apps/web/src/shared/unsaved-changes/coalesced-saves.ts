/** Saves one after the other: while one is under way only the newest of what comes next is kept, and saved after it. */
export interface CoalescedSaves<Value> {
  push(value: Value): void;
  /** Settles once nothing is left to save. */
  idle(): Promise<void>;
}

interface CoalescedSavesOptions<Value> {
  save: (value: Value) => Promise<void>;
  /** Everything was saved. */
  onSettled: () => void;
  /** A save was refused; what was waiting behind it is dropped, for it was made on top of it. */
  onFailed: (error: unknown) => void;
}

export function coalescedSaves<Value>({
  save,
  onSettled,
  onFailed,
}: CoalescedSavesOptions<Value>): CoalescedSaves<Value> {
  let waiting: { value: Value } | null = null;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    try {
      while (waiting) {
        const { value } = waiting;
        waiting = null;
        await save(value);
      }
      running = null;
      onSettled();
    } catch (error) {
      waiting = null;
      running = null;
      onFailed(error);
    }
  }

  return {
    push(value) {
      waiting = { value };
      running ??= run();
    },
    idle: async () => {
      while (running) await running;
    },
  };
}
