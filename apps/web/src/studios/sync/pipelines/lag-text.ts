/** How far a pipeline is behind, in the largest unit that has passed whole. */
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** `seconds`: since the last completed cycle. "45 sec", "3 min", "2 hr", "5 days". */
export function lagText(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? (["second", 1] as const);
  const format = new Intl.NumberFormat("en-US", { style: "unit", unit, unitDisplay: "short" });
  return format.format(Math.floor(seconds / size));
}
