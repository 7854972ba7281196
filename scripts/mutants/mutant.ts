/** One change of the source that a test should notice, and what a kind of mutants has to tell about itself. */

export interface Mutant {
  /** Stays the same while other lines move: `path/of/file.ts functionName #2`. */
  id: string;
  /** Relative to the project, with forward slashes. */
  file: string;
  /** Counted from 1. */
  line: number;
  /** What the change takes away: `instance_id = $1`. */
  description: string;
  /** Offsets into the file's text. */
  start: number;
  end: number;
  replacement: string;
  /** The same change behind a switch: `isOn` is true while it is made. `text`: what stands there, inner switches included. */
  switched?: (isOn: string, text: string) => string;
  /** Test files to run, relative to the project. */
  tests: readonly string[];
}

/**
 * How much is tried before a mutant counts as a survivor: what a commit can wait for; with PostgreSQL, what is noticed in
 * seconds; or what a release deserves.
 */
export type Effort = "quick" | "stored" | "whole";

/** Tries mutants one at a time. */
export interface MutantJudge {
  /** What noticed the mutant first; null when nothing did. */
  judge(mutant: Mutant): Promise<string | null>;
  close(): Promise<void>;
}

/** A kind of mutants: what `npm run mutants -- <name>` tries. */
export interface MutantKind {
  name: string;
  /** All mutants of the source below `root`. */
  find(root: string): Mutant[];
  /** Project of vitest that the tests belong to. */
  project: "unit" | "integration";
  /** Judges them by more than the tests they name. */
  openJudge?(root: string, effort: Effort): MutantJudge;
  /** Whether a look that needs no PostgreSQL says anything about it; about all of them, where this is left out. */
  isQuicklyJudged?(mutant: Mutant): boolean;
  /** JSON file with `{ [mutant id]: reason }`: changes that alter nothing anybody could see. Relative to the project. */
  equivalents: string;
  /** A quick first round that tries all of them in one process; the test files are run for what it did not catch. */
  trials?: {
    /** Runs under vitest: reads the numbers from the file named by ACCORD_MUTANT_TRIALS and writes a line for each. */
    program: string;
    /** Prepares the copy, in which every mutant stands behind its switch. */
    prepare(copy: { write(file: string, text: string): void }, root: string, mutants: readonly Mutant[]): void;
  };
}

/** `caught`: a test failed; `survived`: none did; `equivalent`: survived, with a reason; `listed`: caught although listed. */
export type Verdict = "caught" | "survived" | "equivalent" | "listed";

export interface MutantResult {
  mutant: Mutant;
  verdict: Verdict;
  /** The first test, or the simulated history, that failed. */
  caughtBy: string | null;
  /** Why it is equivalent. */
  reason: string | null;
  seconds: number;
}
