/** The order of test files: longest first, so that all workers end together. */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { z } from "zod";
import { ROOT } from "./root.mjs";

/** Coarse seconds of the files that last long, by path; written by hand after what `npm test` prints. */
const SECONDS = join(ROOT, "scripts/setup/test-seconds.json");
/** Of a file that is not listed. */
const SHORT = 2;

export const readSeconds = (): Record<string, number> =>
  z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(SECONDS, "utf8")));

/** Longest first, which leaves short ones to fill the end. */
export const inOrder = <File extends { seconds: number }>(files: readonly File[]): File[] =>
  files.toSorted((left, right) => right.seconds - left.seconds);

/** For vitest, which gives each worker the next file of the order. */
export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = readSeconds();
    const timed = specifications.map((specification) => ({
      specification,
      seconds: seconds[relative(ROOT, specification.moduleId)] ?? SHORT,
    }));
    return inOrder(timed).map(({ specification }) => specification);
  }
}

/** Files that are listed and not there any more. */
export const goneFiles = (): string[] => Object.keys(readSeconds()).filter((file) => !existsSync(join(ROOT, file)));
