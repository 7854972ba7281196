/** What the conformance kit came to is counted from what the tests report, and each connector is among those asked. */
import { CONNECTORS } from "@accord/connectors";
import { expect, test } from "vitest";
import { conformanceFiles, conformanceRows, KIT_TITLE } from "./conformance.ts";
import { countResults, failedTests, type Results } from "./test-results.ts";

type Assertion = Results["testResults"][number]["assertionResults"][number];

const asked = (area: string, status: string, meta: Assertion["meta"] = {}, around: string[] = []): Assertion => ({
  ...{ fullName: `${area} ${status}`, title: status, status },
  ancestorTitles: [...around, `Shop ${KIT_TITLE}`, area],
  meta: { connector: "shop", ...meta },
});
const file = (assertionResults: Assertion[], status = "passed") => ({
  name: "shop.int.test.ts",
  status,
  assertionResults,
});

test("what passed, failed and does not apply is counted apart, system by system", () => {
  const readOnly = { notApplicable: "it is only read" };
  const rows = conformanceRows({
    testResults: [
      file([
        asked("reads", "passed", {}, ["with pages"]),
        asked("reads", "failed", {}, ["with pages"]),
        asked("writes", "passed", readOnly, ["with pages"]),
        asked("reads", "skipped", {}, ["left out"]),
        { fullName: "of its own", title: "of its own", status: "passed", ancestorTitles: [], meta: {} },
      ]),
      file([asked("reads", "passed")]),
    ],
  });
  const nothing = { passed: 0, failed: 0, notApplicable: [] };
  expect(rows).toEqual([
    { connector: "shop", system: "Shop", areas: { reads: { ...nothing, passed: 1 } } },
    {
      connector: "shop",
      system: "Shop, with pages",
      areas: {
        reads: { ...nothing, passed: 1, failed: 1 },
        writes: { ...nothing, notApplicable: ["it is only read"] },
      },
    },
  ]);
});

test("a file whose system did not start counts as failed, though its tests count as left out", () => {
  const results = { testResults: [file([asked("reads", "skipped"), asked("writes", "skipped")], "failed")] };
  expect(countResults(results)).toEqual({ passed: 0, failed: 1, skipped: 2 });
  expect(failedTests(results)).toEqual(["shop.int.test.ts"]);
});

test.each(CONNECTORS.map(({ type }) => type))("a test runs the kit for the connector %s", (type) => {
  expect(conformanceFiles().filter((path) => path.includes(`/${type}/`) || path.includes(`/${type}-`))).not.toEqual([]);
});
