/** Since when something stands, as a time of the clock: "since 14:02". The exact moment stands in the tooltip. */
import { clockTime, exactTime } from "@accord/ui";
import { Tooltip } from "@mantine/core";

export interface SinceProps {
  /** ISO text. */
  at: string;
  /** The words around the time, such as "since 14:02". */
  words: (time: string) => string;
}

export function Since({ at, words }: SinceProps) {
  return (
    <Tooltip label={exactTime(at)}>
      <time dateTime={at}>{words(clockTime(Date.parse(at), Date.now()))}</time>
    </Tooltip>
  );
}
