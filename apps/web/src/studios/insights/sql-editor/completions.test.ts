/** What the SQL editor offers at the cursor. */
import type { SqlTable } from "@accord/contracts/insights/dataset-sql";
import { expect, test } from "vitest";
import { completionsAt } from "./completions.ts";

const column = (name: string) => ({ name, displayName: name, dataType: "string" as const });
const TABLES: SqlTable[] = [
  { name: "Order", displayName: "Orders", kind: "ENTITY", columns: [column("placedAt"), column("total")] },
  { name: "Contact", displayName: "Contacts", kind: "ENTITY", columns: [column("email"), column("group")] },
];
const VOCABULARY = {
  tables: TABLES,
  functions: [{ name: "sum", category: "aggregate", signature: "sum(number)", help: "The sum." }],
  variables: [{ apiName: "least", displayName: "Least", datatype: "integer" as const }],
};

/** `|` is the cursor. */
function offered(text: string, isAsked = false): string[] | null {
  const at = text.indexOf("|");
  const found = completionsAt(text.replace("|", ""), at, VOCABULARY, isAsked);
  return found && found.options.map(({ label, apply }) => apply ?? label);
}

test("after FROM it offers tables, quoted where they are words of SQL", () => {
  expect(offered("SELECT 1 FROM C|")).toEqual(expect.arrayContaining(["Contact", '"Order"', "sum("]));
});

test("after a table or its alias and a dot it offers the columns of that table alone", () => {
  expect(offered('SELECT o.| FROM "Order" o')).toEqual(["placedAt", "total"]);
  expect(offered("SELECT c.e| FROM Contact AS c")).toEqual(["email", '"group"']);
  expect(offered("SELECT Contact.| FROM Contact")).toEqual(["email", '"group"']);
  expect(offered("SELECT x.| FROM Contact")).toBeNull();
});

test("columns of the tables that are named come first", () => {
  expect(offered("SELECT e| FROM Contact")?.slice(0, 2)).toEqual(["email", '"group"']);
});

test("after two braces it offers the variables", () => {
  expect(offered("SELECT {{le|")).toEqual(["{{least}}"]);
});

test("inside texts and comments, and before anything is typed, it offers nothing", () => {
  expect(offered("SELECT 'it|")).toBeNull();
  expect(offered("SELECT 1 -- su|")).toBeNull();
  expect(offered("SELECT /* su|")).toBeNull();
  expect(offered("SELECT 'it''s' |")).toBeNull();
  expect(offered("SELECT 'it''s' |", true)).toEqual(expect.arrayContaining(["Contact"]));
});
