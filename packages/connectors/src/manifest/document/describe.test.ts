/** What a manifest is made of, its references and parameters, its inputs, and texts that are refused. */
import { describe, expect, test } from "vitest";
import { ManifestConfig, splitInputs } from "../config.ts";
import { processorTimeOf } from "../fixtures/processor-time.ts";
import { manifestConnector, SUPPORTED_TYPES } from "../index.ts";
import { PAGES, REGIONS, SUBSTREAM } from "../../../test-systems/manifests.ts";
import { describeManifest } from "./describe.ts";
import { parseManifest } from "./manifest.ts";

const stream = (more = "", retriever = ""): string => `
streams:
  - type: DeclarativeStream
    name: things
    retriever:
      type: SimpleRetriever
      requester: { type: HttpRequester, url_base: "https://example.com", path: things }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
${retriever}
${more}`;

describe("describing", () => {
  test("types are counted with the streams that use them; everything of a supported manifest runs", () => {
    const { types, streams, inputs } = describeManifest(SUBSTREAM);
    expect(streams).toEqual([
      { name: "projects", problems: [] },
      { name: "project_items", problems: [] },
    ]);
    expect(types.find(({ type }) => type === "ApiKeyAuthenticator")).toEqual({
      type: "ApiKeyAuthenticator",
      count: 3,
      isSupported: true,
      streams: ["projects", "project_items"],
    });
    expect(types.every(({ isSupported }) => isSupported)).toBe(true);
    expect(inputs.map(({ name, secret = false, required }) => [name, secret, required])).toEqual([
      ["url", false, true],
      ["key", true, false],
      ["end", false, false],
    ]);
  });

  test("a component that is missing is named with its stream, custom ones among them; the others run", () => {
    const text = `${PAGES.replace(
      "\nspec:",
      `
  - type: DeclarativeStream
    name: odd
    retriever: { type: CustomRetriever, class_name: source_odd.components.OddRetriever }
  - type: DeclarativeStream
    name: slow
    retriever: { type: AsyncRetriever }
spec:`,
    )}`;
    const { streams, types } = describeManifest(text);
    expect(streams.map(({ name, problems }) => [name, problems.length])).toEqual([
      ["items", 0],
      ["nothing", 0],
      ["odd", 1],
      ["slow", 1],
    ]);
    expect(streams[2]?.problems[0]).toBe("Stream odd needs CustomRetriever, which is not supported.");
    expect(types.filter(({ isSupported }) => !isSupported).map(({ type }) => type)).toEqual([
      "AsyncRetriever",
      "CustomRetriever",
    ]);
  });

  test.each([
    [
      "an option that is not supported",
      stream("    file_uploader: { type: FileUploader }"),
      "Stream things: the option file_uploader of DeclarativeStream is not supported.",
    ],
    [
      "a setting that can't be used",
      stream(
        "",
        "      paginator: { type: DefaultPaginator, pagination_strategy: { type: PageIncrement, page_size: many } }",
      ),
      "Stream things: page_size must be a whole number, not many.",
    ],
    [
      "a function that is not known",
      stream(
        "",
        "      partition_router: { type: ListPartitionRouter, cursor_field: \"{{ shell('x') }}\", values: [a] }",
      ),
      "Stream things: the template {{ shell('x') }} can't be used: The function shell is not known.",
    ],
    [
      "a value that is missing",
      stream("    incremental_sync: { type: DatetimeBasedCursor, cursor_field: at }"),
      /^Stream things: DatetimeBasedCursor\.datetime_format/,
    ],
    [
      "a body on a GET",
      stream().replace("path: things", "path: things, request_body_json: { a: 1 }"),
      "Stream things: HttpRequester with a body needs another http_method than GET.",
    ],
  ])("%s is refused with a sentence that names stream and component", (_, text, sentence) => {
    const [problem = ""] = describeManifest(text).streams[0]?.problems ?? [];
    expect(problem).toMatch(sentence);
  });

  test("streams that are made at run time are named as missing", () => {
    const { types } = describeManifest(`${stream()}\ndynamic_streams: [{ type: DynamicDeclarativeStream }]`);
    expect(types).toContainEqual({ type: "DynamicDeclarativeStream", count: 1, isSupported: false, streams: [] });
  });
});

