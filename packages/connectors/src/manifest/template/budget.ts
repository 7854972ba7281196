/** How much templates may do: one evaluation, and all those of a manifest that is looked at. */
import { TemplateError } from "./errors.ts";

const MAX_STEPS = 100_000;
const MAX_MS = 1_000;
/** Characters that are worked on in the time of one step. */
const CHARACTERS_A_STEP = 100;

interface Limit {
  left: number;
  readonly until: number;
}

/** Evaluating waits for nothing, so that one template runs at a time: what it may still do is kept here. */
let running: Limit | null = null;
/** What the templates of a manifest may do together while it is looked at. */
let together: Limit | null = null;

/** Work on so many values: each step of a template, and each part of a value that it goes through. */
export function spend(steps = 1): void {
  for (const limit of [running, together]) {
    if (limit === null) continue;
    limit.left -= steps;
    if (limit.left < 0 || performance.now() > limit.until)
      throw new TemplateError(limit === running ? "A template takes too long" : "The templates take too long together");
  }
}

export const spendText = (length: number): void => spend(Math.ceil(length / CHARACTERS_A_STEP));

/** One evaluation of a template. */
export function withBudget<Result>(work: () => Result): Result {
  const outer = running;
  running = { left: MAX_STEPS, until: performance.now() + MAX_MS };
  try {
    return work();
  } finally {
    running = outer;
  }
}

/** Whether what was allowed together is used up: no further evaluation will do. */
export const isUsedUp = (): boolean => together !== null && (together.left < 0 || performance.now() > together.until);

/** Many evaluations, one after the other: a manifest may hold thousands of templates that each take their time. */
export function withinAllowance<Result>(allowance: { steps: number; ms: number }, work: () => Result): Result {
  const outer = together;
  together ??= { left: allowance.steps, until: performance.now() + allowance.ms };
  try {
    return work();
  } finally {
    together = outer;
  }
}
