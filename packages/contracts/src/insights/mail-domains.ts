/** Domains of e-mail addresses, in the one way in which they are compared: ASCII, lower case. Runs in browser and server. */
import { z } from "zod";

/** Two labels or more; the last one is a word, as in `example.com`, or an encoded one. */
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;
/** What may not be part of a host name, and would make `URL` read it as something else. */
const NO_HOST_NAME = /[\s/\\:@?#%[\]]/;
/** zod's own pattern, and encoded domains at the end as well. */
const ADDRESS =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/;

/** What was typed as a domain, `@` before it or not, or what is wrong with it. The problem continues “The domain …”. */
export function readDomain(typed: string): { domain: string } | { problem: string } {
  const text = typed.trim();
  const name = text.startsWith("@") ? text.slice(1) : text;
  const at = name.lastIndexOf("@");
  if (at > 0) {
    const behind = readDomain(name.slice(at + 1));
    const fix = "domain" in behind ? `: enter ${behind.domain}` : "";
    return { problem: `“${text}” is an address; only what follows the @ is allowed here${fix}` };
  }
  if (name.includes("*"))
    return { problem: `“${text}” holds a wildcard; name each domain, and each of its subdomains, in full` };
  const domain = asciiName(name);
  if (domain === null || !DOMAIN.test(domain))
    return { problem: `“${text.slice(0, 80)}” is no domain of e-mail addresses; enter one such as example.com` };
  return { domain };
}

function asciiName(name: string): string | null {
  if (name === "" || NO_HOST_NAME.test(name)) return null;
  try {
    return new URL(`http://${name}`).hostname;
  } catch {
    return null;
  }
}

/** An address whose domain is written in the way in which domains are compared; what is none comes back as it was. */
function asciiAddress(typed: string): string {
  const text = typed.trim().toLowerCase();
  const at = text.lastIndexOf("@");
  const read = readDomain(text.slice(at + 1));
  return at > 0 && "domain" in read ? `${text.slice(0, at)}@${read.domain}` : text;
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1);

/** The domain of an address and nothing else: neither its subdomains nor the domain above it. */
export const MailDomain = z
  .string()
  .max(300)
  .transform((typed, issues) => {
    const read = readDomain(typed);
    if ("domain" in read) return read.domain;
    issues.addIssue({ code: "custom", message: read.problem });
    return z.NEVER;
  });

export const MailAddress = z
  .string()
  .max(254)
  .transform(asciiAddress)
  .pipe(z.email({ pattern: ADDRESS, error: "must be an e-mail address" }).max(254));
