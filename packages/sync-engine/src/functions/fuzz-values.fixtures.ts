/** Values and settings as nobody would send them, for tests that nothing that comes in breaks what runs. */
import type { CompleteInput } from "@accord/contracts/config/inputs";
import type { Value } from "@accord/contracts/data/values";
import fc from "fast-check";

const hostile = fc.constantFrom<Value>(
  null,
  "",
  " ",
  "-0",
  -0,
  1.5,
  1e308,
  5e-324,
  "1e-390",
  "1e400",
  "NaN",
  "9".repeat(400),
  2 ** 53,
  true,
  [],
  [null],
  ["a", [1, [2]], null],
  {},
  { a: [1] },
  JSON.parse('{"__proto__":{"x":1}}'),
  "İstanbul ßΣ",
  "e\u0301",
  "👩‍👩‍👧",
  "a;b; ;c",
  "x".repeat(20_000),
  "<".repeat(5_000),
  "@".repeat(5_000),
  "9999-12-31",
  "0001-01-01T00:00:00.000Z",
  "2024-03-31 02:30",
  1709164800000,
  "[".repeat(2_000),
  '{"a":[1],"b":"\\u0000"}',
  "%00",
  "AA==",
  "$1",
  "\\",
  "(((",
  ".".repeat(300),
  "(a{30}){30}",
  "#".repeat(3_000) + "a#",
  "toString",
  "__proto__",
  "Europe/Berlin",
  "+05:30",
  "{{previous.values.Name}}",
  "{{source.country}}{{source.country}}",
  "{{previousValue}}",
);
export const anything = fc.oneof(
  { weight: 3, arbitrary: hostile },
  fc.string(),
  fc.json().map((text): Value => JSON.parse(text)),
);

/** Settings of one of its examples, some of them replaced by anything, or by one of the choices. */
export function settingsOf({
  inputs,
  examples,
}: {
  inputs: readonly CompleteInput[];
  examples: readonly { config: Record<string, unknown> }[];
}): fc.Arbitrary<Record<string, unknown>> {
  const replaced = inputs.map(({ name, values }) => {
    const choices = values ? [fc.constantFrom(...values.map(({ id }) => id))] : [];
    return [name, fc.option(fc.oneof(...choices, fc.integer(), fc.boolean(), anything), { nil: undefined })] as const;
  });
  return fc
    .tuple(fc.constantFrom({}, ...examples.map(({ config }) => config)), fc.record(Object.fromEntries(replaced)))
    .map(([base, changes]) => ({
      ...base,
      ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
    }));
}
