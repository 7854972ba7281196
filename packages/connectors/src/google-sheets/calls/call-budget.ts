/** How many calls an account may make within a minute, by kind: counted for all connections of this process that show the same credentials. */
import { ConnectorError, type ConnectContext } from "@accord/connector-sdk";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { digestOf } from "../digest.ts";

export type CallKind = "read" | "write";

/** Google counts by the minute, and for each user alone. */
export const MINUTE_MS = 60_000;

/** When calls left within the last minute, milliseconds, by account and kind. */
const left = new Map<string, number[]>();
const MAX_ACCOUNTS = 2_000;

interface CallBudget {
  /** @throws ConnectorError `rateLimited`, never sent, with the time until there is room. */
  take(kind: CallKind): void;
}

export function callBudget(
  { credentials, now }: Pick<ConnectContext, "credentials" | "now">,
  place: string,
  limits: Readonly<Record<CallKind, number>>,
): CallBudget {
  const account = digestOf([place, credentials]);
  return {
    take(kind) {
      const key = `${account} ${kind}`;
      const moment = now().getTime();
      const recent = (left.get(key) ?? []).filter((at) => at > moment - MINUTE_MS && at <= moment);
      const blocking = recent.at(-limits[kind]);
      if (blocking !== undefined)
        throw new ConnectorError("rateLimited", googleSheets.calls.ownBudget, {
          retryAfterMs: blocking + MINUTE_MS - moment,
          neverSent: true,
        });
      if (left.size >= MAX_ACCOUNTS) left.clear();
      left.set(key, [...recent, moment]);
    },
  };
}
