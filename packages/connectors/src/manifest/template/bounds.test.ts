/** What templates, patterns and date formats of a hostile manifest may cost: each ends in time, whatever it does. */
import { describe, expect, test } from "vitest";
import { processorTimeOf } from "../fixtures/processor-time.ts";
import { isUsedUp, withinAllowance } from "./budget.ts";
import { assertFormat, parseMoment } from "./moment-format.ts";
import { compilePattern, searchPattern } from "./patterns.ts";
import { TemplateError } from "./errors.ts";
import { compileTemplate } from "./template.ts";

const RECORDS = Array.from({ length: 3_000 }, (_, id) => ({ id, kind: id % 7 }));
const world = { facts: { config: {}, response: { records: RECORDS } }, now: () => new Date(0) };
const valueOf = (source: string) => compileTemplate(source).value(world);
const refusalTimeOf = (work: () => unknown): number => processorTimeOf(() => expect(work).toThrow(TemplateError));
const doubled = (line: string, then: string): string => `{% set a=[1] %}${line.repeat(60)}${then}`;

describe("a template whose values grow without an end is stopped", () => {
  test.each([
    ["lists in lists, compared", doubled("{% set a=[a,a] %}", "{{ a == a }}")],
    ["lists in lists, put in order", doubled("{% set a=[a,a] %}", "{{ a < a }}")],
    ["lists in lists, written out", doubled("{% set a=[a,a] %}", "{{ a }}")],
    ["lists in lists, as JSON", doubled("{% set a=[a,a] %}", "{{ a | tojson }}")],
    ["dictionaries in dictionaries", doubled("{% set a={'x': a, 'y': a} %}", "{{ a | tojson }}")],
    ["a list that doubles", doubled("{% set a=a+a %}", "{{ a | length }}")],
    ["a slice by a part of a step", "{{ [1,2][::0.00000000001] }}"],
    [
      "lists that are compared each with each",
      "{{ response.records | map(attribute='x') | list | map('tojson') | list }}{% for a in range(900) %}{{ response.records | unique | length }}{% endfor %}",
    ],
    ["filters one after another", `{{ range(10000)${" | reverse".repeat(40)} | length }}`],
    ["a text in place of nothing", "{{ ('a' * 1000).replace('', 'x' * 2000) }}"],
    ["a format that repeats a text", "{{ ('{0}' * 300000).format('x' * 1000) }}"],
    ["a text between many", "{{ range(9000) | join('x' * 1000) }}"],
    ["the members of a filter's name", "{{ [1] | map('constructor') | list }}"],
    ["a text that is no text", "{{ '\\ud800' | urlencode }}"],
  ])("%s", (_, source) => {
    expect(refusalTimeOf(() => valueOf(source))).toBeLessThan(3_000);
  });
  test("as many marks as characters are taken off in one pass", () => {
    const stripping = (): void => expect(valueOf("{{ ('a' * 900000).strip('b' * 90000 ~ 'a') }}")).toBe(null);
    expect(processorTimeOf(stripping)).toBeLessThan(3_000);
  });
  test("what manifests do with a page of records costs little", () => {
    expect(valueOf("{{ response.records | map(attribute='kind') | unique | list }}")).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(valueOf("{{ response.records | selectattr('id', 'equalto', 2) | list | length }}")).toBe(1);
    expect(valueOf("{{ response.records[-1].id }}")).toBe(2_999);
  });
});

test("the templates of a manifest share an allowance while it is looked at", () => {
  const work = (): unknown => valueOf("{{ range(5000) | list | length }}");
  expect(withinAllowance({ steps: 100_000, ms: 10_000 }, work)).toBe(5_000);
  expect(() =>
    withinAllowance({ steps: 100_000, ms: 10_000 }, () => {
      for (let times = 0; times < 100; times += 1) work();
    }),
  ).toThrow(/take too long together/);
  withinAllowance({ steps: 10, ms: 10_000 }, () => {
    expect(isUsedUp()).toBe(false);
    expect(work).toThrow(TemplateError);
    expect(isUsedUp()).toBe(true);
  });
  expect(isUsedUp()).toBe(false);
});

describe("patterns that can be matched in very many ways are interrupted", () => {
  test.each([
    ["optional ones", `${"a?".repeat(28)}${"a".repeat(28)}b`, "a".repeat(28)],
    ["repetitions without an end", "a*a*a*a*b", "a".repeat(2_000)],
    ["a harmless one on a hostile header", ".*a.*b.*c=(\\d+)", "ab".repeat(1_000)],
  ])("%s", (_, source, text) => {
    expect(
      refusalTimeOf(() => {
        for (;;) searchPattern(compilePattern(source), text + text);
      }),
    ).toBeLessThan(3_000);
  });
  test("a pattern that finds something in time gives its first group, else all it found, else nothing", () => {
    expect(searchPattern(compilePattern("page=(\\d+)"), "x?page=27&y")).toBe("27");
    expect(searchPattern(compilePattern("\\d+"), "order 66")).toBe("66");
    expect(searchPattern(compilePattern("(b)?a"), "a")).toBe("a");
    expect(searchPattern(compilePattern("\\d+"), "none")).toBe(null);
  });
});

describe("date formats", () => {
  test("a code that stands in it twice is refused: which digits are whose takes for ever to find out", () => {
    expect(refusalTimeOf(() => parseMoment("1".repeat(90), "%f%f%f%f%f%f%f%f%fx"))).toBeLessThan(1_000);
    expect(() => assertFormat("%Y-%m-%dT%H:%m")).toThrow(/%m twice/);
  });
  test("codes that are not known are refused, those of epochs and zones are taken", () => {
    expect(() => assertFormat("%Y %e")).toThrow(/%e/);
    for (const format of ["%s", "%ms", "%epoch_microseconds", "%Y-%m-%dT%H:%M:%S.%f%z", "%F %T", "toString"])
      expect(() => assertFormat(format)).not.toThrow();
  });
  test("a text that is longer than any date is none", () => {
    expect(parseMoment("1".repeat(5_000), "%Y%m%d%H%M%S%f%jx")).toBe(null);
    expect(parseMoment(`${"9".repeat(5_000)}`, "%s")).toBe(null);
  });
});
