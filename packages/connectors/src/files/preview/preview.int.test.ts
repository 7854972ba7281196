/** Previews of files that take long, and of tables that can't be read beside others that can. */
import type { UploadedFile } from "@accord/connector-sdk";
import type { PartialFileSettings } from "@accord/contracts/connections/file-settings";
import { expect, test } from "vitest";
import { workbook, workbookOf } from "../../../test-systems/workbook.ts";
import { previewFile } from "./index.ts";

const fileOf = (name: string, bytes: Buffer, onRead = () => {}): UploadedFile => ({
  ...{ name, size: bytes.length, modified: 1 },
  async read(offset, length) {
    onRead();
    return bytes.subarray(offset, offset + length);
  },
});
const preview = (file: UploadedFile, now = () => 0) => previewFile(file, { chosen: {}, known: {}, earlier: null, now });

const COVER = {
  name: "Cover",
  rows: `<row r="1"><c t="str"><v>Report</v></c></row><row r="2"><c t="str"><v>x</v></c></row>`,
  after: `<mergeCells count="1"><mergeCell ref="A1:D1"/></mergeCells>`,
};
const DATA = {
  name: "Data",
  rows: `<row><c t="str"><v>id</v></c></row><row><c><v>1</v></c></row><row><c><v>1</v></c></row>`,
};

test("a cover sheet with a merged title is named, and the other sheets are shown", async () => {
  const [cover, data] = await preview(fileOf("a.xlsx", workbook({ sheets: [COVER, DATA] })));
  expect(cover).toMatchObject({ entity: "a.Cover", columns: [], rowCount: 0, isComplete: false });
  expect(cover?.unreadable).toEqual({
    count: 1,
    first: [{ place: "a.xlsx, sheet Cover", message: expect.stringContaining("A1:D1 of sheet Cover are merged") }],
  });
  expect(data).toMatchObject({ entity: "a.Data", rowCount: 2, isComplete: true });
  expect(data?.ids).toEqual([{ column: "id", doubled: 1, empty: 0 }]);
  await expect(preview(fileOf("b.xlsx", workbook({ sheets: [COVER] })))).rejects.toThrow("are merged");
});

test("reading a workbook ends within the time, also before its first row", async () => {
  const many = Array.from({ length: 60_000 }, (_, at) => [at, `Name ${(at * 7919) % 60_013}`]);
  const bytes = workbookOf({ S: [["id", "name"], ...many] });
  let time = 0;
  let reads = 0;
  const late = fileOf("late.xlsx", bytes, () => (reads += 1));
  // The clock strikes as the sheet is being unpacked.
  await expect(preview(late, () => (reads > 3 ? (time += 60_000) : 0))).rejects.toThrow("takes too long");
  const text = fileOf("late.csv", Buffer.from(`id\n${Array.from({ length: 90_000 }, (_, at) => at).join("\n")}\n`));
  const [table] = await preview(text, () => (time += 9_000));
  expect(table?.isComplete).toBe(false);
  expect(table?.rowCount).toBeLessThan(90_000);
});

const csv = (lines: readonly string[]): UploadedFile => fileOf("a.csv", Buffer.from(`${lines.join("\n")}\n`));
const asked = async (lines: readonly string[]) => {
  const [table] = await preview(csv(lines));
  return [table?.questions, table?.settings.numbers];
};
const repeated = (count: number, line: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => line(at));

test("numbers that are two are asked about in each column that would be read as numbers, whatever else is in it", async () => {
  const rows = repeated(2_500, (at) => `${at};${at % 2 ? "1.234" : "2.500"}`);
  const question = { setting: "numbers", column: "price", example: "2.500" };
  expect(await asked(["id;price", ...rows])).toEqual([[question], "plain"]);
  expect(await asked(["id;price", ...rows, "2500;n/a"])).toEqual([[question], "plain"]);
  expect(await asked(["id;price", ...rows, "2500;1.234,50", "2501;n/a"])).toEqual([[question], "plain"]);
  // Texts either way.
  expect(await asked(["id;price", "1;n/a", ...rows])).toEqual([[], "plain"]);
  // Where another column proves a style, only what speaks against it is asked about.
  const two = rows.map((row) => `${row};1.5`);
  expect(await asked(["id;price;weight", ...two, "2500;n/a;1.5"])).toEqual([[], "point"]);
  expect(await asked(["id;price;weight", ...two, "2500;2,5;1.5", "2501;n/a;1.5"])).toEqual([[question], "point"]);
});

test("where columns contradict each other, the first one that has an example is asked about", async () => {
  const question = { setting: "numbers", column: "c", example: "1.234" };
  expect(await asked(["id;a;b;c", "1;1.5;2,5;1.234"])).toEqual([[question], "plain"]);
  const [dates] = await preview(csv(["id,a,b,c", "1,31/12/2026,12/31/2026,03/04/2026"]));
  expect(dates?.questions).toEqual([{ setting: "dates", column: "c", example: "03/04/2026" }]);
});

test("where a newer version proves another order or style than was said of an earlier one, that is asked again", async () => {
  const lines = ["id;day;price", "1;03/04/2026;1.234", "2;12/31/2026;7.5"];
  const look = async (known: PartialFileSettings, chosen: PartialFileSettings = {}) => {
    const [table] = await previewFile(csv(lines), {
      ...{ chosen: { a: chosen }, known: { a: known } },
      ...{ earlier: null, now: () => 0 },
    });
    return [table?.questions, table?.settings.dates, table?.settings.numbers];
  };
  const dates = { setting: "dates", column: "day", example: "12/31/2026" };
  const numbers = { setting: "numbers", column: "price", example: "7.5" };
  expect(await look({ dates: "dayFirst", numbers: "comma" })).toEqual([[dates, numbers], "monthFirst", "point"]);
  expect(await look({ dates: "monthFirst", numbers: "point" })).toEqual([[], "monthFirst", "point"]);
  // Whoever answers has said it of this version.
  const answers = { dates: "dayFirst", numbers: "comma" } as const;
  expect(await look(answers, answers)).toEqual([[], "dayFirst", "comma"]);
  expect(await look({ dates: "dayFirst", numbers: "comma" }, { dates: "dayFirst" })).toEqual([
    [numbers],
    "dayFirst",
    "point",
  ]);
});

test("rows that are nested without end can't be used, and the others are shown", async () => {
  const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const lines = ['{"id":"a","v":[1]}', `{"id":"b","v":${deep(100_000)}}`, `{"id":${deep(100_000)},"v":[2]}`];
  const name = "constructor.jsonl";
  const [table] = await preview(fileOf(name, Buffer.from(`${lines.join("\n")}\n{"id":"d","v":[${deep(400)}]}\n`)));
  const message = "The line can't be used: it is nested more than 500 levels deep.";
  expect(table?.unreadable).toEqual({
    count: 2,
    first: [
      { place: `${name}, line 2`, message },
      { place: `${name}, line 3`, message },
    ],
  });
  expect(table?.rows.map(([id]) => id?.written)).toEqual(["a", "b", "…", "d"]);
  expect(table?.rows[1]?.[1]?.written).toBe("…");
});
