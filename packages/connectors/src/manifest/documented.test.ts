/** docs/manifests.md says what is so: its types are those that are supported, each with a test that uses it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SUPPORTED_TYPES } from "./index.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/manifests.md"), "utf8");
const rows = [...page.matchAll(/^\| (\w+) \| (.+) \| `([\w./-]+)`: (.+) \|$/gm)].map(
  ([, type = "", kept = "", file = "", title = ""]) => ({ type, kept, file, title }),
);
const textOf = (path: string): string => readFileSync(path, "utf8");
/** Manifests that tests share. */
const SHARED = ["manifests.ts", "manifest-world.ts"].map((name) => ({
  name,
  text: textOf(join(import.meta.dirname, "../../test-systems", name)),
}));

test("every type that is supported has a row, and no other has", () => {
  expect(rows.map(({ type }) => type).sort((one, other) => (one < other ? -1 : 1))).toEqual(SUPPORTED_TYPES);
});

test.each(rows)("$type: the test that shows it is there and uses it", ({ type, file, title }) => {
  const path = join(import.meta.dirname, file);
  expect(existsSync(path), path).toBe(true);
  const code = textOf(path);
  expect(code, title).toContain(title);
  const used = [code, ...SHARED.filter((one) => code.includes(`/${one.name}`)).map((one) => one.text)].join("\n");
  // The long names of what is written shortly are other names of the same thing.
  const name = type.startsWith("SessionTokenRequest")
    ? type.replace(/^SessionTokenRequest(\w+)Authenticator$/, "$1")
    : type;
  expect(used, `${name} in ${file}`).toMatch(new RegExp(`(type: |")${name}\\b`));
});

/** What most public manifests are made of: all of these, and they run. */
const MOST_USED =
  `DeclarativeSource CheckStream Spec DeclarativeStream SimpleRetriever RecordSelector HttpRequester DpathExtractor
InlineSchemaLoader RequestOption DefaultPaginator DatetimeBasedCursor MinMaxDatetime SubstreamPartitionRouter ParentStreamConfig
CursorPagination PageIncrement OffsetIncrement RequestPath NoPagination NoAuth BearerAuthenticator ApiKeyAuthenticator
BasicHttpAuthenticator OAuthAuthenticator DefaultErrorHandler HttpResponseFilter CompositeErrorHandler AddFields
AddedFieldDefinition RemoveFields RecordFilter JsonDecoder ExponentialBackoffStrategy ConstantBackoffStrategy WaitTimeFromHeader
ListPartitionRouter SelectiveAuthenticator SessionTokenAuthenticator ApiKey Bearer WaitUntilTimeFromHeader`.split(
    /\s+/,
  );

test("the 42 types of most public manifests are among them", () => {
  expect(MOST_USED).toHaveLength(42);
  expect(SUPPORTED_TYPES).toEqual(expect.arrayContaining(MOST_USED));
});
