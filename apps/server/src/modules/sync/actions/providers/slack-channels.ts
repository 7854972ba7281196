/**
 * Ids of a workspace's channels by their names. Slack takes some 20 lists in a minute: one look-up of a bot is under way at a
 * time, all who wait share it, and what it found, or did not find, counts for a while.
 */
import { actionFailures } from "@accord/contracts/messages/en/sync/run/action-failures";
import { fill } from "@accord/contracts/messages/fill";
import { type Attempt, refused } from "../attempt.ts";
import { slackWords } from "./slack-words.ts";

/** Of one look-up: pages, channels, and milliseconds for all of it. */
const MAX_PAGES = 50;
const MAX_CHANNELS = 10_000;
const MAX_LISTING_MS = 60_000;
/** How long a name is taken for the same channel, and for none, in milliseconds. */
const FOUND_MS = 600_000;
const MISSING_MS = 60_000;
/** Of how many bots that is kept. */
const MAX_BOTS = 20;

export interface ChannelPage {
  channels: readonly { id: string; name: string }[];
  /** Cursor of the next page; empty: there is none. */
  next: string;
}

/** Asks for one page; answers what was refused in place of it. */
export type ReadPage = (cursor: string, signal: AbortSignal) => Promise<ChannelPage | Attempt>;

interface Listed {
  ids: ReadonlyMap<string, string>;
  readAt: number;
  /** What a name comes to that is not among them. */
  end: "complete" | "cut" | Attempt;
}

/** `now`: milliseconds that only grow. */
export function keptChannels(now: () => number) {
  const kept = new Map<string, Listed>();
  const underWay = new Map<string, Promise<Listed>>();

  const read = async (bot: string, readPage: ReadPage): Promise<Listed> => {
    const listed = await listedBy(readPage, now);
    // A list that failed takes nothing away from one that still counts.
    if (typeof listed.end === "string" || !kept.has(bot)) {
      if (kept.size >= MAX_BOTS) kept.clear();
      kept.set(bot, listed);
    }
    return listed;
  };

  /** Joins the look-up that is under way. */
  const shared = (bot: string, readPage: ReadPage): Promise<Listed> => {
    const joined = underWay.get(bot) ?? read(bot, readPage).finally(() => underWay.delete(bot));
    underWay.set(bot, joined);
    return joined;
  };

  return {
    /** The id of the channel, or why there is none. */
    async find(bot: string, named: string, readPage: ReadPage): Promise<string | Attempt> {
      const name = named.replace(/^#/, "").toLowerCase();
      const before = kept.get(bot);
      const age = before ? now() - before.readAt : Number.POSITIVE_INFINITY;
      if (age >= FOUND_MS) kept.delete(bot);
      else if (before?.ids.has(name) || (typeof before?.end === "string" && age < MISSING_MS))
        return idIn(before, name, named);
      return idIn(await shared(bot, readPage), name, named);
    },
    /** What was found is not there any more. */
    forget: (bot: string): void => void kept.delete(bot),
  };
}

function idIn({ ids, end }: Listed, name: string, named: string): string | Attempt {
  const id = ids.get(name);
  if (id !== undefined) return id;
  if (end === "complete")
    return refused("slack_channel_not_found", slackWords("channel_not_found", { channel: named }));
  return end === "cut"
    ? refused("slack_channel_not_found", fill(actionFailures.tooManyChannels, { channel: named }))
    : end;
}

async function listedBy(readPage: ReadPage, now: () => number): Promise<Listed> {
  const signal = AbortSignal.timeout(MAX_LISTING_MS);
  const ids = new Map<string, string>();
  const ended = (end: Listed["end"]): Listed => ({ ids, readAt: now(), end });
  let cursor = "";
  for (let page = 0; page < MAX_PAGES && ids.size < MAX_CHANNELS && !signal.aborted; page += 1) {
    const answer = await readPage(cursor, signal);
    if ("outcome" in answer) return ended(signal.aborted ? "cut" : answer);
    for (const { id, name } of answer.channels) if (id !== "" && !ids.has(name)) ids.set(name, id);
    if (answer.next === "") return ended("complete");
    cursor = answer.next;
  }
  return ended("cut");
}
