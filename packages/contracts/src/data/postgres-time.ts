/**
 * Dates and moments between PostgreSQL's texts (session in ISO style and UTC) and values inside Accord. They differ in
 * years before 1 and after 9999, which Accord writes as ISO 8601 does with six digits and a sign (`-000043-03-15` is
 * 44 BC), and in the form of moments.
 */

const PLAIN_DATE = /^\d{4}-\d\d-\d\d$/;
const PLAIN_MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?(?:\+00)?$/;
const ANY = /^(\d{4,7})(-\d\d-\d\d)(?: (\d\d:\d\d:\d\d(?:\.\d{1,6})?)(?:\+00)?)?( BC)?$/;
const EXPANDED = /^([+-]\d{6,7})(-\d\d-\d\d)(?:T(.+)Z)?$/;
const ENDLESS: ReadonlySet<string> = new Set(["infinity", "-infinity"]);

/** `0044-03-15 BC` → `-000043-03-15`, `infinity` stays; null when the text is no date. */
export function dateFromPostgres(text: string): string | null {
  if (PLAIN_DATE.test(text) || ENDLESS.has(text)) return text;
  const [, year = "", rest = "", time, isBefore] = ANY.exec(text) ?? [];
  return year === "" || time !== undefined ? null : yearText(year, isBefore !== undefined) + rest;
}

/** `2024-05-06 07:08:09.1234+00` → `2024-05-06T07:08:09.123400Z`, `infinity` stays; null when the text is no moment. */
export function momentFromPostgres(text: string): string | null {
  if (PLAIN_MOMENT.test(text)) return `${text.slice(0, 10)}T${timeText(text.slice(11).replace("+00", ""))}`;
  if (ENDLESS.has(text)) return text;
  const [, year = "", rest = "", time, isBefore] = ANY.exec(text) ?? [];
  return time === undefined ? null : `${yearText(year, isBefore !== undefined)}${rest}T${timeText(time)}`;
}

/** A date or moment as PostgreSQL reads it. Anything else comes back as it is. */
export function timeToPostgres(value: string): string {
  const [, year, rest = "", time] = EXPANDED.exec(value) ?? [];
  if (year === undefined) return value;
  const number = Number(year);
  const digits = String(number > 0 ? number : 1 - number).padStart(4, "0");
  return `${digits}${rest}${time === undefined ? "" : ` ${time}+00`}${number > 0 ? "" : " BC"}`;
}

function yearText(digits: string, isBefore: boolean): string {
  const year = isBefore ? 1 - Number(digits) : Number(digits);
  if (year > 0 && year <= 9999) return digits;
  return `${year > 0 ? "+" : "-"}${String(Math.abs(year)).padStart(6, "0")}`;
}

/** `07:08:09.1234` → `07:08:09.123400Z`: three digits of a second, or six where three are too few. */
function timeText(time: string): string {
  const fraction = time.slice(9).padEnd(6, "0");
  return `${time.slice(0, 8)}.${fraction.endsWith("000") ? fraction.slice(0, 3) : fraction}Z`;
}
