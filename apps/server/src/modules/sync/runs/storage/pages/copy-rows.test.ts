/** Rows as COPY takes them: whatever a text holds, PostgreSQL reads the same text. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { CopyLines } from "./copy-rows.store.ts";

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\\": "\\" };

/** What PostgreSQL makes of a message: rows of columns. */
function read(lines: CopyLines): (string | null)[][] {
  const { message } = lines.into("t");
  if (!message) return [];
  expect(message.readUInt32BE(1)).toBe(message.length - 1);
  const rows = message.toString("utf8", 5).split("\n");
  expect(rows.pop()).toBe("");
  return rows.map((row) =>
    row
      .split("\t")
      .map((part) => (part === "\\N" ? null : part.replace(/\\(.)/g, (_, sign: string) => ESCAPES[sign] ?? "?"))),
  );
}

const ODD = [
  "",
  "plain",
  "tab\there",
  "two\nlines",
  "back\\slash",
  '"quoted"',
  "Zürich",
  "東京",
  "🦊",
  "\r",
  "\\N",
  "\u0001",
];

test("texts of any kind arrive as they are, as columns and within JSON", () => {
  const text = fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: "binary" }), fc.string());
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (rows) => {
      const lines = new CopyLines();
      for (const [plain, inJson] of rows) {
        lines.column(plain);
        lines.add("[");
        lines.json(inJson);
        lines.add("]\t");
        lines.endRow();
      }
      const found = read(lines).map(([plain, json]) => [plain, ...JSON.parse(json ?? "")]);
      expect(found).toEqual(rows);
    }),
  );
});

test("other values go as their own text or as JSON, and nothing as COPY's own", () => {
  const lines = new CopyLines();
  for (const value of [null, undefined, 5, true, { a: 'x"\ty' }, ["ü"]]) lines.column(value);
  lines.endRow();
  expect(read(lines)).toEqual([[null, null, "5", "true", '{"a":"x\\"\\ty"}', '["ü"]']]);
  expect(read(new CopyLines()), "no row is no message").toEqual([]);
});

test("half a character is escaped in JSON, as JSON does", () => {
  const lines = new CopyLines();
  lines.json("a\ud800");
  lines.add("\t");
  lines.endRow();
  expect(read(lines)).toEqual([['"a\\ud800"']]);
});

test("a page larger than the room for it is written whole", () => {
  const lines = new CopyLines();
  const long = "x".repeat(50_000);
  for (let row = 0; row < 10; row += 1) {
    lines.column(long);
    lines.column(`ä${long}`);
    lines.endRow();
  }
  expect(read(lines)).toEqual(Array.from({ length: 10 }, () => [long, `ä${long}`]));
});

/** Room for a page at first; it doubles. */
const ROOM = 64 * 1024;

test.each(["x", "東", "🦊", "\t", '"'])("texts of %j are written whole wherever the room for them ends", (sign) => {
  for (const bytes of [1, 2, 3]) {
    for (const less of [-2, 0, 3, 5, 8]) {
      const text = sign.repeat(Math.floor((ROOM - less) / bytes / sign.length));
      const [plain, inJson] = [new CopyLines(), new CopyLines()];
      plain.column(text);
      plain.endRow();
      inJson.json(text);
      inJson.add("\t");
      inJson.endRow();
      // Not toEqual: what it says of long texts takes minutes.
      expect(read(plain)[0]?.[0] === text, `as a column, ${text.length} times`).toBe(true);
      expect(JSON.parse(read(inJson)[0]?.[0] ?? "") === text, `in JSON, ${text.length} times`).toBe(true);
    }
  }
});

test("what is in COPY's form already may be as long as it likes, one after another", () => {
  const lines = new CopyLines();
  const parts = [ROOM - 7, 10, ROOM * 3, 1].map((length) => "x".repeat(length));
  for (const part of parts) lines.add(part);
  lines.add("\t");
  lines.endRow();
  expect(read(lines)[0]?.[0] === parts.join("")).toBe(true);
});

test("numbers stand in JSON as they are, and what is no number of JSON as nothing", () => {
  const lines = new CopyLines();
  for (const value of [0, -1.5, 1e21, Number.NaN, Infinity, null, undefined, false, [1]]) {
    lines.json(value);
    lines.add("\t");
  }
  lines.endRow();
  expect(read(lines)).toEqual([["0", "-1.5", "1e+21", "null", "null", "null", "null", "false", "[1]"]]);
});
