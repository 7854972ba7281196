/** What is set for a source besides its mapping, as a flat form: when it is read, how much at once, and what becomes of deletions. */
import type { NodeConfiguration } from "@accord/contracts/sync/graph";
import { SCHEDULE_UNITS, SourceSchedule } from "@accord/contracts/sync/schedules";
import { scheduleProblem } from "@accord/sync-engine/lifecycle";

export type SourceForm = Record<string, unknown>;

const MINUTES = 60;

/** Defaults filled in; sources saved with seconds alone show them as an interval. */
export function sourceForm(configuration: NodeConfiguration): SourceForm {
  const schedule = SourceSchedule.safeParse(configuration["schedule"]).data ?? scheduleOf(configuration);
  return {
    kind: schedule.kind,
    every: schedule.kind === "interval" ? schedule.every : 5,
    unit: schedule.kind === "interval" ? schedule.unit : "minutes",
    expression: schedule.kind === "cron" ? schedule.expression : "0 6 * * *",
    timeZone: schedule.kind === "cron" ? schedule.timeZone : "UTC",
    isSingle: configuration["readMode"] === "single",
    acceptDeletes: configuration["acceptDeletes"] !== false,
    findDeletesMinutes: configuration["findDeletesMinutes"],
    mostMissingPercent: configuration["mostMissingPercent"] ?? 25,
  };
}

function scheduleOf({ scheduleSeconds: seconds }: NodeConfiguration): SourceSchedule {
  if (typeof seconds !== "number" || seconds === MINUTES) return { kind: "minute" };
  return seconds <= 1000
    ? { kind: "interval", every: seconds, unit: "seconds" }
    : { kind: "interval", every: Math.round(seconds / MINUTES), unit: "minutes" };
}

/** The configuration with what the form says; what it does not show stays. */
export function withSourceForm(configuration: NodeConfiguration, form: SourceForm): NodeConfiguration {
  return {
    ...configuration,
    scheduleSeconds: undefined,
    schedule: formSchedule(form),
    readMode: form["isSingle"] === true ? "single" : "drain",
    acceptDeletes: form["acceptDeletes"] === true,
    findDeletesMinutes: typeof form["findDeletesMinutes"] === "number" ? form["findDeletesMinutes"] : undefined,
    mostMissingPercent: typeof form["mostMissingPercent"] === "number" ? form["mostMissingPercent"] : 25,
  };
}

function formSchedule(form: SourceForm): SourceSchedule {
  if (form["kind"] === "cron") {
    return { kind: "cron", expression: String(form["expression"] ?? ""), timeZone: String(form["timeZone"] ?? "UTC") };
  }
  if (form["kind"] !== "interval") return { kind: "minute" };
  const unit = SCHEDULE_UNITS.find((one) => one === form["unit"]) ?? "minutes";
  return { kind: "interval", every: Number(form["every"]), unit };
}

const isWhole = (value: unknown, least: number, most: number): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;

/** What can't be saved, by input. `range` words a number out of its bounds. */
export function sourceFormProblems(
  form: SourceForm,
  range: (least: number, most: number) => string,
): Record<string, string> {
  const problems: Record<string, string> = {};
  if (form["kind"] === "interval" && !isWhole(form["every"], 1, 1000)) problems["every"] = range(1, 1000);
  if (form["kind"] === "cron") {
    const problem = scheduleProblem(formSchedule(form));
    if (problem) problems[problem.includes("time zone") ? "timeZone" : "expression"] = problem;
  }
  const minutes = form["findDeletesMinutes"];
  if (minutes !== undefined && minutes !== null && !isWhole(minutes, 0, 43_200)) {
    problems["findDeletesMinutes"] = range(0, 43_200);
  }
  if (!isWhole(form["mostMissingPercent"], 1, 100)) problems["mostMissingPercent"] = range(1, 100);
  return problems;
}