describe("references and parameters", () => {
  const text = `
definitions:
  name: things
  requester: { type: HttpRequester, url_base: "https://a.example", path: "{{ parameters.path }}", http_method: POST }
  chained: { $ref: "#/definitions/requester", url_base: "https://b.example" }
  base:
    retriever:
      requester: { $ref: "#/definitions/chained", http_method: PUT }
      record_selector: { extractor: { field_path: [] } }
streams:
  - $ref: "#/definitions/base"
    $parameters: { name: "#/definitions/name", path: /inner, primary_key: id }
`;
  test("what stands beside a reference goes before what it leads to, along a chain of them", () => {
    const [entry] = parseManifest(text).streams;
    expect(entry?.name).toBe("things");
    expect(entry?.component).toMatchObject({
      type: "DeclarativeStream",
      primary_key: "id",
      retriever: {
        type: "SimpleRetriever",
        requester: {
          type: "HttpRequester",
          url_base: "https://b.example",
          http_method: "PUT",
          $parameters: { path: "/inner" },
        },
        record_selector: { type: "RecordSelector", extractor: { type: "DpathExtractor" } },
      },
    });
  });
  test("parameters fill options that are blank, and those handed down go before a component's own", () => {
    const inner = text.replace(
      "http_method: PUT }",
      "http_method: PUT, $parameters: { path: /own, use_cache: true } }",
    );
    const [entry] = parseManifest(inner).streams;
    expect(entry?.component).toMatchObject({
      retriever: { requester: { use_cache: true, $parameters: { path: "/inner" } } },
    });
  });
  test.each([
    [
      "in a circle",
      `definitions: { a: { $ref: "#/definitions/b" }, b: { $ref: "#/definitions/a" } }\nstreams: ["#/definitions/a"]`,
      /lead in a circle: #\/definitions\/a → #\/definitions\/b → #\/definitions\/a/,
    ],
    ["to nothing", `streams: ["#/definitions/none"]`, /has nothing at #\/definitions\/none/],
    [
      "that multiply",
      `definitions:\n${Array.from({ length: 30 }, (_, n) => `  d${n}: { a: "#/definitions/d${n + 1}", b: { $ref: "#/definitions/d${n + 1}" }, name: n }`).join("\n")}\n  d30: {}\nstreams: ["#/definitions/d0"]`,
      /./,
    ],
  ])("references %s are refused or stay within bounds", (_, broken, message) => {
    const reading = (): void => {
      parseManifest(broken);
      throw new Error("read within bounds");
    };
    expect(processorTimeOf(() => expect(reading).toThrow(message))).toBeLessThan(5_000);
  });
});

describe("texts", () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghi"
    .split("")
    .map((name, at) => `${name}: &${name} [${`*${"abcdefgh"[at]},`.repeat(9)}]`)
    .join("\n")}\nstreams: []`;
  test.each([
    ["too long", "a".repeat(2_000_001), /more than 2000000 characters/],
    ["no YAML", "streams: [", /not valid YAML/],
    ["no object", "- a", /must be an object/],
    ["without streams", "version: 1", /has no streams/],
    ["of aliases that multiply", bomb, /not valid YAML|holds more than/],
    ["nested too deeply", `streams: ${"[".repeat(400)}${"]".repeat(400)}`, /levels|not valid YAML/],
    ["with two streams of one name", `${stream()}  - { name: things }`, /two streams named things/],
    ["with a tag for code", "streams: !!js/function 'x'", /has no streams|not valid YAML/],
  ])("%s are refused", (_, text, message) => {
    expect(() => describeManifest(text)).toThrow(message);
  });
  test("names of the language behind are names like others", () => {
    const [entry] = parseManifest(stream("    $parameters: { __proto__: { polluted: 1 }, constructor: x }")).streams;
    expect(entry?.name).toBe("things");
    expect(({} as { polluted?: number }).polluted).toBe(undefined);
  });
});

test("words are read as the loader of manifests reads them: yes and on are true, a single letter is a name, days are texts", () => {
  const [entry] = parseManifest(`${stream("    y: [yes, on, No, y, n, 2024-01-05, 0x1F, 1_000]")}`).streams;
  expect(entry?.component["y"]).toEqual([true, true, false, "y", "n", "2024-01-05", 31, 1000]);
});

describe("inputs", () => {
  test("a choice is named by a list of its own, and its inputs depend on it; one of all choices shows under each", () => {
    const { inputs } = describeManifest(REGIONS);
    expect(inputs.map(({ name, datatype }) => [name, datatype])).toEqual([
      ["url", "string"],
      ["regions", "string"],
      ["credentials.kind", "picklist"],
      ["credentials.token", "password"],
    ]);
    // Nobody has to sign in: the choice is not made by itself.
    expect(inputs[2]).toMatchObject({
      allowClear: true,
      required: false,
      values: [
        { id: "bearer", label: "bearer" },
        { id: "key", label: "key" },
      ],
    });
    expect(inputs[3]?.visibilityDependsOnFieldValue).toEqual({ field: "credentials.kind", pattern: "^bearer$|^key$" });
  });

  test("titles name choices, and what a choice needs is needed under it alone", () => {
    const { inputs } = describeManifest(`${stream()}
spec:
  connection_specification:
    required: [credentials]
    properties:
      credentials:
        title: Sign-in
        oneOf:
          - { title: Key, required: [key], properties: { auth: { const: api.key }, key: { type: string, airbyte_secret: true } } }
          - { title: App, required: [id], properties: { auth: { enum: [app] }, id: { type: string }, site: { type: string } } }`);
    expect(inputs).toEqual([
      {
        ...{ name: "credentials.auth", path: ["credentials", "auth"], label: "Sign-in", datatype: "picklist" },
        ...{ required: true, defaultValue: "api.key" },
        values: [
          { id: "api.key", label: "Key" },
          { id: "app", label: "App" },
        ],
      },
      expect.objectContaining({
        ...{ name: "credentials.key", required: true, secret: true },
        visibilityDependsOnFieldValue: { field: "credentials.auth", pattern: String.raw`^api\.key$` },
      }),
      expect.objectContaining({ name: "credentials.id", required: true }),
      expect.objectContaining({
        ...{ name: "credentials.site", required: false },
        visibilityDependsOnFieldValue: { field: "credentials.auth", pattern: "^app$" },
      }),
    ]);
  });

  test("lists of texts are entered row by row or chosen; other lists and objects are JSON", () => {
    const { inputs } = describeManifest(`${stream()}
spec:
  connection_specification:
    properties:
      names: { type: array, items: { type: string } }
      days: { type: array, items: { type: string, enum: [mon, tue] }, default: [mon] }
      sizes: { type: array, items: { type: integer } }
      keys: { type: object, airbyte_secret: true }`);
    expect(inputs.map(({ label: _, path: __, required: ___, ...input }) => input)).toEqual([
      { name: "names", datatype: "string", repeatable: true },
      {
        ...{ name: "days", datatype: "multiselect", defaultValue: ["mon"] },
        values: [
          { id: "mon", label: "mon" },
          { id: "tue", label: "tue" },
        ],
      },
      { name: "sizes", datatype: "object" },
      { name: "keys", datatype: "password", secret: true, renderType: "json" },
    ]);
  });

  test("inputs come in their order; hidden ones have their value; keys of several lines and numbers are said to be so", () => {
    const { inputs } = describeManifest(`${stream()}
spec:
  connection_specification:
    required: [site, mode]
    properties:
      later: { type: string }
      key: { type: string, airbyte_secret: true, multiline: true, order: 2 }
      query: { type: string, multiline: true, order: 3 }
      size: { type: integer, enum: [10, 100], default: 10, order: 1 }
      site: { type: string, order: 0 }
      mode: { type: string, const: all, airbyte_hidden: true, order: 4 }`);
    expect(inputs.map(({ name }) => name)).toEqual(["site", "size", "key", "query", "mode", "later"]);
    const [, size, key, query, mode] = inputs;
    expect(size).toMatchObject({ datatype: "picklist", isNumber: true, defaultValue: 10 });
    expect(key).toMatchObject({ datatype: "password", renderType: "multiline" });
    expect(query).toMatchObject({ datatype: "textarea" });
    expect(mode).toMatchObject({ implicit: true, defaultValue: "all" });
  });

  test("choices that nothing names are shown side by side, and none of them is needed", () => {
    const { inputs } = describeManifest(`${stream()}
spec:
  connection_specification:
    required: [one]
    oneOf:
      - { required: [a], properties: { a: { type: string } } }
      - { required: [b], properties: { b: { type: integer } } }`);
    expect(inputs.map(({ name, required, visibilityDependsOnFieldValue: shown }) => [name, required, shown])).toEqual([
      ["a", false, undefined],
      ["b", false, undefined],
    ]);
  });

  test("secret inputs are split from plain ones, and refused among those", () => {
    const all = JSON.stringify({ url: "https://example.com", credentials: { kind: "key", token: "s" } });
    expect(splitInputs(REGIONS, all)).toEqual({
      inputs: JSON.stringify({ url: "https://example.com", credentials: { kind: "key" } }),
      secrets: JSON.stringify({ credentials: { token: "s" } }),
    });
    expect(manifestConnector.problems({ manifest: REGIONS, inputs: all })).toEqual([
      { path: "inputs", message: expect.stringContaining("credentials.token is secret") },
    ]);
  });
  test("a host that can't be worked out from the plain inputs is refused; all others are known", () => {
    expect(manifestConnector.problems({ manifest: PAGES, inputs: "" })[0]).toMatchObject({
      path: "inputs",
      message: expect.stringMatching(/Stream items: the address of its requests/),
    });
    const config = { manifest: PAGES, inputs: "url: https://api.example.com/v2" };
    expect(manifestConnector.problems(config)).toEqual([]);
    expect(manifestConnector.hosts(config)).toEqual(["api.example.com:443"]);
    expect(manifestConnector.destinations(config)).toEqual(["https://api.example.com"]);
    expect(ManifestConfig.parse({ manifest: PAGES, inputs: "{url: 'https://x.example'}" }).inputs).toBe(
      "{url: 'https://x.example'}",
    );
  });
  test("there are more than the 42 types that most public manifests are made of", () => {
    expect(SUPPORTED_TYPES.length).toBeGreaterThan(42);
  });
});
