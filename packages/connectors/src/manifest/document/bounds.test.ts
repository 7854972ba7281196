/** Manifests made to stop the server that looks at them, and inputs whose secrets stand where they are not expected. */
import { describe, expect, test } from "vitest";
import { splitInputs } from "../config.ts";
import { processorTimeOf } from "../fixtures/processor-time.ts";
import { manifestConnector } from "../index.ts";
import { describeManifest } from "./describe.ts";
import { parseManifest } from "./manifest.ts";

const chain = (levels: number, of: (inner: string) => string): string =>
  Array.from({ length: levels }, (_, n) => `  d${n + 1}: ${of(`"#/definitions/d${n}"`)}`).join("\n");
const STREAM = (requester: string): string => `
streams:
  - name: things
    retriever:
      requester: { url_base: "https://example.com", ${requester} }
      record_selector: { extractor: { field_path: [] } }
`;
/** Why a manifest, or its first stream, is refused; empty where it is not. */
function problemIn(text: string): string {
  const [problem] = manifestConnector.problems({ manifest: text, inputs: "" });
  return problem?.message ?? describeManifest(text).streams[0]?.problems[0] ?? "";
}

describe("references that lead to the same part many times", () => {
  test.each([
    [
      "error handlers",
      (inner: string) => `{ type: CompositeErrorHandler, error_handlers: [${inner}, ${inner}] }`,
      STREAM('error_handler: "#/definitions/d40"'),
    ],
    [
      "parameters",
      (inner: string) => `{ a: ${inner}, b: ${inner} }`,
      STREAM('request_parameters: "#/definitions/d40"'),
    ],
    [
      "inputs",
      (inner: string) => `{ type: object, properties: { a: ${inner}, b: ${inner} } }`,
      `${STREAM("path: x")}\nspec: { connection_specification: "#/definitions/d40" }`,
    ],
  ])("as %s are counted as often, and refused", (_, of, rest) => {
    const text = `definitions:\n  d0: { type: DefaultErrorHandler }\n${chain(40, of)}\n${rest}`;
    expect(processorTimeOf(() => expect(() => parseManifest(text)).toThrow(/make too many values/))).toBeLessThan(
      5_000,
    );
    expect(manifestConnector.problems({ manifest: text, inputs: "" })).toEqual([
      { path: "manifest", message: expect.stringContaining("too many values") },
    ]);
  });
  test.each([
    [
      "error handlers",
      (inner: string) => `{ type: CompositeErrorHandler, error_handlers: [${inner}, ${inner}] }`,
      STREAM('error_handler: "#/definitions/d18"'),
      /more than 200000 components/,
    ],
    [
      "parameters",
      (inner: string) => `{ a: ${inner}, b: ${inner} }`,
      STREAM('request_parameters: "#/definitions/d18"'),
      /Stream things: an option holds more than 20000 values/,
    ],
  ])("as %s are refused where there are too many to be built", (_, of, rest, message) => {
    const text = `definitions:\n  d0: { type: DefaultErrorHandler }\n${chain(18, of)}\n${rest}`;
    expect(processorTimeOf(() => expect(problemIn(text)).toMatch(message))).toBeLessThan(10_000);
  });
  test("inputs beyond measure are refused", () => {
    const inputs = Array.from({ length: 5_001 }, (_, n) => `i${n}: {}`).join(", ");
    expect(
      problemIn(`${STREAM("path: x")}\nspec: { connection_specification: { properties: { ${inputs} } } }`),
    ).toMatch(/more than 5000 inputs/);
  });
  test("that are chained very deep are refused", () => {
    const deep = `definitions:\n  d0: {}\n${chain(3_000, (inner) => `{ a: ${inner} }`)}\nstreams: ["#/definitions/d3000"]`;
    expect(() => parseManifest(deep)).toThrow(/chain of more than 100 references/);
  });
  test("parameters that are handed down to very many components are refused", () => {
    const parameters = Array.from({ length: 2_000 }, (_, n) => `p${n}: 1`).join(", ");
    const filters = "{ http_codes: [400], action: FAIL },".repeat(2_000);
    const text = STREAM(`$parameters: { ${parameters} }, error_handler: { response_filters: [${filters}] }`);
    expect(processorTimeOf(() => expect(() => parseManifest(text)).toThrow(/hands down too many/))).toBeLessThan(
      10_000,
    );
  });
});

