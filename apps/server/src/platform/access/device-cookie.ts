/**
 * Remembers browsers that signed in: a signed cookie for each account, worth nothing but an attempt count of its own. Who
 * floods an account with wrong passwords does not have it, and so can't use up the attempts of those who do.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Exchange } from "../ctx.ts";
import type { Deps } from "../deps.ts";
import { hostCookieName } from "../http/request/session-cookie.ts";

const MAX_ACCOUNTS = 8;
const LIFETIME_SECONDS = 180 * 86_400;
const DEVICE = /^[0-9a-f]{32}$/;

export interface DeviceCookie {
  /** The device's id if this browser signed in to the account before. */
  find(exchange: Exchange, account: string): string | null;
  remember(exchange: Exchange, account: string): void;
}

export function deviceCookie({ config, secrets }: Pick<Deps, "config" | "secrets">): DeviceCookie {
  const name = hostCookieName("accord_device", config.baseUrl);
  const sign = (device: string, account: string) => secrets.sign("device", `${device} ${account}`).slice(0, 32);
  const entriesOf = (exchange: Exchange) => (exchange.cookie(name) ?? "").split("~").slice(0, MAX_ACCOUNTS);

  function deviceOf(entry: string, account: string): string | null {
    const [device = "", signature = ""] = entry.split(".");
    return DEVICE.test(device) && isEqual(signature, sign(device, account)) ? device : null;
  }

  const find: DeviceCookie["find"] = (exchange, account) => {
    for (const entry of entriesOf(exchange)) {
      const device = deviceOf(entry, account);
      if (device !== null) return device;
    }
    return null;
  };

  return {
    find,
    remember(exchange, account) {
      const device = find(exchange, account) ?? randomBytes(16).toString("hex");
      const others = entriesOf(exchange).filter((entry) => entry !== "" && deviceOf(entry, account) === null);
      const entries = [`${device}.${sign(device, account)}`, ...others].slice(0, MAX_ACCOUNTS);
      exchange.setCookie(name, entries.join("~"), { path: "/", sameSite: "lax", maxAge: LIFETIME_SECONDS });
    },
  };
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
