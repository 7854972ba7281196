/** What Slack's errors mean, and what to do about each. */

interface Facts {
  channel?: string;
  /** Scopes that are missing, as Slack names them. */
  needed?: string;
}

const TOKEN = "Enter a valid bot token in the settings of Slack.";

export function slackWords(error: string, { channel = "the channel", needed = "" }: Facts): string {
  switch (error) {
    case "channel_not_found":
      return `The bot sees no channel ${channel}. Check the name; a private channel has to invite the bot.`;
    case "not_in_channel":
      return "The bot is not in this channel: invite it there, or give it the scope chat:write.public.";
    case "is_archived":
      return "This channel is archived.";
    case "invalid_auth":
    case "not_authed":
      return `Slack does not know the token. ${TOKEN}`;
    case "token_revoked":
    case "token_expired":
    case "account_inactive":
      return `The token counts no longer, or its app was removed from the workspace. ${TOKEN}`;
    case "not_allowed_token_type":
      return `A token of this kind can't do that. ${TOKEN}`;
    case "missing_scope":
      return needed === ""
        ? "The app lacks a scope. Add chat:write, channels:read and groups:read to it, and install it again."
        : `The app lacks the scope ${needed}. Add it, and install the app again.`;
    case "msg_too_long":
      return "The text is longer than Slack takes: 40,000 characters.";
    case "no_text":
      return "Slack shows nothing of this text: write one that is not blank.";
    case "restricted_action":
    case "restricted_action_read_only_channel":
    case "ekm_access_denied":
      return "The workspace does not let this bot write there: ask its administrator.";
    case "ratelimited":
    case "rate_limited":
      return "Slack takes no more messages for the moment.";
    case "service_unavailable":
      return "Slack is not available for the moment.";
    case "internal_error":
    case "fatal_error":
    case "request_timeout":
      return "Slack failed, and does not say whether the message is there.";
    default:
      return `Slack refused it: ${error.slice(0, 100)}.`;
  }
}
