/** Waiting for something no longer than a time limit, where going on without it is an answer. */

/** What the work comes to, or "late" after `limitMs` milliseconds. Rejects with what the work rejects with in that time. */
export async function orLate<Result>(work: Promise<Result>, limitMs: number): Promise<Result | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
