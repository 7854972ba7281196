/** A source's options as a form and back. */
import { expect, test } from "vitest";
import { sourceForm, sourceFormProblems, withSourceForm } from "./source-options.model.ts";

const range = (least: number, most: number) => `${least} to ${most}`;
const base = { connectorId: "c", entityDefinition: "e" };

test("a source without options is read each minute, takes deletions and looks as the load allows", () => {
  expect(sourceForm(base)).toMatchObject({
    kind: "minute",
    isSingle: false,
    acceptDeletes: true,
    findDeletesMinutes: undefined,
    mostMissingPercent: 25,
  });
});

test.each([
  [{ scheduleSeconds: 5 }, { kind: "interval", every: 5, unit: "seconds" }],
  [{ scheduleSeconds: 60 }, { kind: "minute" }],
  [{ scheduleSeconds: 7200 }, { kind: "interval", every: 120, unit: "minutes" }],
  [
    { schedule: { kind: "cron", expression: "0 6 * * 1", timeZone: "Europe/Berlin" } },
    { kind: "cron", expression: "0 6 * * 1", timeZone: "Europe/Berlin" },
  ],
])("%o is kept as %o, whatever else is set", (options, schedule) => {
  const configuration = { ...base, ...options, fieldMappings: [] };
  const saved = withSourceForm(configuration, { ...sourceForm(configuration), isSingle: true });
  expect(saved).toMatchObject({ ...base, fieldMappings: [], schedule, readMode: "single" });
  expect(saved.scheduleSeconds).toBeUndefined();
});

test("what can't be is said at its input", () => {
  const problems = (change: object) => Object.keys(sourceFormProblems({ ...sourceForm(base), ...change }, range));
  expect(problems({})).toEqual([]);
  expect(problems({ kind: "interval", every: 0 })).toEqual(["every"]);
  expect(problems({ kind: "cron", expression: "61 * * * *" })).toEqual(["expression"]);
  expect(problems({ kind: "cron", timeZone: "Mars/Base" })).toEqual(["timeZone"]);
  expect(problems({ findDeletesMinutes: -1, mostMissingPercent: 0 })).toEqual([
    "findDeletesMinutes",
    "mostMissingPercent",
  ]);
});