test("a manifest of very many costly templates is looked at in time: its streams are named as what takes too long", () => {
  const costly = "{% set a='a' * 900000 %}{{ a | upper | lower | upper | length }}";
  const path = (n: number): string => `  - name: s${n}
    retriever:
      requester: { url_base: "https://x{% if ${n} %}{% endif %}${costly}.example.com", path: x }
      record_selector: { extractor: { field_path: [] } }`;
  const text = `streams:\n${Array.from({ length: 2_000 }, (_, n) => path(n)).join("\n")}`;
  expect(processorTimeOf(() => manifestConnector.problems({ manifest: text, inputs: "" }))).toBeLessThan(30_000);
  expect(describeManifest(text).streams.at(-1)?.problems[0]).toMatch(/Stream s1999: .*take too long together/);
});

describe("secret inputs", () => {
  const manifest = (properties: string): string =>
    `${STREAM("path: x")}\nspec: { connection_specification: { type: object, properties: { ${properties} } } }`;
  const plainOf = (properties: string, inputs: string): unknown =>
    JSON.parse(splitInputs(manifest(properties), inputs).inputs);
  const KEY = "{ type: string, airbyte_secret: true }";
  test.each([
    ["a text that is entered as an object", `account: ${KEY}`, "{ account: { private_key: s3cret }, a: 1 }"],
    [
      "a secret of several parts",
      "account: { type: object, airbyte_secret: true, properties: { id: {} } }",
      "{ account: { id: s3cret }, a: 1 }",
    ],
    [
      "secret in one of the choices",
      `login: { oneOf: [{ properties: { token: { type: string } } }, { properties: { token: ${KEY} } }] }`,
      "{ login: { token: s3cret }, a: 1 }",
    ],
    [
      "an object in one choice, a text in another",
      `login: { oneOf: [{ properties: { token: { properties: { id: {} } } } }, { properties: { token: ${KEY} } }] }`,
      "{ login: { token: { id: s3cret } }, a: 1 }",
    ],
    [
      "secrets of a list's items",
      `accounts: { type: array, items: { properties: { token: ${KEY} } } }`,
      "{ accounts: [{ token: s3cret }], a: 1 }",
    ],
    [
      "a list where names are expected",
      `login: { properties: { token: ${KEY} } }`,
      "{ login: [{ token: s3cret }], a: 1 }",
    ],
    [
      "what all of several schemas say",
      `login: { allOf: [{ properties: { token: ${KEY} } }] }`,
      "{ login: { token: s3cret }, a: 1 }",
    ],
    [
      "secrets behind very many levels",
      `l1: ${"{ properties: { l: ".repeat(9)}${KEY}${" } }".repeat(9)}`,
      `{ l1: ${"{ l: ".repeat(9)}s3cret${" }".repeat(9)}, a: 1 }`,
    ],
  ])("%s are never kept among the plain ones", (_, properties, inputs) => {
    const { inputs: plain, secrets } = splitInputs(manifest(properties), inputs);
    expect(plain).not.toContain("s3cret");
    expect(secrets).toContain("s3cret");
    expect(JSON.parse(plain)).toMatchObject({ a: 1 });
    expect(manifestConnector.problems({ manifest: manifest(properties), inputs })).toContainEqual({
      path: "inputs",
      message: expect.stringContaining("is secret"),
    });
  });
  test("choices at the root of the inputs are inputs as well", () => {
    const text = `${STREAM("path: x")}\nspec: { connection_specification: { oneOf: [{ properties: { token: ${KEY} } }] } }`;
    expect(JSON.parse(splitInputs(text, "{ token: s3cret }").inputs)).toEqual({});
    expect(describeManifest(text).inputs).toMatchObject([{ name: "token", secret: true, datatype: "password" }]);
  });
  test("plain ones beside them stay plain", () => {
    expect(
      plainOf(`login: { properties: { kind: {}, token: ${KEY} } }`, "{ login: { kind: a, token: b }, list: [1] }"),
    ).toEqual({
      login: { kind: "a" },
      list: [1],
    });
  });
});
