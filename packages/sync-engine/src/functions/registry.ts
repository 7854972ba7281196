/** Every function there is, in the order of the palette. */
import { jsonPath } from "./convert/json-path.ts";
import { parseJson } from "./convert/parse-json.ts";
import { stringifyJson } from "./convert/stringify-json.ts";
import { toBoolean } from "./convert/to-boolean.ts";
import { toDate } from "./convert/to-date.ts";
import { toDatetime } from "./convert/to-datetime.ts";
import { toDecimal } from "./convert/to-decimal.ts";
import { toDouble } from "./convert/to-double.ts";
import { toInteger } from "./convert/to-integer.ts";
import { toPicklist } from "./convert/to-picklist.ts";
import { toText } from "./convert/to-text.ts";
import { addToDate } from "./date/add-to-date.ts";
import { convertTimeZone } from "./date/convert-time-zone.ts";
import { currentDateTime } from "./date/current-date-time.ts";
import { dateDifference } from "./date/date-difference.ts";
import { dayOfMonth } from "./date/day-of-month.ts";
import { dayOfWeek } from "./date/day-of-week.ts";
import { dayOfYear } from "./date/day-of-year.ts";
import { endOfPeriod } from "./date/end-of-period.ts";
import { formatDate } from "./date/format-date.ts";
import { fromEpoch } from "./date/from-epoch.ts";
import { hour } from "./date/hour.ts";
import { isBusinessDay } from "./date/is-business-day.ts";
import { month } from "./date/month.ts";
import { parseDate } from "./date/parse-date.ts";
import { quarter } from "./date/quarter.ts";
import { startOfPeriod } from "./date/start-of-period.ts";
import { toEpoch } from "./date/to-epoch.ts";
import { weekOfYear } from "./date/week-of-year.ts";
import { year } from "./date/year.ts";
import type { FunctionDefinition } from "./define.ts";
import { classify } from "./enrich/classify.ts";
import { enrichCompany } from "./enrich/enrich-company.ts";
import { enrichPerson } from "./enrich/enrich-person.ts";
import { extract } from "./enrich/extract.ts";
import { summarise } from "./enrich/summarise.ts";
import { verifyEmail } from "./enrich/verify-email.ts";
import { caseBranch } from "./flow/case-branch.ts";
import { caseFunction } from "./flow/case.ts";
import { endLoop } from "./flow/end-loop.ts";
import { filter } from "./flow/filter.ts";
import { mergePaths } from "./flow/merge-paths.ts";
import { forEach } from "./flow/for-each.ts";
import { loop } from "./flow/loop.ts";
import { predicate } from "./flow/predicate.ts";
import { appendItem } from "./list/append-item.ts";
import { containsItem } from "./list/contains-item.ts";
import { countItems } from "./list/count-items.ts";
import { distinct } from "./list/distinct.ts";
import { filterList } from "./list/filter-list.ts";
import { firstItem } from "./list/first-item.ts";
import { flatten } from "./list/flatten.ts";
import { intersect } from "./list/intersect.ts";
import { itemAt } from "./list/item-at.ts";
import { joinList } from "./list/join-list.ts";
import { lastItem } from "./list/last-item.ts";
import { removeItem } from "./list/remove-item.ts";
import { reverseList } from "./list/reverse-list.ts";
import { sortList } from "./list/sort-list.ts";
import { union } from "./list/union.ts";
import { and } from "./logic/and.ts";
import { coalesce } from "./logic/coalesce.ts";
import { defaultValue } from "./logic/default-value.ts";
import { equalsValue } from "./logic/equals.ts";
import { ifThenElse } from "./logic/if-then-else.ts";
import { isBlankValue } from "./logic/is-blank.ts";
import { mapValues } from "./logic/map-values.ts";
import { not } from "./logic/not.ts";
import { or } from "./logic/or.ts";
import { findValue } from "./lookup/find-value.ts";
import { getExternalId } from "./lookup/get-external-id.ts";
import { getRecordId } from "./lookup/get-record-id.ts";
import { lookupExternalRecord } from "./lookup/lookup-external-record.ts";
import { lookupRecord } from "./lookup/lookup-record.ts";
import { lookupReferenceData } from "./lookup/lookup-reference-data.ts";
import { absoluteValue } from "./math/absolute-value.ts";
import { averageOfList } from "./math/average-of-list.ts";
import { ceil } from "./math/ceil.ts";
import { computeRatio } from "./math/compute-ratio.ts";
import { decrement } from "./math/decrement.ts";
import { divide } from "./math/divide.ts";
import { evaluateExpression } from "./math/evaluate-expression.ts";
import { floor } from "./math/floor.ts";
import { formatNumber } from "./math/format-number.ts";
import { increment } from "./math/increment.ts";
import { maxOfList } from "./math/max-of-list.ts";
import { minOfList } from "./math/min-of-list.ts";
import { modulo } from "./math/modulo.ts";
import { multiply } from "./math/multiply.ts";
import { power } from "./math/power.ts";
import { random } from "./math/random.ts";
import { round } from "./math/round.ts";
import { sumOfList } from "./math/sum-of-list.ts";
import { advancedAttachRecord } from "./record/attach-record.ts";
import { clearValue } from "./record/clear-value.ts";
import { computeHash } from "./record/compute-hash.ts";
import { copyFields } from "./record/copy-fields.ts";
import { customCode } from "./record/custom-code.ts";
import { newUuid } from "./record/new-uuid.ts";
import { removeField } from "./record/remove-field.ts";
import { setValue } from "./record/set-value.ts";
import { append } from "./text/append.ts";
import { base64Decode } from "./text/encoding/base64-decode.ts";
import { base64Encode } from "./text/encoding/base64-encode.ts";
import { camelCase } from "./text/letter-case/camel-case.ts";
import { concatenate } from "./text/concatenate.ts";
import { containsText } from "./text/search/contains-text.ts";
import { endsWith } from "./text/search/ends-with.ts";
import { extractDomain } from "./text/parts/extract-domain.ts";
import { formatPhone } from "./text/normalization/format-phone.ts";
import { hash } from "./text/encoding/hash.ts";
import { left } from "./text/parts/left.ts";
import { lowerCase } from "./text/letter-case/lower-case.ts";
import { mask } from "./text/mask.ts";
import { normalizeEmail } from "./text/normalization/normalize-email.ts";
import { normalizeSpaces } from "./text/normalization/normalize-spaces.ts";
import { normalizeUrl } from "./text/normalization/normalize-url.ts";
import { pad } from "./text/pad.ts";
import { prepend } from "./text/prepend.ts";
import { regexExtract } from "./text/search/regex-extract.ts";
import { regexMatch } from "./text/search/regex-match.ts";
import { removeCharacters } from "./text/normalization/remove-characters.ts";
import { replace } from "./text/replace.ts";
import { right } from "./text/parts/right.ts";
import { sentenceCase } from "./text/letter-case/sentence-case.ts";
import { slugify } from "./text/normalization/slugify.ts";
import { splitFullName } from "./text/parts/split-full-name.ts";
import { splitText } from "./text/parts/split-text.ts";
import { startsWith } from "./text/search/starts-with.ts";
import { stripHtml } from "./text/normalization/strip-html.ts";
import { substring } from "./text/parts/substring.ts";
import { textLength } from "./text/text-length.ts";
import { titleCase } from "./text/letter-case/title-case.ts";
import { trim } from "./text/normalization/trim.ts";
import { truncate } from "./text/parts/truncate.ts";
import { upperCase } from "./text/letter-case/upper-case.ts";
import { urlDecode } from "./text/encoding/url-decode.ts";
import { urlEncode } from "./text/encoding/url-encode.ts";

