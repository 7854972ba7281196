/** Numbers of uploaded files with more digits than a floating-point number keeps, whatever the format. */
import { connectTo, entityNamed, fieldNames } from "@accord/connector-sdk/test-kit";
import { expect, test } from "vitest";
import { workbook } from "../../test-systems/workbook.ts";
import { filesConnector } from "./index.ts";

function connect(name: string, content: string | Buffer) {
  const bytes = Buffer.from(content);
  const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
  return connectTo(filesConnector, {
    config: { place: "uploaded" },
    credentials: {},
    world: { uploadedFiles: { list: async () => [{ name, size: bytes.length, modified: 1, read }] } },
  });
}

/** What stands in a column, and its type; `asDouble`: as a field holds it that was found out from other rows. */
async function read(name: string, content: string | Buffer, { asDouble = false } = {}) {
  const connection = connect(name, content);
  const discovered = await entityNamed(connection, name.endsWith("xlsx") ? "sums.S" : "sums");
  const fields = discovered.fields.map((field) =>
    asDouble && field.apiName === "sum" ? { ...field, dataType: "double" as const } : field,
  );
  const entity = { ...discovered, fields };
  const request = { entity, fields: fieldNames(entity), cursor: null, mode: "all" as const, pageSize: 100 };
  const { records, bad = [] } = await connection.read(request);
  await connection.close();
  return {
    type: fields.find(({ apiName }) => apiName === "sum")?.dataType,
    values: records.map(({ values }) => values["sum"]),
    bad: bad.map(({ id, message }) => [id, message]),
  };
}

const linesOf = (sums: readonly string[]): string => sums.map((sum, at) => `{"id":${at + 1},"sum":${sum}}\n`).join("");
const sheetOf = (sums: readonly string[]): Buffer => {
  const rows = sums.map((sum, at) => `<row><c><v>${at + 1}</v></c><c><v>${sum}</v></c></row>`);
  const names = `<row><c t="str"><v>id</v></c><c t="str"><v>sum</v></c></row>`;
  return workbook({ sheets: [{ name: "S", rows: names + rows.join("") }] });
};
const LONG = ["0.5", "1234567890123.456789", "1.23456789012345678e3", "2.5e-2"];
const KEPT = ["0.5", "1234567890123.456789", "1234.56789012345678", "0.025"];

test.each([
  ["JSON Lines", "sums.jsonl", linesOf(LONG)],
  ["workbooks", "sums.xlsx", sheetOf(LONG)],
  ["CSV", "sums.csv", `id,sum\n${LONG.map((sum, at) => `${at + 1},${sum}\n`).join("")}`],
])(
  "numbers of %s keep all of their digits, and cost their row where the field can't hold them",
  async (_, name, content) => {
    const kept = await read(name, content);
    // What has an exponent and fits is as long as it has to be.
    expect({ ...kept, values: kept.values.map((value) => String(value)) }).toEqual({
      ...{ type: "decimal", bad: [] },
      values: KEPT,
    });
    const lost = await read(name, content, { asDouble: true });
    expect(lost.values).toEqual([0.5, 0.025]);
    expect(lost.bad).toEqual([
      ["2", expect.stringContaining("1234567890123.456789")],
      ["3", expect.stringContaining("has more digits than the field keeps exactly")],
    ]);
  },
);

test("lists keep the digits of their numbers", async () => {
  const { type, values } = await read("sums.jsonl", linesOf(["[0.5,1234567890123.456789]"]));
  expect([type, values]).toEqual(["decimal", [["0.5", "1234567890123.456789"]]]);
});

test("seventeen digits in a workbook are a floating-point number that its program printed; elsewhere they are meant", async () => {
  const printed = ["0.10000000000000001", "1.1000000000000001", "2.5E-2"];
  expect(await read("sums.xlsx", sheetOf(printed))).toEqual({ type: "double", values: [0.1, 1.1, 0.025], bad: [] });
  expect(await read("sums.jsonl", linesOf(printed))).toMatchObject({
    type: "decimal",
    values: ["0.10000000000000001", "1.1000000000000001", "0.025"],
  });
});
