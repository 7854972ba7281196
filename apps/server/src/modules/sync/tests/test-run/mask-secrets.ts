/** Tests and results as they are shown: a field may have become secret after they were stored. Pure. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import type { Value, Values } from "@accord/contracts/data/values";
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import type { ActualResult, ExpectedValue, TestRecord, TestResult } from "@accord/contracts/sync/tests/pipeline-tests";
import { isBlank, SecretFields } from "@accord/expressions";
import { RESULT } from "./node-results.ts";

type Names = ReadonlySet<string>;

const isReadable = (value: Value): boolean => !isBlank(value) && value !== PASSWORD_MASK;
const hidden = (value: Value): Value => (isBlank(value) ? value : PASSWORD_MASK);
const holds = (names: Names, values: Values): boolean =>
  Object.entries(values).some(([field, value]) => names.has(field) && isReadable(value));
const holdsExpected = (names: Names, expected: readonly { apiName: string; value: Value }[]): boolean =>
  expected.some(({ apiName, value }) => names.has(apiName) && isReadable(value));

/** Whether records or expected values of a test hold any. */
export const testHoldsSecrets = (
  names: Names,
  test: { records: readonly TestRecord[]; expected: readonly ExpectedValue[] },
): boolean => test.records.some(({ values }) => holds(names, values)) || holdsExpected(names, test.expected);

export function maskRecords(names: Names, records: readonly TestRecord[]): TestRecord[] {
  const secrets = SecretFields.named(names);
  return records.map((record) => ({ ...record, values: secrets.values(record.values) }));
}

/** `isMade`: whether what a node made of a record may be made of a secret. */
export const maskExpected = (
  names: Names,
  expected: readonly ExpectedValue[],
  isMade: (nodeId: string | undefined) => boolean,
): ExpectedValue[] =>
  expected.map((one) => {
    const isSecret = names.has(one.apiName) || (one.apiName === RESULT && isMade(one.nodeId));
    return isSecret ? { ...one, value: hidden(one.value) } : one;
  });

/** A result that was stored while such a field was none is shown without its data: much of it may be made of secrets. */
export function maskResult(names: Names, result: TestResult): TestResult {
  const isOlder =
    holdsExpected(names, result.expectedResult) ||
    actualHolds(names, result.actualResult) ||
    result.nodes.some(({ testData }) =>
      testData.some(({ input, output }) => holds(names, input) || holds(names, output)),
    );
  if (!isOlder) return result;
  return {
    ...result,
    message: words.withheld,
    expectedResult: maskExpected(names, result.expectedResult, () => true),
    actualResult: withheldActual(result.actualResult),
    nodes: result.nodes.map((node) => ({
      ...node,
      testData: [],
      isTruncated: node.isTruncated || node.testData.length > 0,
    })),
  };
}

export const maskActual = (names: Names, actual: ActualResult): ActualResult =>
  actualHolds(names, actual) ? withheldActual(actual) : actual;

const actualHolds = (names: Names, { values }: ActualResult): boolean =>
  values.some(({ apiName, expected, value }) => names.has(apiName) && (isReadable(expected) || isReadable(value)));

const withheldActual = ({ failed, values }: ActualResult): ActualResult => ({
  failed,
  values: values.map((one) => ({
    ...one,
    expected: hidden(one.expected),
    value: hidden(one.value),
    message: one.message === null ? null : words.withheld,
  })),
});
