/** Questions made of a dataset's own columns, for people who see it for the first time. */
import { isDateColumn, isNumberColumn } from "@accord/cards/definitions";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";

export interface Example {
  key: "count" | "by" | "top" | "time" | "share" | "split";
  facts: { records: string; value: string; category: string };
}

const MOST = 4;
/** Names and numbers that are different for each record group nothing. */
const IDENTIFYING = /\b(?:name|number|id|e-?mail|phone|website|street|code|description|subject|title)\b/i;

export function exampleQuestions(name: string, columns: readonly DatasetColumn[]): Example[] {
  const number = columns.find(isNumberColumn)?.displayName;
  const categories = columns.filter(
    ({ dataType, displayName }) => dataType === "picklist" || (dataType === "string" && !IDENTIFYING.test(displayName)),
  );
  const choice = categories.find(({ dataType }) => dataType === "picklist")?.displayName;
  const category = (categories.find(({ dataType }) => dataType === "string") ?? categories[0])?.displayName;
  const make = (key: Example["key"], value = "", by = ""): Example => ({
    key,
    facts: { records: name.toLowerCase(), value, category: by.toLowerCase() },
  });
  return [
    ...(number && category ? [make("by", number, category)] : []),
    ...(columns.some(isDateColumn) ? [make("time")] : []),
    ...(choice ? [make("share", "", choice)] : []),
    ...(number ? [make("top", number.toLowerCase())] : []),
    ...(!number && category ? [make("split", "", category)] : []),
    make("count"),
  ].slice(0, MOST);
}
