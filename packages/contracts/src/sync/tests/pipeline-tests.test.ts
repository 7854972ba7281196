/** Which statuses of a test run are final. */
import { expect, test } from "vitest";
import { isFinished, isProcessing, TEST_RUN_STATUSES } from "./pipeline-tests.ts";

test("[SYN-114] each named status of a test run is either finished or processing; an aborted run is finished", () => {
  expect(TEST_RUN_STATUSES.filter(isFinished)).toEqual(["completed", "failed", "success", "error", "aborted"]);
  expect(TEST_RUN_STATUSES.filter(isProcessing)).toEqual(["queued", "pending", "running", "NEW", "PROCESSING"]);
});
