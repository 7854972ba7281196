/** Time zones people can choose, with their distance from UTC. */

/** Old names that say neither a place nor a rule for summer time. */
const EXCLUDED = new Set(["EST", "HST", "MST", "ROC", "US/Pacific-New"]);

export interface ZoneChoice {
  value: string;
  label: string;
}

/** @param now a moment in ms: distances change with the season */
export function timeZoneChoices(
  now: number,
  names: readonly string[] = ["UTC", ...Intl.supportedValuesOf("timeZone")],
) {
  return [...new Set(names)]
    .filter((name) => !EXCLUDED.has(name))
    .map((name): ZoneChoice => ({ value: name, label: `${name.replaceAll("_", " ")} (${distanceOf(name, now)})` }));
}

function distanceOf(timeZone: string, now: number): string {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(now);
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  return offset === "GMT" ? "UTC" : offset.replace("GMT", "UTC");
}
