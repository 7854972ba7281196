/** What Slack's errors mean, and what to do about each. */
import { actionFailures } from "@accord/contracts/messages/en/sync/run/action-failures";
import { fill } from "@accord/contracts/messages/fill";

interface Facts {
  channel?: string;
  /** Scopes that are missing, as Slack names them. */
  needed?: string;
}

const TOKEN = actionFailures.slack.enterToken;

export function slackWords(error: string, { channel = "the channel", needed = "" }: Facts): string {
  switch (error) {
    case "channel_not_found":
      return fill(actionFailures.slack.noChannel, { channel });
    case "not_in_channel":
      return actionFailures.slack.notInChannel;
    case "is_archived":
      return actionFailures.slack.archived;
    case "invalid_auth":
    case "not_authed":
      return fill(actionFailures.slack.tokenUnknown, { enterToken: TOKEN });
    case "token_revoked":
    case "token_expired":
    case "account_inactive":
      return fill(actionFailures.slack.tokenEnded, { enterToken: TOKEN });
    case "not_allowed_token_type":
      return fill(actionFailures.slack.tokenKind, { enterToken: TOKEN });
    case "missing_scope":
      return needed === ""
        ? actionFailures.slack.scopeMissing
        : fill(actionFailures.slack.scopeNamed, { scope: needed });
    case "msg_too_long":
      return actionFailures.slack.tooLong;
    case "no_text":
      return actionFailures.slack.noText;
    case "restricted_action":
    case "restricted_action_read_only_channel":
    case "ekm_access_denied":
      return actionFailures.slack.notAllowed;
    case "ratelimited":
    case "rate_limited":
      return actionFailures.slack.limited;
    case "service_unavailable":
      return actionFailures.slack.unavailable;
    case "internal_error":
    case "fatal_error":
    case "request_timeout":
      return actionFailures.slack.failed;
    default:
      return fill(actionFailures.slack.refused, { error: error.slice(0, 100) });
  }
}
