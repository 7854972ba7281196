/**
 * Attempts at a password or code, at every door where one is asked for. A stranger's wrong attempts use up the stranger's
 * own count; the account as a whole is slowed down, and refused only while that wait would be too long.
 */
import type { Exchange } from "../ctx.ts";
import type { Deps } from "../deps.ts";
import { type DeviceCookie, deviceCookie } from "./device-cookie.ts";
import { fairQueue } from "./fair-queue.ts";
import type { PacedLimit, RateLimit } from "./rate-limiter.ts";

export interface CredentialLimits {
  /** Doors take turns: a flood at one does not fill the way to the others. */
  lane: string;
  /** All attempts of a network, whatever the account. */
  network: RateLimit;
  /** Those of one network at one account. */
  accountAndNetwork: RateLimit;
  /** All attempts at one account, from wherever. */
  account: PacedLimit;
  /** Those of a browser that signed in to the account before: none of the others count for it. */
  device: RateLimit;
}

export interface CredentialAttempt {
  /** The credential was right: what was counted for it is forgotten, the browser remembered. */
  succeed(): Promise<void>;
  /** Whether this attempt, if it fails, makes so many that the person should be told: true once for a burst. */
  readonly completesBurst: boolean;
}

export interface CredentialAttempts {
  /** Counts an attempt before it is looked at. @throws AppError `too_many_tries` */
  begin(limits: CredentialLimits, exchange: Exchange, account: string): Promise<CredentialAttempt>;
  /** After the person proved who they are by other means: nobody's wrong attempts stand in their way. */
  forgive(limits: CredentialLimits, exchange: Exchange, account: string): Promise<void>;
}

/** Wrong attempts after which the person is told. */
const BURST = 10;
/** Attempts that are counted at a time: a flood of them leaves connections to everybody else. */
const MAX_COUNTED_AT_ONCE = 4;
const MAX_WAITING = 2_000;
const queue = fairQueue({ maxParallel: MAX_COUNTED_AT_ONCE, maxWaiting: MAX_WAITING });

export function credentialAttempts(deps: Pick<Deps, "config" | "rateLimiter" | "secrets">): CredentialAttempts {
  const { rateLimiter } = deps;
  const devices: DeviceCookie = deviceCookie(deps);

  async function beginOnDevice(limits: CredentialLimits, exchange: Exchange, account: string, device: string) {
    const key = [account, device] as const;
    const count = await rateLimiter.consumeAttempt(limits.device, key);
    return {
      completesBurst: count === BURST,
      async succeed() {
        await rateLimiter.resetAttempts(limits.device, key);
        devices.remember(exchange, account);
      },
    };
  }

  /** Counts the attempt under the network and under network and account; null when the account is next. */
  async function countNetwork(limits: CredentialLimits, { network }: Exchange, key: readonly [string, string]) {
    await rateLimiter.consumeAttempt(limits.network, network);
    await rateLimiter.consumeAttempt(limits.accountAndNetwork, key);
  }

  return {
    async begin(limits, exchange, account) {
      const { network } = exchange;
      const place = { lane: limits.lane, client: network };
      const device = devices.find(exchange, account);
      if (device !== null) return queue.run(place, () => beginOnDevice(limits, exchange, account, device));
      const key = [account, network] as const;
      await queue.run(place, () => countNetwork(limits, exchange, key));
      const count = await rateLimiter.awaitAttempt(limits.account, account).catch(async (error: unknown) => {
        await rateLimiter.refundAttempt(limits.network, network);
        await rateLimiter.refundAttempt(limits.accountAndNetwork, key);
        throw error;
      });
      return {
        completesBurst: count === BURST,
        async succeed() {
          await rateLimiter.refundAttempt(limits.network, network);
          await rateLimiter.resetAttempts(limits.accountAndNetwork, key);
          await rateLimiter.resetAttempts(limits.account, account);
          devices.remember(exchange, account);
        },
      };
    },

    async forgive(limits, exchange, account) {
      await rateLimiter.resetAttempts(limits.accountAndNetwork, account);
      await rateLimiter.resetAttempts(limits.account, account);
      devices.remember(exchange, account);
    },
  };
}
