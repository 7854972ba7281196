/**
 * Limits posts that do not prove who sent them, by webhook and network: the sender's own limit is for what the sender
 * sent, and whoever knows the address can't use it up.
 */
import type { RateLimit, RateLimiter } from "../../../platform/access/rate-limiter.ts";
import type { Clock } from "../../../platform/clock.ts";
import { keepRecent } from "../../../platform/keep-recent.ts";

const UNPROVEN: RateLimit = { scope: "webhook.unproven", attempts: 120, windowMs: 60_000 };
/** In milliseconds. How long all posts of a network are refused unread, once it has made too many. */
const REFUSED_MS = 10_000;
/** Networks remembered in this process. */
const MAX_NETWORKS = 10_000;

export interface UnprovenPosts {
  /** Whether a network has made too many just now: what it sends is not looked at, so that nobody guesses on. */
  isRefused(address: string, network: string): boolean;
  /** Counts one. Answers whether there were few enough to be told of. */
  count(address: string, network: string): Promise<boolean>;
}

export function unprovenPosts({ rateLimiter, clock }: { rateLimiter: RateLimiter; clock: Clock }): UnprovenPosts {
  const refusedUntil = new Map<string, number>();
  return {
    isRefused: (address, network) => (refusedUntil.get(`${address} ${network}`) ?? 0) > clock.now().getTime(),
    async count(address, network) {
      if (await rateLimiter.tryAttempt(UNPROVEN, [address, network])) return true;
      keepRecent(refusedUntil, `${address} ${network}`, clock.now().getTime() + REFUSED_MS, MAX_NETWORKS);
      return false;
    },
  };
}
