/** Since when something stands, as a time of the clock: "since 14:02". The exact moment stands in the tooltip. */
import { clockTime, exactTime } from "@accord/ui";
import { Tooltip } from "@mantine/core";
import { useState } from "react";

export interface SinceProps {
  /** ISO text. */
  at: string;
  /** The words around the time, such as "since 14:02". */
  words: (time: string) => string;
}

export function Since({ at, words }: SinceProps) {
  // Near enough: it decides whether the date is told as well.
  const [now] = useState(() => Date.now());
  return (
    <Tooltip label={exactTime(at)}>
      <time dateTime={at}>{words(clockTime(Date.parse(at), now))}</time>
    </Tooltip>
  );
}
