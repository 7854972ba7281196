/** A test as its form holds it: records as JSON text, expected values as text. Pure. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { Values, type Value } from "@accord/contracts/data/values";
import type { ExpectedValue, PipelineTest, TestBody } from "@accord/contracts/sync/pipeline-tests";
import { textOf } from "@accord/expressions";

export interface RecordForm {
  nodeId: string;
  id: string;
  text: string;
}

/** `nodeId` and `recordId` as the test has them; a test made here expects values of the core record. */
export interface ExpectedForm extends Omit<ExpectedValue, "value"> {
  text: string;
}

export interface TestForm {
  name: string;
  records: readonly RecordForm[];
  expected: readonly ExpectedForm[];
}

export const jsonOf = (values: Values): string => JSON.stringify(values, null, 2);

/** Without secrets, which a test can't hold. */
export const withoutMasks = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== PASSWORD_MASK));

export const emptyForm = (nodeId: string): TestForm => ({
  name: "",
  records: [{ nodeId, id: "1", text: "{\n}" }],
  expected: [{ apiName: "", text: "" }],
});

export const formOf = ({ name, records, expectedResult }: PipelineTest): TestForm => ({
  name,
  records: records.map(({ nodeId, id, values }) => ({ nodeId, id, text: jsonOf(values) })),
  expected: expectedResult.map(({ value, ...where }) => ({ ...where, text: textOfExpected(value) })),
});

const textOfExpected = (value: Value): string => (Array.isArray(value) ? JSON.stringify(value) : textOf(value));

/** Values of one record; undefined where the text is no JSON object of values. */
export function readValues(text: string): Values | undefined {
  try {
    return Values.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Nothing is expected to be empty; a list is written as JSON. */
function readExpected(text: string): Value {
  if (text.trim() === "") return null;
  const list = text.trim().startsWith("[") ? readValues(`{"list":${text}}`)?.["list"] : undefined;
  return list ?? text;
}

/** What is sent; null while a record can't be read. Rows without a field are left out. */
export function bodyOf({ name, records, expected }: TestForm): TestBody | null {
  const read = records.map(({ nodeId, id, text }) => ({ nodeId, id, values: readValues(text) }));
  const whole = read.flatMap(({ values, ...record }) => (values ? [{ ...record, values }] : []));
  if (whole.length < read.length) return null;
  const expectedResult = expected
    .filter(({ apiName }) => apiName !== "")
    .map(({ text, ...where }) => ({ ...where, value: readExpected(text) }));
  return { name: name.trim(), records: whole, expectedResult };
}
