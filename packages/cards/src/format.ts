/** How values are shown: the four display formats, short forms for axes, dates by their grain. */
import type { DisplayFormat } from "@accord/contracts/insights/cards";
import type { DataType, Value } from "@accord/contracts/data/values";
import type { DateGrain } from "@accord/contracts/insights/dataset-config";

const LOCALE = "en-US";
const CURRENCY = "USD";

const FULL: Record<Exclude<DisplayFormat, "text">, Intl.NumberFormat> = {
  number: new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 }),
  currency: new Intl.NumberFormat(LOCALE, {
    style: "currency",
    currency: CURRENCY,
    maximumFractionDigits: 2,
    trailingZeroDisplay: "stripIfInteger",
  }),
  percent: new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 }),
};
const SHORT: typeof FULL = {
  number: new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 1 }),
  currency: new Intl.NumberFormat(LOCALE, {
    style: "currency",
    currency: CURRENCY,
    notation: "compact",
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  }),
  percent: new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 0 }),
};

/** Below `FULL`'s or `SHORT`'s last digit: rounding there would show a value as zero, or two axis labels as equal. */
const SMALL: typeof FULL = {
  number: new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 3 }),
  currency: new Intl.NumberFormat(LOCALE, { style: "currency", currency: CURRENCY, maximumSignificantDigits: 3 }),
  percent: new Intl.NumberFormat(LOCALE, { style: "percent", maximumSignificantDigits: 3 }),
};
const SMALL_BELOW = {
  full: { number: 0.1, currency: 0.1, percent: 0.01 },
  short: { number: 1, currency: 1, percent: 0.1 },
};

/** From here on cents say nothing. */
const WHOLE_MONEY = 10_000;
const MONEY = new Intl.NumberFormat(LOCALE, { style: "currency", currency: CURRENCY, maximumFractionDigits: 0 });

/** A number as exact text: sums of decimals and of large integers. */
export type NumberText = `${number}`;

const isNumberText = (value: Value | undefined): value is NumberText =>
  typeof value === "string" && /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(value);

/** The number a value stands for; exact texts lose digits a chart cannot show anyway. Null when it is none. */
export function numberOf(value: Value | undefined): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string" || value.trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** The value as a number to format; exact texts keep the digits that a `number` would lose. */
export const exactNumber = (value: Value | undefined): number | NumberText | null =>
  isNumberText(value) ? value : numberOf(value);

/** Percent expects a share: 0.12 is 12%. */
export function formatNumber(
  value: number | NumberText | null,
  format: DisplayFormat = "number",
  short = false,
): string {
  if (value === null) return "–";
  if (format === "text") return String(value);
  const size = Math.abs(Number(value));
  if (size > 0 && size < SMALL_BELOW[short ? "short" : "full"][format]) return SMALL[format].format(value);
  if (!short && format === "currency" && size >= WHOLE_MONEY) return MONEY.format(value);
  return (short ? SHORT : FULL)[format].format(value);
}

const DAY = new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", year: "numeric", month: "short", day: "numeric" });
const MONTH = new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", year: "numeric", month: "short" });
const MOMENT = new Intl.DateTimeFormat(LOCALE, { timeZone: "UTC", dateStyle: "medium", timeStyle: "short" });

/** `2026-04-01` by quarter is `Q2 2026`. Texts that are no date stay as they are. */
export function formatDate(value: string, grain: DateGrain | undefined): string {
  const time = Date.parse(value);
  if (Number.isNaN(time)) return value;
  const year = value.slice(0, 4);
  switch (grain) {
    case "year":
      return year;
    case "quarter":
      return `Q${Math.floor((Number(value.slice(5, 7)) - 1) / 3) + 1} ${year}`;
    case "month":
      return MONTH.format(time);
    default:
      return value.length > 10 ? MOMENT.format(time) : DAY.format(time);
  }
}

/** Any value as its column's type and format want it. */
export function formatValue(
  value: Value | undefined,
  column: {
    dataType: DataType;
    format?: DisplayFormat | undefined;
    grain?: DateGrain | undefined;
    labels?: Readonly<Record<string, string>> | undefined;
  },
): string {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const labelOf = (id: string): string => column.labels?.[id] ?? id;
  if (typeof value === "object")
    return Array.isArray(value) ? value.map((item) => labelOf(String(item))).join(", ") : JSON.stringify(value);
  if (column.dataType === "date" || column.dataType === "datetime" || column.dataType === "timestamp")
    return formatDate(String(value), column.grain);
  const isNumber = column.dataType === "integer" || column.dataType === "double" || column.dataType === "decimal";
  if (isNumber && column.format !== "text") return formatNumber(exactNumber(value), column.format ?? "number");
  return labelOf(String(value));
}
