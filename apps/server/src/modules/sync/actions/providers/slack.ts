/**
 * Posts to Slack as a bot by its Web API (https://docs.slack.dev/reference/methods/chat.postMessage). Answers are 200 with
 * `ok` false where it refuses, so that each is read here.
 */
import type { Value, Values } from "@accord/contracts/data/values";
import { textOf } from "@accord/expressions";
import type { HttpWork } from "@accord/sync-engine/actions";
import type { Outbound } from "../../../../platform/outbound/outbound.ts";
import type { SendPermit } from "../../../../platform/lease-deadline.ts";
import { type Attempt, refused } from "../attempt.ts";
import { callHttp } from "../http-call.ts";
import { slackWords } from "./slack-words.ts";

export const SLACK_API = "https://slack.com/api";

/** Slack cuts longer ones off. */
const MAX_TEXT = 40_000;
const CHANNEL_ID = /^[CGD][A-Z0-9]{7,}$/;
/** Of a list of channels: as many pages of as many at most, and milliseconds for all of them. */
const PAGE_SIZE = 200;
const MAX_PAGES = 50;
const MAX_LISTING_MS = 60_000;
const CALL_MS = 30_000;
/** How long a name is taken for the same channel, in milliseconds, and of how many that is kept. */
const KEPT_MS = 600_000;
const MAX_KEPT = 1_000;

export interface SlackBot {
  /** Where the Web API is. */
  endpoint: string;
  token: string;
  /** Of the workspace and its token: names found for another one do not count. */
  key: string;
}

interface SlackDeps {
  outbound: Outbound;
  /** Milliseconds that only grow. */
  now: () => number;
}

export type SlackPoster = ReturnType<typeof slackPoster>;

export function slackPoster({ outbound, now }: SlackDeps) {
  const kept = new Map<string, { id: string; until: number }>();

  const call = async (
    bot: SlackBot,
    method: string,
    parameters: Readonly<Record<string, string>>,
    { id, permit, isRepeatable }: { id: string; permit: SendPermit | undefined; isRepeatable: boolean },
  ): Promise<Attempt> => {
    const headers = { "content-type": "application/x-www-form-urlencoded", authorization: `Bearer ${bot.token}` };
    const body = new URLSearchParams(parameters).toString();
    const work: HttpWork = {
      ...{ kind: "http", method: "POST", url: `${bot.endpoint.replace(/\/+$/, "")}/${method}`, headers, body },
      ...{ secretHeaders: ["authorization"], timeoutMs: CALL_MS, retries: 1, isRepeatable },
    };
    return judged(await callHttp(outbound, work, id, permit));
  };

  /** The id of a channel that is named, or why there is none. */
  const channelOf = async (
    bot: SlackBot,
    named: string,
    sending: { id: string; permit: SendPermit | undefined },
  ): Promise<string | Attempt> => {
    if (CHANNEL_ID.test(named)) return named;
    const name = named.replace(/^#/, "").toLowerCase();
    const key = `${bot.key} ${name}`;
    const known = kept.get(key);
    if (known && known.until > now()) return known.id;
    const end = now() + MAX_LISTING_MS;
    let cursor = "";
    for (let page = 0; page < MAX_PAGES && now() < end; page += 1) {
      const attempt = await call(
        bot,
        "conversations.list",
        { types: "public_channel,private_channel", exclude_archived: "true", limit: String(PAGE_SIZE), cursor },
        { ...sending, isRepeatable: true },
      );
      // Nothing was posted yet, however the list failed.
      if (!attempt.outcome.succeeded) return { ...attempt, isOutcomeKnown: true };
      const { channels, next } = listIn(attempt.outcome.body);
      const found = channels.find((one) => one.name === name);
      if (found) {
        if (kept.size >= MAX_KEPT) kept.clear();
        kept.set(key, { id: found.id, until: now() + KEPT_MS });
        return found.id;
      }
      if (next === "") return refused("slack_channel_not_found", slackWords("channel_not_found", { channel: named }));
      cursor = next;
    }
    return refused(
      "slack_channel_not_found",
      `The list of channels is too long to find ${named} in it. Enter the channel's id instead.`,
    );
  };

  return {
    /** `id` is the same for each try of the action. A message whose answer is missing is not sent again. */
    async post(bot: SlackBot, message: Values, id: string, permit?: SendPermit): Promise<Attempt> {
      const [text, named] = [textOf(message["text"] ?? null), textOf(message["channel"] ?? null).trim()];
      if (named === "") return refused("slack_channel_missing", "Enter a channel: a bot has none of its own.");
      const escaped = withoutMarkup(text);
      if (escaped.length > MAX_TEXT)
        return refused("slack_msg_too_long", slackWords("msg_too_long", { channel: named }));
      const channel = await channelOf(bot, named, { id, permit });
      if (typeof channel !== "string") return channel;
      const attempt = await call(
        bot,
        "chat.postMessage",
        { channel, text: escaped },
        { id, permit, isRepeatable: false },
      );
      if (attempt.outcome.code === "slack_channel_not_found") kept.delete(keyFor(bot, named));
      return attempt;
    },
  };
}

const keyFor = ({ key }: SlackBot, named: string): string => `${key} ${named.replace(/^#/, "").toLowerCase()}`;

/** A record's value may not call everybody (`<!channel>`), or look like a link to somewhere else. */
const withoutMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const objectIn = (value: Value | undefined): Values | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
const wordIn = (value: Value | undefined): string => (typeof value === "string" ? value : "");

/** Errors after which another try may work, and those after which the message may be there. */
const MAY_PASS: ReadonlySet<string> = new Set([
  "ratelimited",
  "rate_limited",
  "service_unavailable",
  "team_added_to_org",
]);
const MAY_BE_DONE: ReadonlySet<string> = new Set(["internal_error", "fatal_error", "request_timeout"]);

/** What Slack answered with status 200. */
function judged(attempt: Attempt): Attempt {
  if (!attempt.outcome.succeeded) return attempt;
  const answer = objectIn(attempt.outcome.body);
  if (answer?.["ok"] === true) return attempt;
  const error = wordIn(answer?.["error"]);
  if (error === "")
    return {
      ...refused("slack_answer_unreadable", "What answered is not Slack's Web API: check its address."),
      isOutcomeKnown: false,
    };
  const words = slackWords(error, { needed: wordIn(answer?.["needed"]) });
  return {
    ...refused(`slack_${error}`, words),
    isOutcomeKnown: !MAY_BE_DONE.has(error),
    isTransient: MAY_PASS.has(error) || MAY_BE_DONE.has(error),
  };
}

function listIn(answer: Value): { channels: { id: string; name: string }[]; next: string } {
  const listed = objectIn(answer)?.["channels"];
  const channels = (Array.isArray(listed) ? listed : []).map((one) => ({
    id: wordIn(objectIn(one)?.["id"]),
    name: wordIn(objectIn(one)?.["name"]).toLowerCase(),
  }));
  return { channels, next: wordIn(objectIn(objectIn(answer)?.["response_metadata"])?.["next_cursor"]) };
}
