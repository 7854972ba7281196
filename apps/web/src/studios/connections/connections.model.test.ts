/** Which kinds of systems the library shows, and in which groups. */
import type { ConnectorType } from "@accord/contracts/connections/connectors";
import { expect, test } from "vitest";
import { kindsBy } from "./connections.model.ts";

const kind = (displayName: string, category: ConnectorType["category"], description = ""): ConnectorType => ({
  id: displayName,
  displayName,
  category,
  description,
  icon: "api",
  backgroundColor: "teal",
  configFields: [],
  authMethods: [],
  capabilities: [],
});
const TYPES = [
  kind("PostgreSQL", "database"),
  kind("JSON API", "api", "Any system that speaks JSON"),
  kind("Files", "files"),
  kind("Zendesk", "application", "Tickets of a support account"),
];
const shown = (text: string) =>
  kindsBy(TYPES, text).map(({ category, types }) => [category, ...types.map(({ displayName }) => displayName)]);

test("kinds are grouped, applications first", () => {
  expect(shown("")).toEqual([
    ["application", "Zendesk"],
    ["database", "PostgreSQL"],
    ["api", "JSON API"],
    ["files", "Files"],
  ]);
});

test.each([
  ["  TICKETS support ", [["application", "Zendesk"]]],
  ["json", [["api", "JSON API"]]],
  ["tickets json", []],
])("words of name and description find kinds: %j", (text, expected) => {
  expect(shown(text)).toEqual(expected);
});
