/**
 * Posts to Slack as a bot by its Web API (https://docs.slack.dev/reference/methods/chat.postMessage). Answers are 200 with
 * `ok` false where it refuses, so that each is read here.
 */
import { actionFailures } from "@accord/contracts/messages/en/sync/run/action-failures";
import type { Value, Values } from "@accord/contracts/data/values";
import { textOf } from "@accord/expressions";
import type { HttpWork } from "@accord/sync-engine/actions";
import type { Outbound } from "../../../../platform/outbound/outbound.ts";
import type { SendPermit } from "../../../../platform/lease-deadline.ts";
import { type Attempt, refused } from "../attempt.ts";
import { exchange, wholeBody } from "../http-call.ts";
import { keptChannels, type ChannelPage } from "./slack-channels.ts";
import { slackWords } from "./slack-words.ts";

export const SLACK_API = "https://slack.com/api";

/** Slack cuts longer ones off. */
const MAX_TEXT = 40_000;
const CHANNEL_ID = /^[CGD][A-Z0-9]{7,}$/;
/** Of a list of channels: as many on a page at most, and milliseconds for a call. Slack answers with fewer as it likes. */
const PAGE_SIZE = 999;
const CALL_MS = 30_000;

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

interface Sending {
  id: string;
  permit: SendPermit | undefined;
}

export function slackPoster({ outbound, now }: SlackDeps) {
  const call = async (
    bot: SlackBot,
    method: string,
    parameters: Readonly<Record<string, string>>,
    { id, permit, isRepeatable }: Sending & { isRepeatable: boolean },
    channel?: string,
  ): Promise<{ attempt: Attempt; answer: Value }> => {
    const headers = { "content-type": "application/x-www-form-urlencoded", authorization: `Bearer ${bot.token}` };
    const body = new URLSearchParams(parameters).toString();
    const work: HttpWork = {
      ...{ kind: "http", method: "POST", url: `${bot.endpoint.replace(/\/+$/, "")}/${method}`, headers, body },
      ...{ secretHeaders: ["authorization"], timeoutMs: CALL_MS, retries: 1, isRepeatable },
    };
    const { attempt, reply } = await exchange(outbound, work, id, permit);
    const answer = reply && wholeBody(reply);
    return { attempt: judged(attempt, answer, channel), answer };
  };

  const channels = keptChannels(now);

  /** The id of a channel by its name, or why there is none. */
  const channelNamed = (bot: SlackBot, named: string, id: string): Promise<string | Attempt> =>
    channels.find(bot.key, named, async (cursor, signal): Promise<ChannelPage | Attempt> => {
      const { attempt, answer } = await call(
        bot,
        "conversations.list",
        { types: "public_channel,private_channel", exclude_archived: "true", limit: String(PAGE_SIZE), cursor },
        // All who wait share it: none of their leases bounds it, and each is checked again before it posts.
        { id, permit: { assertMaySend: () => {}, signal }, isRepeatable: true },
      );
      // Nothing was posted yet, however the list failed.
      return attempt.outcome.succeeded ? listIn(answer) : { ...attempt, isOutcomeKnown: true };
    });

  return {
    /** `id` is the same for each try of the action. A message whose answer is missing is not sent again. */
    async post(bot: SlackBot, message: Values, id: string, permit?: SendPermit): Promise<Attempt> {
      const [text, named] = [textOf(message["text"] ?? null), textOf(message["channel"] ?? null).trim()];
      if (named === "") return refused("slack_channel_missing", actionFailures.slackChannelMissing);
      const escaped = withoutMarkup(text);
      if (escaped.length > MAX_TEXT)
        return refused("slack_msg_too_long", slackWords("msg_too_long", { channel: named }));
      const send = async (channel: string): Promise<Attempt> => {
        const sending = { id, permit, isRepeatable: false };
        return (await call(bot, "chat.postMessage", { channel, text: escaped }, sending, named)).attempt;
      };
      if (CHANNEL_ID.test(named)) {
        const attempt = await send(named);
        // Nothing was posted. A name in capitals looks like an id.
        if (!isNotFound(attempt)) return attempt;
      }
      const channel = await channelNamed(bot, named, id);
      if (typeof channel !== "string") return channel;
      const attempt = await send(channel);
      if (isNotFound(attempt)) channels.forget(bot.key);
      return attempt;
    },
  };
}

const isNotFound = ({ outcome }: Attempt): boolean => outcome.code === "slack_channel_not_found";

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

/** What Slack answered with status 200. `channel`: as it was entered. */
function judged(attempt: Attempt, body: Value, channel: string | undefined): Attempt {
  if (!attempt.outcome.succeeded) return attempt;
  const answer = objectIn(body);
  if (answer?.["ok"] === true) return attempt;
  const error = wordIn(answer?.["error"]);
  if (error === "")
    return {
      ...refused("slack_answer_unreadable", actionFailures.notSlack),
      isOutcomeKnown: false,
    };
  const words = slackWords(error, {
    needed: wordIn(answer?.["needed"]),
    ...(channel !== undefined && { channel }),
  });
  return {
    ...refused(`slack_${error}`, words),
    isOutcomeKnown: !MAY_BE_DONE.has(error),
    isTransient: MAY_PASS.has(error) || MAY_BE_DONE.has(error),
  };
}

function listIn(answer: Value): ChannelPage {
  const listed = objectIn(answer)?.["channels"];
  const channels = (Array.isArray(listed) ? listed : []).map((one) => ({
    id: wordIn(objectIn(one)?.["id"]),
    name: wordIn(objectIn(one)?.["name"]).toLowerCase(),
  }));
  return { channels, next: wordIn(objectIn(objectIn(answer)?.["response_metadata"])?.["next_cursor"]) };
}
