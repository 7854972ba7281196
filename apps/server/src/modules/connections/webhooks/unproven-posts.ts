/**
 * Limits posts that do not prove who sent them, by webhook and network: the sender's own limit is for what the sender
 * sent, and whoever knows the address can't use it up. What all networks together make the database do for one webhook
 * is limited as well: the rest is only counted, in this process.
 */
import type { RateLimit, RateLimiter } from "../../../platform/access/rate-limiter.ts";
import type { Clock } from "../../../platform/clock.ts";
import { keepRecent } from "../../../platform/keep-recent.ts";

const UNPROVEN: RateLimit = { scope: "webhook.unproven", attempts: 120, windowMs: 60_000 };
/** In milliseconds. How long all posts of a network are refused unread, once it has made too many. */
const REFUSED_MS = 10_000;
/** Networks remembered in this process, and webhooks. */
const MAX_REMEMBERED = 10_000;
/** Refused posts of one webhook in a minute that are written to its log one by one. */
const MAX_LOGGED = 300;

export interface UnprovenPosts {
  /** Whether a network has made too many just now: what it sends is not looked at, so that nobody guesses on. */
  isRefused(address: string, network: string): boolean;
  /**
   * Counts one. `logged`: few enough for the log. `counted`: the webhook has had many from all networks, so that no more
   * than their number is kept. `refused`: its network has made too many.
   */
  count(address: string, network: string): Promise<"logged" | "counted" | "refused">;
  /** Counts one that is refused whoever sent it; it keeps no other out. Answers whether there are few enough for the log. */
  countUnread(address: string): boolean;
}

export function unprovenPosts({ rateLimiter, clock }: { rateLimiter: RateLimiter; clock: Clock }): UnprovenPosts {
  const refusedUntil = new Map<string, number>();
  const [ofNetworks, ofWebhooks, unread] = [perMinute(clock), perMinute(clock), perMinute(clock)];
  const isWithin = async (address: string, network: string, isLogged: boolean): Promise<boolean> => {
    const inProcess = ofNetworks(`${address} ${network}`);
    return isLogged ? rateLimiter.tryAttempt(UNPROVEN, [address, network]) : inProcess <= UNPROVEN.attempts;
  };
  return {
    isRefused: (address, network) => (refusedUntil.get(`${address} ${network}`) ?? 0) > clock.now().getTime(),
    async count(address, network) {
      const isLogged = ofWebhooks(address) <= MAX_LOGGED;
      if (await isWithin(address, network, isLogged)) return isLogged ? "logged" : "counted";
      keepRecent(refusedUntil, `${address} ${network}`, clock.now().getTime() + REFUSED_MS, MAX_REMEMBERED);
      return "refused";
    },
    countUnread: (address) => unread(address) <= MAX_LOGGED,
  };
}

/** Counts by key, in this process; answers how many there were this minute. */
function perMinute(clock: Clock): (key: string) => number {
  const counted = new Map<string, { minute: number; times: number }>();
  return (key) => {
    const minute = Math.floor(clock.now().getTime() / 60_000);
    const known = counted.get(key);
    const times = known?.minute === minute ? known.times + 1 : 1;
    keepRecent(counted, key, { minute, times }, MAX_REMEMBERED);
    return times;
  };
}
