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

test("every entity of every system has its row, and no other has", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/systems.md"), "utf8");
  const rows = page.split("\n").filter((line) => /^\| (?!System \|)[A-Z]/.test(line));
  expect(rows).toEqual(SYSTEMS.flatMap(rowsOf));
});
