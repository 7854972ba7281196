/** What values of MySQL columns become in statements, where the server would bend them or refuse the whole statement. */
import { TypeMismatchError } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import type { SqlValue } from "./client.ts";
import type { Column, ColumnKind } from "./columns.ts";
import { comparedValue, writtenValue } from "./values.ts";

const column = (kind: ColumnKind, more: Partial<Column> = {}): Column => ({
  name: "c",
  kind,
  nullable: true,
  hasDefault: false,
  isAutoIncrement: false,
  isGenerated: false,
  isStamped: false,
  isHuge: false,
  isZoned: false,
  length: null,
  precision: null,
  scale: null,
  options: [],
  comment: "",
  readable: true,
  writable: true,
  ...more,
});
const COLUMNS = {
  DATE: column("date"),
  DATETIME: column("moment"),
  TIME: column("time"),
  YEAR: column("year"),
  FLOAT: column("float"),
  DOUBLE: column("double"),
  "DECIMAL(5, 2)": column("decimal", { precision: 5, scale: 2 }),
  "DECIMAL(2, 2)": column("decimal", { precision: 2, scale: 2 }),
};
type Name = keyof typeof COLUMNS;

describe("what no row can hold is not asked for", () => {
  const none: [Name, string][] = [
    ["DATE", "2024-02-30"],
    ["DATE", "2023-02-29"],
    ["DATE", "2024-13-01"],
    ["DATE", "2024-00-32"],
    ["DATETIME", "2024-04-31T10:00:00.000Z"],
    ["DATETIME", "2024-04-30T10:00:00.0000001Z"],
    ["DECIMAL(5, 2)", "1000.00"],
    ["DECIMAL(5, 2)", "-1000"],
    ["DECIMAL(5, 2)", "1.001"],
    ["DECIMAL(2, 2)", "1"],
    ["FLOAT", "1e39"],
    ["FLOAT", "-4e38"],
    ["DOUBLE", "1e309"],
    ["YEAR", "24"],
    ["YEAR", "2156"],
    ["TIME", "1230"],
  ];
  test.for(none)("%s: %s", ([name, text]) => expect(comparedValue(COLUMNS[name], text)).toBeNull());

  const some: [Name, string, SqlValue][] = [
    ["DATE", "0000-00-00", "0000-00-00"],
    ["DATE", "2024-00-00", "2024-00-00"],
    ["DATE", "2024-05-00", "2024-05-00"],
    ["DATE", "2024-00-31", "2024-00-31"],
    ["DATE", "2024-02-29", "2024-02-29"],
    ["DATETIME", "0000-00-00 00:00:00.000000", "0000-00-00 00:00:00.000000"],
    ["DATETIME", "2024-04-30T10:00:00.123Z", "2024-04-30 10:00:00.123"],
    ["DECIMAL(5, 2)", "999.99", "999.99"],
    ["DECIMAL(5, 2)", "-0999.990", "-0999.990"],
    ["DECIMAL(2, 2)", "0.99", "0.99"],
    ["FLOAT", "3.4028235e38", Math.fround(3.4028235e38)],
    ["YEAR", "0000", 0n],
    ["YEAR", "1901", 1901n],
  ];
  test.for(some)("but what one may hold is: %s: %s", ([name, text, value]) =>
    expect(comparedValue(COLUMNS[name], text)).toMatchObject({ value }),
  );
});

describe("what a column would hold otherwise than it is given is refused before it is sent", () => {
  const refused: [Name, Value][] = [
    ["DATE", "0000-00-00"],
    ["DATE", "2024-00-10"],
    ["DATE", "2024-02-30"],
    ["DATE", "0"],
    ["DATE", ""],
    ["DATETIME", "2024-02-30T00:00:00.000Z"],
    ["YEAR", 24],
    ["YEAR", "70"],
    ["YEAR", 1900],
    ["YEAR", 2024.5],
    ["TIME", "1230"],
    ["TIME", 1230],
    ["TIME", "2024-01-31 08:00:00"],
  ];
  test.for(refused)("%s: %j", ([name, value]) =>
    expect(() => writtenValue(COLUMNS[name], value)).toThrow(TypeMismatchError),
  );
  const taken: [Name, Value, SqlValue][] = [
    ["DATE", "2024-02-29", "2024-02-29"],
    ["DATETIME", "2024-02-29T10:00:00.1234567Z", "2024-02-29 10:00:00.1234567"],
    ["YEAR", 0, 0n],
    ["YEAR", "2155", 2155n],
    ["TIME", "-838:59:58.123456", "-838:59:58.123456"],
    ["TIME", "8:30", "8:30"],
  ];
  test.for(taken)("but not %s: %j", ([name, value, sent]) => expect(writtenValue(COLUMNS[name], value)).toBe(sent));
});
