/** Counts of a cycle: sources add up, ways to several destinations that share an edge do not count its records twice. */
import { expect, test } from "vitest";
import { noCounts } from "../run.ts";
import { countFailed, countSinkPath, countSourcePath, wholeFlow } from "./flow-counts.ts";

test("records of several sources add up on an edge they share; those of ways to several destinations count once", () => {
  const counts = noCounts();
  countSourcePath(counts, { passed: { crm: 2, shared: 2 }, ended: {} });
  countSourcePath(counts, { passed: { shop: 3, shared: 3 }, ended: { filter: 1 } });
  countSinkPath(counts, "billing", { passed: { trunk: 5, toBilling: 5 }, ended: { decision: 2 } });
  countSinkPath(counts, "mail", { passed: { trunk: 2, toMail: 2 }, ended: { decision: 2 } });
  countSinkPath(counts, "mail", { passed: { trunk: 2, toMail: 2 }, ended: {} });
  countFailed(counts, [{ nodeId: "check" }, { nodeId: null }, { nodeId: "check" }], "crm");
  expect(counts.flow && wholeFlow(counts.flow)).toEqual({
    passed: { crm: 2, shop: 3, shared: 5, trunk: 5, toBilling: 5, toMail: 4 },
    ended: { filter: 1, decision: 2 },
    failed: { check: 2, crm: 1 },
  });
});

test("a cycle in which no record passed has no counts of edges at all", () => {
  const counts = noCounts();
  countSourcePath(counts, { passed: {}, ended: {} });
  countSinkPath(counts, "billing", { passed: {}, ended: {} });
  countSinkPath(counts, "billing", undefined);
  countFailed(counts, [], "crm");
  expect(counts.flow).toBeUndefined();
});
