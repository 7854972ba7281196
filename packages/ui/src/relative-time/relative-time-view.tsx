/** A moment as "12 s ago", kept current; the exact time stands in the tooltip. */
import { Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import { nextTick, relativeTime } from "./relative-time.ts";

export interface RelativeTimeProps {
  /** ISO text or ms; null shows `none`. */
  at: string | number | null | undefined;
  none?: string;
  /** IANA name; the browser's when absent. */
  timeZone?: string;
}

/** Exact moment in a time zone, with its name. */
export function exactTime(at: string | number, timeZone?: string): string {
  return new Date(at).toLocaleString("en-US", {
    dateStyle: "medium",
    timeStyle: "long",
    ...(timeZone ? { timeZone } : {}),
  });
}

export function RelativeTime({ at, none = "–", timeZone }: RelativeTimeProps) {
  const then = at === null || at === undefined ? Number.NaN : new Date(at).getTime();
  if (Number.isNaN(then)) return <span>{none}</span>;
  // By its key: another moment is shown as of when it came, not as of the last tick of the one before it.
  return <Moment key={then} then={then} timeZone={timeZone} />;
}

function Moment({ then, timeZone }: { then: number; timeZone: string | undefined }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), nextTick(then, Date.now()));
    return () => clearTimeout(timer);
  }, [then, now]);
  return (
    <Tooltip label={exactTime(then, timeZone)}>
      <time dateTime={new Date(then).toISOString()}>{relativeTime(then, Math.max(then, now))}</time>
    </Tooltip>
  );
}
