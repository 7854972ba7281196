/** Whether a text is a day of the calendar. */

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Days of the months in a year that is no leap year. */
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `YYYY-MM-DD`, years 0 to 9999. By its digits: this is asked for each value, and a `Date` takes ten times as long. */
export function isDay(text: string): boolean {
  const [, year, month, day] = (DAY.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : DAYS[month - 1];
  return days !== undefined && day >= 1 && day <= days;
}