export const FUNCTIONS: readonly FunctionDefinition[] = [
  predicate,
  caseFunction,
  caseBranch,
  filter,
  mergePaths,
  forEach,
  endLoop,
  loop,
  setValue,
  clearValue,
  removeField,
  copyFields,
  advancedAttachRecord,
  computeHash,
  customCode,
  newUuid,
  findValue,
  getExternalId,
  getRecordId,
  lookupExternalRecord,
  lookupRecord,
  lookupReferenceData,
  upperCase,
  lowerCase,
  titleCase,
  sentenceCase,
  camelCase,
  trim,
  normalizeSpaces,
  concatenate,
  append,
  prepend,
  replace,
  substring,
  left,
  right,
  truncate,
  pad,
  textLength,
  splitText,
  splitFullName,
  containsText,
  startsWith,
  endsWith,
  regexMatch,
  regexExtract,
  removeCharacters,
  stripHtml,
  slugify,
  mask,
  extractDomain,
  normalizeEmail,
  normalizeUrl,
  formatPhone,
  urlEncode,
  urlDecode,
  base64Encode,
  base64Decode,
  hash,
  joinList,
  sortList,
  reverseList,
  firstItem,
  lastItem,
  itemAt,
  countItems,
  containsItem,
  filterList,
  distinct,
  appendItem,
  removeItem,
  union,
  intersect,
  flatten,
  defaultValue,
  coalesce,
  ifThenElse,
  mapValues,
  isBlankValue,
  equalsValue,
  not,
  and,
  or,
  evaluateExpression,
  round,
  ceil,
  floor,
  absoluteValue,
  increment,
  decrement,
  multiply,
  divide,
  modulo,
  power,
  computeRatio,
  formatNumber,
  random,
  minOfList,
  maxOfList,
  sumOfList,
  averageOfList,
  currentDateTime,
  parseDate,
  formatDate,
  addToDate,
  dateDifference,
  startOfPeriod,
  endOfPeriod,
  dayOfMonth,
  dayOfWeek,
  dayOfYear,
  weekOfYear,
  month,
  quarter,
  year,
  hour,
  isBusinessDay,
  convertTimeZone,
  toEpoch,
  fromEpoch,
  toText,
  toInteger,
  toDouble,
  toDecimal,
  toBoolean,
  toDate,
  toDatetime,
  toPicklist,
  parseJson,
  jsonPath,
  stringifyJson,
  classify,
  enrichCompany,
  enrichPerson,
  extract,
  summarise,
  verifyEmail,
];

const byName: ReadonlyMap<string, FunctionDefinition> = new Map(FUNCTIONS.map((one) => [one.name, one]));

export const functionByName = (name: string): FunctionDefinition | undefined => byName.get(name);
