/** Reading by time: from where to where, in steps, with what parameters, and when a record was changed. */
import type { Value } from "@accord/contracts/data/values";
import { isExactNumber } from "@accord/contracts/data/exact-number";
import { z } from "zod";
import { formatMoment } from "../../template/moment-format.ts";
import { Duration, Moment } from "../../template/moments.ts";
import { defineComponent, optional, Part, Text, type Component } from "../component.ts";
import { isComponentNode, type ComponentNode } from "../node.ts";
import type { Build, Interval, TimeCursor } from "../model.ts";
import { assertReadable, momentIn, readDuration, withinCalendar } from "../times.ts";

const MomentOption = z.union([Part, Text]);

export const MOMENTS: readonly Component<"moment">[] = [
  defineComponent({
    type: "MinMaxDatetime",
    family: "moment",
    options: {
      datetime: Text,
      datetime_format: optional(Text),
      min_datetime: optional(Text),
      max_datetime: optional(Text),
    },
    make({ datetime, datetime_format, min_datetime, max_datetime }, build) {
      const formats = datetime_format ? [datetime_format] : [];
      for (const format of formats) assertReadable(format, build);
      const templates = [datetime, min_datetime ?? "", max_datetime ?? ""].map((source) => build.template(source));
      return () => {
        const [value = "", least = "", most = ""] = templates.map((template) => template.text());
        const read = (text: string): Moment => momentIn(text, formats) ?? refuse(build, text, datetime);
        let moment = read(value);
        if (least !== "") moment = later(moment, read(least));
        if (most !== "") moment = earlier(moment, read(most));
        return moment;
      };
    },
  }),
];

function refuse(build: Build, text: string, source: string): never {
  throw build.problem(
    text === ""
      ? `the time ${source} is blank: fill in the input it is taken from`
      : `"${text.slice(0, 60)}" is no time of the format that the manifest wants (${source.slice(0, 60)})`,
  );
}
const later = (one: Moment, other: Moment): Moment => (one.compare(other) < 0 ? other : one);
const earlier = (one: Moment, other: Moment): Moment => (one.compare(other) > 0 ? other : one);

export const TIME_CURSORS: readonly Component<"timeCursor">[] = [
  defineComponent({
    type: "DatetimeBasedCursor",
    family: "timeCursor",
    options: {
      cursor_field: Text,
      datetime_format: Text,
      cursor_datetime_formats: optional(z.array(Text)),
      start_datetime: MomentOption,
      end_datetime: optional(MomentOption),
      start_time_option: optional(Part),
      end_time_option: optional(Part),
      partition_field_start: optional(Text),
      partition_field_end: optional(Text),
      step: optional(Text),
      cursor_granularity: optional(Text),
      lookback_window: optional(Text),
      is_data_feed: optional(z.boolean()),
      is_client_side_incremental: optional(z.boolean()),
      is_compare_strictly: optional(z.boolean()),
      // One state holds for all partitions in any case.
      global_substream_cursor: optional(z.boolean()),
    },
    slots: {
      start_datetime: { type: "MinMaxDatetime" },
      end_datetime: { type: "MinMaxDatetime" },
      start_time_option: { type: "RequestOption" },
      end_time_option: { type: "RequestOption" },
    },
    refuses: ["clamping"],
    make(options, build): TimeCursor {
      const { datetime_format: format } = options;
      const formats = [...(options.cursor_datetime_formats ?? []), format];
      for (const one of formats) assertReadable(one, build);
      const bounds = [options.start_datetime, options.end_datetime].map((bound) =>
        momentOf(bound ?? null, format, build),
      );
      const field = build.template(options.cursor_field);
      const duration = (source: string | null | undefined): (() => Duration) => {
        const template = build.template(source ?? "");
        return () => {
          const text = template.text();
          return text === "" ? new Duration(0, 0) : readDuration(text, build);
        };
      };
      const [step, grain, back] = [options.step, options.cursor_granularity, options.lookback_window].map(duration);
      if ((options.step ?? "") !== "" && (options.cursor_granularity ?? "") === "")
        throw build.problem("DatetimeBasedCursor with a step needs cursor_granularity");
      const names = [options.partition_field_start ?? "start_time", options.partition_field_end ?? "end_time"];
      const [startName = "", endName = ""] = names.map((name) => build.template(name).text());
      const [from, to] = [options.start_time_option, options.end_time_option].map((node) =>
        node ? build.make("requestOption", node) : null,
      );
      return {
        get field() {
          return field.text();
        },
        isClientSide: options.is_client_side_incremental ?? false,
        isNewestFirst: options.is_data_feed ?? false,
        isStrict: options.is_compare_strictly ?? false,
        start: () => bounds[0]?.() ?? new Moment(0),
        end: () => bounds[1]?.() ?? new Moment(build.runtime.now().getTime()),
        lookback: (moment) => withinCalendar(() => moment.plus(back?.() ?? new Duration(0, 0), -1)) ?? new Moment(0),
        step: (begin, end) => stepFrom(begin, end, step?.() ?? null, grain?.() ?? null),
        values: ({ start, end }) => ({
          [startName]: formatMoment(start, format),
          [endName]: formatMoment(end, format),
        }),
        inject(draft, { start, end }) {
          from?.inject(draft, formatMoment(start, format));
          to?.inject(draft, formatMoment(end, format));
        },
        timeOf: (record) => timeIn(memberAt(record, field.text()), formats),
      };
    },
  }),
];

function momentOf(bound: ComponentNode | string | null, format: string, build: Build): (() => Moment) | null {
  if (bound === null) return null;
  if (isComponentNode(bound))
    return build.make("moment", bound["datetime_format"] ? bound : { ...bound, datetime_format: format });
  return build.make("moment", { type: "MinMaxDatetime", datetime: bound, datetime_format: format });
}

/** Neighbouring steps lie one unit of the system's clock apart. */
function stepFrom(
  begin: Moment,
  end: Moment,
  step: Duration | null,
  grain: Duration | null,
): { interval: Interval; next: Moment | null } {
  if (!step?.isPositive) return { interval: { start: begin, end }, next: null };
  const next = withinCalendar(() => begin.plus(step));
  if (!next || next.compare(end) > 0) return { interval: { start: begin, end }, next: null };
  return { interval: { start: begin, end: grain ? next.plus(grain, -1) : next }, next };
}

const memberAt = (record: Value, path: string): Value => {
  if (typeof record !== "object" || record === null || Array.isArray(record)) return null;
  if (Object.hasOwn(record, path)) return record[path] ?? null;
  const [first = "", ...rest] = path.split(".");
  return rest.length > 0 && Object.hasOwn(record, first) ? memberAt(record[first] ?? null, rest.join(".")) : null;
};

function timeIn(value: Value, formats: readonly string[]): Moment | null {
  if (value === null || value === "" || typeof value === "boolean") return null;
  if (typeof value === "object" && !isExactNumber(value)) return null;
  return momentIn(isExactNumber(value) ? value.rawJSON : String(value), formats);
}
