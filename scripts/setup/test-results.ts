/** Reads what the last test run reported. */
import { z } from "zod";

const Results = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number().optional(),
      endTime: z.number().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          title: z.string(),
          status: z.string(),
          ancestorTitles: z.array(z.string()).optional(),
          /** What the conformance kit notes of its tests. */
          meta: z.object({ connector: z.string().optional(), notApplicable: z.string().optional() }).optional(),
        }),
      ),
    }),
  ),
});
export type Results = z.infer<typeof Results>;

export const readResults = (text: string): Results => Results.parse(JSON.parse(text));

type TestFile = Results["testResults"][number];

/** It could not be loaded, or what its tests need did not come about: none of them failed, and none counts as passed. */
const failedAsWhole = ({ status, assertionResults }: TestFile): boolean =>
  status === "failed" && !assertionResults.some((test) => test.status === "failed");

/** A file that failed as a whole counts as one failure. */
export function countResults({ testResults }: Results): { passed: number; failed: number; skipped: number } {
  const statuses = testResults.flatMap((file) => [
    ...(failedAsWhole(file) ? ["failed"] : []),
    ...file.assertionResults.map((test) => test.status),
  ]);
  const passed = statuses.filter((status) => status === "passed").length;
  const failed = statuses.filter((status) => status === "failed").length;
  return { passed, failed, skipped: statuses.length - passed - failed };
}

/** `file > title` of each test that failed; of a file that failed as a whole, the file. */
export const failedTests = ({ testResults }: Results): string[] =>
  testResults.flatMap((file) =>
    failedAsWhole(file)
      ? [file.name]
      : file.assertionResults
          .filter((test) => test.status === "failed")
          .map(({ fullName }) => `${file.name} > ${fullName}`),
  );

/** Checklist id → titles of the passing tests that name it: `[SYN-080] an edge onto itself is refused`. */
export function coveredRows({ testResults }: Results, ids: readonly string[]): Map<string, string[]> {
  const rows = new Map<string, string[]>();
  const tests = testResults.flatMap((file) => file.assertionResults).filter((test) => test.status === "passed");
  for (const { fullName } of tests) {
    const named = [...fullName.matchAll(/\b(?:SYN|PLT|INS)-\d{3}\b/g)].map((match) => match[0]);
    for (const id of new Set(named)) if (ids.includes(id)) rows.set(id, [...(rows.get(id) ?? []), fullName]);
  }
  return rows;
}
