/** What a program in the sandbox may use up. Each bound by count has one by bytes and one by time beside it. */

export const CODE_LIMITS = {
  /** Longest program, in characters. */
  program: 50_000,
  /** Longest input of one run and longest result, in characters of JSON. */
  input: 2_000_000,
  output: 1_000_000,
  /** Deepest nesting of a result. */
  depth: 64,
  /** Memory of the programs' heap, and of everything in WebAssembly, in bytes. */
  heap: 64 * 1024 * 1024,
  memory: 96 * 1024 * 1024,
  /** Stack of a program in bytes: some 1,400 calls within one another. */
  stack: 256 * 1024,
  /** Longest message of a failure, in characters. */
  message: 500,
  /** Runs that ran out of time before the rest of the same request is not begun. */
  timeouts: 3,
  /** How long the runs of one request may take together, in milliseconds. */
  requestMs: 300_000,
  /** Most characters that the results of one request may have together, before the rest of it is not begun. */
  requestOutput: 50_000_000,
  /** A request gives its place to the next one after so many milliseconds, between two runs. */
  sliceMs: 250,
  /** Most runs, and most characters of their inputs, that are handed to a process at once. */
  sliceRuns: 200,
  sliceInput: 4_000_000,
  /** A slice is over once its results have so many characters. */
  sliceOutput: 4_000_000,
  /** How long the beginning of a program may take while it is checked. */
  checkMs: 1_000,
} as const;
