/** Every function there is, in the order of the palette. */
import { addToDate } from "./date/add-to-date.ts";
import { advancedAttachRecord } from "./record/attach-record.ts";
import { caseBranch } from "./flow/case-branch.ts";
import { caseFunction } from "./flow/case.ts";
import { coalesce } from "./logic/coalesce.ts";
import { concatenate } from "./text/concatenate.ts";
import { currentDateTime } from "./date/current-date-time.ts";
import { dateDifference } from "./date/date-difference.ts";
import { defaultValue } from "./logic/default-value.ts";
import type { FunctionDefinition } from "./define.ts";
import { divide } from "./math/divide.ts";
import { extractDomain } from "./text/extract-domain.ts";
import { filter } from "./flow/filter.ts";
import { formatDate } from "./date/format-date.ts";
import { formatNumber } from "./math/format-number.ts";
import { increment } from "./math/increment.ts";
import { joinList } from "./list/join-list.ts";
import { lowerCase } from "./text/lower-case.ts";
import { mapValues } from "./logic/map-values.ts";
import { multiply } from "./math/multiply.ts";
import { parseDate } from "./date/parse-date.ts";
import { predicate } from "./flow/predicate.ts";
import { replace } from "./text/replace.ts";
import { round } from "./math/round.ts";
import { setValue } from "./record/set-value.ts";
import { splitText } from "./text/split-text.ts";
import { titleCase } from "./text/title-case.ts";
import { toBoolean } from "./convert/to-boolean.ts";
import { toInteger } from "./convert/to-integer.ts";
import { toText } from "./convert/to-text.ts";
import { trim } from "./text/trim.ts";
import { upperCase } from "./text/upper-case.ts";

export const FUNCTIONS: readonly FunctionDefinition[] = [
  predicate,
  caseFunction,
  caseBranch,
  filter,
  advancedAttachRecord,
  setValue,
  upperCase,
  lowerCase,
  titleCase,
  trim,
  concatenate,
  replace,
  extractDomain,
  splitText,
  joinList,
  defaultValue,
  coalesce,
  mapValues,
  round,
  increment,
  multiply,
  divide,
  formatNumber,
  addToDate,
  dateDifference,
  formatDate,
  parseDate,
  currentDateTime,
  toText,
  toInteger,
  toBoolean,
];

const byName: ReadonlyMap<string, FunctionDefinition> = new Map(FUNCTIONS.map((one) => [one.name, one]));

export const functionByName = (name: string): FunctionDefinition | undefined => byName.get(name);
