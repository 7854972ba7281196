/** Scaffolds fit the lists as they stand today, and refuse to write over anything. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, copyFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { firstLineFaults, pathFaults } from "../check/house-rules.ts";
import { walk } from "../check/syntax-walk.ts";
import { ROOT } from "../setup/root.mjs";
import { cardScaffold } from "./card.ts";
import { connectorScaffold } from "./connector.ts";
import { featureScaffold } from "./feature.ts";
import { functionScaffold } from "./function.ts";
import { apply, namesOf } from "./scaffold.ts";

const folder = mkdtempSync(join(tmpdir(), "accord-new-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["function", functionScaffold(namesOf("swap-words"))],
  ["connector", connectorScaffold(namesOf("acme-crm"))],
  ["card", cardScaffold(namesOf("radar"))],
  ["feature", featureScaffold("operations", namesOf("office-plants"))],
])("a new %s is whole, well named and in every list", (kind, scaffold) => {
  const root = join(folder, kind);
  for (const { file } of scaffold.lines) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(root, file));
  }
  const written = apply(scaffold, root);
  for (const file of written) {
    const text = readFileSync(join(root, file), "utf8");
    expect([...pathFaults(file), ...firstLineFaults(file, text)]).toEqual([]);
    walk(file, text, () => () => {});
  }
  for (const { file, line } of scaffold.lines) {
    const lines = readFileSync(join(root, file), "utf8").split("\n");
    expect(lines.filter((one) => one === line)).toHaveLength(1);
  }
  expect(() => apply(scaffold, root)).toThrow("exists already");
});
