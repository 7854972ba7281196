/** Which test files run and what has ended: says where a run stands, and which files never end. */

const MINUTE = 60_000;

export interface ProgressLimits {
  /** Milliseconds in which at least one test or file must end: longer than any time limit of a test. */
  stalled: number;
  /** Milliseconds of the whole run. */
  whole: number;
}

/** Times are milliseconds of one clock; files are paths. */
export class Progress {
  readonly #began: number;
  readonly #files: number;
  readonly #limits: ProgressLimits;
  readonly #running = new Map<string, number>();
  #ended = 0;
  #passed = 0;
  #failed = 0;
  #lastEnd: number;

  constructor(now: number, files: number, limits: ProgressLimits) {
    this.#began = now;
    this.#lastEnd = now;
    this.#files = files;
    this.#limits = limits;
  }

  fileBegan(file: string, now: number): void {
    this.#running.set(file, now);
  }

  fileEnded(file: string, now: number): void {
    this.#running.delete(file);
    this.#ended += 1;
    this.#lastEnd = now;
  }

  testEnded(hasFailed: boolean, now: number): void {
    if (hasFailed) this.#failed += 1;
    else this.#passed += 1;
    this.#lastEnd = now;
  }

  /** Files that have not ended, the longest first. */
  running(): string[] {
    return [...this.#running].toSorted(([, left], [, right]) => left - right).map(([file]) => file);
  }

  /** `12 min: 310 of 900 files, 3204 tests passed, 0 failed; running: a.test.ts (30 s)`. */
  line(now: number): string {
    const running = this.running().map(
      (file) => `${file} (${Math.round((now - (this.#running.get(file) ?? now)) / 1000)} s)`,
    );
    const minutes = Math.floor((now - this.#began) / MINUTE);
    const counts = `${this.#ended} of ${this.#files} files, ${this.#passed} tests passed, ${this.#failed} failed`;
    return `${minutes} min: ${counts}; running: ${running.join(", ") || "nothing"}`;
  }

  /** Why the run has to be ended; undefined while it may go on. */
  overdue(now: number): string | undefined {
    const inMinutes = (span: number): number => Math.round(span / MINUTE);
    if (now - this.#lastEnd > this.#limits.stalled)
      return `No test has ended for ${inMinutes(this.#limits.stalled)} minutes.`;
    if (now - this.#began > this.#limits.whole)
      return `The tests took more than ${inMinutes(this.#limits.whole)} minutes.`;
    return undefined;
  }
}
