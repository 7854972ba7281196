/** What the server and a sandbox process say to each other. */
import { z } from "zod";

/** Names that the server calls in a program. */
export const ENTRIES = ["run", "chooseWinner", "mergeValues"] as const;
export type Entry = (typeof ENTRIES)[number];

const Slice = z.object({
  kind: z.literal("run"),
  program: z.string(),
  entry: z.enum(ENTRIES),
  /** What `Date` gives, in UTC milliseconds. */
  now: z.number(),
  timeoutMs: z.number(),
  /** JSON of the arguments of each run. */
  inputs: z.array(z.string()),
});
const Check = z.object({
  kind: z.literal("check"),
  program: z.string(),
  entry: z.enum(ENTRIES),
  timeoutMs: z.number(),
});

export const ToProcess = z.discriminatedUnion("kind", [Slice, Check]);
export type ToProcess = z.infer<typeof ToProcess>;
export type SliceOfRuns = z.infer<typeof Slice>;

/** `output`: JSON of what the program gave. */
export const CodeResult = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), output: z.string() }),
  z.object({
    ok: z.literal(false),
    code: z.enum([
      "code_failed",
      "code_syntax",
      "code_without_function",
      "code_timed_out",
      "code_out_of_memory",
      "code_result_unusable",
      "code_input_too_large",
      "code_not_run",
    ]),
    message: z.string(),
  }),
]);
export type CodeResult = z.infer<typeof CodeResult>;
export type CodeFailure = Extract<CodeResult, { ok: false }>;

/** Characters of what it gave. */
export const outputOf = (result: CodeResult): number => (result.ok ? result.output.length : 0);

export const FromProcess = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("result"), result: CodeResult }),
  /** The slice is over, also where runs of it were not begun. */
  z.object({ kind: z.literal("done") }),
]);
export type FromProcess = z.infer<typeof FromProcess>;
