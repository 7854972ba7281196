/** A test as its form holds it: records as JSON text, expected values as text. Pure. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { isValue, Values, type Value } from "@accord/contracts/data/values";
import type { Id } from "@accord/contracts";
import type { ExpectedValue, PipelineTest, TestBody } from "@accord/contracts/sync/tests/pipeline-tests";
import { textOf } from "@accord/expressions";
import { parseReply } from "../../../../app/exact-replies.ts";

export interface RecordForm {
  /** Names the record within the form while its id is being typed. */
  key: string;
  nodeId: string;
  id: string;
  text: string;
}

/** `nodeId` as the test has it; a test made here expects values of the core record. */
export interface ExpectedForm extends Pick<ExpectedValue, "apiName" | "nodeId"> {
  text: string;
  /** The value that the text was made of: an unchanged text keeps it, a changed one keeps its type. */
  stored?: Value;
  /** Key of the record it is expected of. */
  record: string;
}

export interface TestForm {
  name: string;
  records: readonly RecordForm[];
  expected: readonly ExpectedForm[];
}

/** A form with what was typed and is not saved yet. */
export interface OpenTestForm {
  /** Absent: a new test. */
  testId: Id<"pipelineTest"> | undefined;
  /** Of the test as it was when the form opened; null: of the newest one, after somebody else's change was shown. */
  revision: number | null;
  form: TestForm;
}

export const jsonOf = (values: Values): string => JSON.stringify(values, null, 2);

/** Without secrets, which a test can't hold. */
export const withoutMasks = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== PASSWORD_MASK));

/** `field`: the one that a value is expected of to begin with. */
export const emptyForm = (nodeId: string, field = ""): TestForm => ({
  name: "",
  records: [{ key: "1", nodeId, id: "1", text: "{\n}" }],
  expected: [{ apiName: field, text: "", record: "1" }],
});

export function formOf({ name, records, expectedResult }: PipelineTest): TestForm {
  const rows = records.map(({ nodeId, id, values }, index) => ({
    key: String(index + 1),
    nodeId,
    id,
    text: jsonOf(values),
  }));
  const keyOf = (recordId: string | undefined): string =>
    (recordId === undefined ? rows[0] : rows.find(({ id }) => id === recordId))?.key ?? "";
  return {
    name,
    records: rows,
    expected: expectedResult.map(({ value, recordId, ...where }) => ({
      ...where,
      text: textOfExpected(value),
      stored: value,
      record: keyOf(recordId),
    })),
  };
}

/** The first number from one that is not taken. */
function freeNumber(taken: readonly string[]): string {
  let number = 1;
  while (taken.includes(String(number))) number += 1;
  return String(number);
}

/** A key that an expected value still names is never given to another record. */
export function withRecord(form: TestForm, nodeId: string): TestForm {
  const key = freeNumber([...form.records.map((one) => one.key), ...form.expected.map(({ record }) => record)]);
  const id = freeNumber(form.records.map((one) => one.id));
  return { ...form, records: [...form.records, { key, nodeId, id, text: "{\n}" }] };
}

/** Whether its record was removed from the form. */
export const isOrphan = ({ record }: ExpectedForm, records: readonly RecordForm[]): boolean =>
  !records.some(({ key }) => key === record);

/** Rows without a field are left out of what is sent. */
const isSent = ({ apiName }: ExpectedForm): boolean => apiName !== "";

/** Place of a row's value in what is sent; undefined where it is left out. */
export const sentIndex = (rows: readonly ExpectedForm[], index: number): number | undefined => {
  const row = rows[index];
  return row && isSent(row) ? rows.slice(0, index).filter(isSent).length : undefined;
};

const textOfExpected = (value: Value): string => (Array.isArray(value) ? JSON.stringify(value) : textOf(value));

/** Values of one record; undefined where the text is no JSON object of values. Numbers keep their digits. */
export function readValues(text: string): Values | undefined {
  try {
    return Values.safeParse(parseReply(text)).data;
  } catch {
    return undefined;
  }
}

const readJson = (text: string): Value | undefined => readValues(`{"value":${text}}`)?.["value"];

/** Nothing is expected to be empty; a list is written as JSON. A value that was no text stays none where that fits. */
function readExpected({ text, stored }: ExpectedForm): Value {
  if (stored !== undefined && text === textOfExpected(stored)) return stored;
  if (text.trim() === "") return null;
  if (typeof stored === "string") return text;
  const isJson = text.trim().startsWith("[") || (stored !== undefined && stored !== null);
  const value = isJson ? readJson(text) : undefined;
  return isValue(value) ? value : text;
}

/** What is sent; null while a record can't be read or a value's record is gone. */
export function bodyOf({ name, records, expected }: TestForm): TestBody | null {
  const read = records.map(({ nodeId, id, text }) => ({ nodeId, id, values: readValues(text) }));
  const whole = read.flatMap(({ values, ...record }) => (values ? [{ ...record, values }] : []));
  const rows = expected.filter(isSent);
  if (whole.length < read.length || rows.some((row) => isOrphan(row, records))) return null;
  const expectedResult = rows.map((row) => {
    const { apiName, nodeId, record } = row;
    const index = records.findIndex(({ key }) => key === record);
    const recordId = records[index]?.id;
    return {
      apiName,
      value: readExpected(row),
      ...(nodeId === undefined ? {} : { nodeId }),
      // Without it the first one is meant.
      ...(index > 0 && recordId !== undefined ? { recordId } : {}),
    };
  });
  return { name: name.trim(), records: whole, expectedResult };
}
