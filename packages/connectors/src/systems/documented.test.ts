/** docs/systems.md says what each described system allows: its table is held to the descriptions. */
import type { Capability } from "@accord/connector-sdk";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SYSTEM_SETTINGS } from "../../test-systems/system-settings.ts";
import { SYSTEMS } from "./index.ts";

const rowsOf = ({ type, displayName, capabilitiesOf }: (typeof SYSTEMS)[number]): string[] => {
  const example = SYSTEM_SETTINGS[type];
  if (!example) throw new Error(`give an example of the settings of ${type} in test-systems/system-settings.ts`);
  return example.entities.map((apiName) => {
    const entity = { apiName, displayName: apiName, custom: false, readOnly: false, child: false, fields: [] };
    const has = new Set<Capability>(capabilitiesOf(example.config, entity));
    const cells = [displayName, apiName, changesOf(has), deletionsOf(has), writesOf(has), beforeWrites(has)];
    return `| ${cells.join(" | ")} |`;
  });
};

type Allowed = ReadonlySet<Capability>;
const changesOf = (has: Allowed): string => (has.has("readByWatermark") ? "asked for" : "all records are compared");
const deletionsOf = (has: Allowed): string =>
  [has.has("readDeletes") && "shown by the system", has.has("listIds") && "missing from the complete list"]
    .filter(Boolean)
    .join("; ") || "not found";
const writesOf = (has: Allowed): string =>
  (["create", "update", "delete"] as const).filter((kind) => has.has(kind)).join(", ") || "read only";
const beforeWrites = (has: Allowed): string =>
  has.has("conditionalWrite")
    ? "the system compares the version"
    : has.has("checkedWrite")
      ? "read and compared right before"
      : "–";

/** How a person signs in in the browser, as the second table says it. */
function signInRowOf({ type, displayName, authorization }: (typeof SYSTEMS)[number]): string[] {
  const settings = authorization?.(SYSTEM_SETTINGS[type]?.config ?? {}, { clientId: "id", clientSecret: "secret" });
  if (!settings) return [];
  const { authorizationUrl, tokenUrl, scope, clientAuthentication, tokenRequestFormat, pkce } = settings;
  const client = clientAuthentication === "basic" ? "a header" : "the body";
  const cells = [
    displayName,
    `\`${authorizationUrl}\``,
    `\`${tokenUrl}\``,
    scope === "" ? "none" : `\`${scope}\``,
    tokenRequestFormat === "json" ? `${client}, as JSON` : client,
    pkce ? "yes" : "no",
  ];
  return [`| ${cells.join(" | ")} |`];
}

const [entities = "", signIns = ""] = readFileSync(
  join(import.meta.dirname, "../../../../docs/systems.md"),
  "utf8",
).split("## Signing in in the browser");
const rowsIn = (part: string): string[] => part.split("\n").filter((line) => /^\| (?!System \|)[A-Z]/.test(line));

test("every entity of every system has its row, and no other has", () => {
  expect(rowsIn(entities)).toEqual(SYSTEMS.flatMap(rowsOf));
});

test("every system that can be signed in to in the browser has its row, and no other has", () => {
  expect(rowsIn(signIns)).toEqual(SYSTEMS.flatMap(signInRowOf));
});
