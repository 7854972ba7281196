/** Every function there is, in the order of the palette. */
import { addToDate } from "./add-to-date.ts";
import { advancedAttachRecord } from "./attach-record.ts";
import { caseBranch } from "./case-branch.ts";
import { caseFunction } from "./case.ts";
import { coalesce } from "./coalesce.ts";
import { concatenate } from "./concatenate.ts";
import { currentDateTime } from "./current-date-time.ts";
import { dateDifference } from "./date-difference.ts";
import { defaultValue } from "./default-value.ts";
import type { FunctionDefinition } from "./define.ts";
import { divide } from "./divide.ts";
import { extractDomain } from "./extract-domain.ts";
import { filter } from "./filter.ts";
import { formatDate } from "./format-date.ts";
import { formatNumber } from "./format-number.ts";
import { increment } from "./increment.ts";
import { joinList } from "./join-list.ts";
import { lowerCase } from "./lower-case.ts";
import { mapValues } from "./map-values.ts";
import { multiply } from "./multiply.ts";
import { parseDate } from "./parse-date.ts";
import { predicate } from "./predicate.ts";
import { replace } from "./replace.ts";
import { round } from "./round.ts";
import { setValue } from "./set-value.ts";
import { splitText } from "./split-text.ts";
import { titleCase } from "./title-case.ts";
import { toBoolean } from "./to-boolean.ts";
import { toInteger } from "./to-integer.ts";
import { toText } from "./to-text.ts";
import { trim } from "./trim.ts";
import { upperCase } from "./upper-case.ts";

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
