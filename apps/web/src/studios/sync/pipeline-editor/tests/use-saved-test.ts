/** Saves a test of a pipeline, a new one or a changed one, and says what the server finds wrong with it. */
import type { Id } from "@accord/contracts";
import type { TestBody } from "@accord/contracts/sync/tests/pipeline-tests";
import { useState } from "react";
import { ApiError } from "../../../../app/api-error.ts";
import { refresh } from "../../../../app/queries.ts";
import { OF_TESTS } from "../queries.ts";
import { useTestCalls } from "./test-calls.ts";

interface Ends {
  onDone: (testId: Id<"pipelineTest">) => void;
  onRefused: (refusal: unknown) => void;
}

/** A test as the person who changes it knows it. */
interface KnownTest {
  id: Id<"pipelineTest">;
  revision: number;
}

/** `test`: the one that is changed; absent for a new one. */
export function useSavedTest(entityId: Id<"entity">, test: KnownTest | undefined, { onDone, onRefused }: Ends) {
  const calls = useTestCalls(entityId);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const problems = error instanceof ApiError ? error.fieldProblems : [];

  async function save(body: TestBody): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      const saved = test ? await calls.update(test.id, { ...body, revision: test.revision }) : await calls.create(body);
      await refresh(...OF_TESTS);
      onDone(saved.id);
    } catch (refusal) {
      setError(refusal);
      if (refusal instanceof ApiError && refusal.code === "stale_version") await refresh(...OF_TESTS);
      onRefused(refusal);
    } finally {
      setBusy(false);
    }
  }

  return {
    busy,
    error,
    save,
    /** What is wrong at a path of the test, or within it. */
    problemOf: (path: string): string | undefined =>
      problems.find((problem) => problem.path === path || problem.path.startsWith(`${path}.`))?.message,
  };
}
