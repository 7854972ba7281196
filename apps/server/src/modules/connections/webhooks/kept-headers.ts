/** Headers of a post as its log keeps them: all names, and the values of those that prove nothing about the sender. */
import type { IncomingHttpHeaders } from "node:http";
import { findConnectorType } from "@accord/connectors";
import { z } from "zod";

/** Headers of one post, and characters of all its names and values together. */
const MAX_HEADERS = 60;
const MAX_CHARACTERS = 4_000;
const MAX_VALUE = 300;

/**
 * Whose values are kept. Any other may prove who sends, whatever it is called: a sender's secret in a header of its own
 * would stand there for everybody who may read the log.
 */
const SHOWN =
  /^(accept|accept-encoding|accept-language|connection|content-encoding|content-length|content-type|date|host|origin|transfer-encoding|user-agent|traceparent|webhook-id|webhook-timestamp|x-request-id|x-slack-request-timestamp|x-slack-retry-num|x-slack-retry-reason|x-[a-z0-9-]*-?(event|event-id|topic|delivery|hook-id|timestamp|triggered-at|api-version))$/;

export const KeptHeaders = z.array(z.tuple([z.string(), z.string().nullable()]));
export type KeptHeaders = z.infer<typeof KeptHeaders>;

/** What of a webhook proves its sender. */
interface Proof {
  authType: string;
  credentials: Readonly<Record<string, string>>;
  config: Readonly<Record<string, unknown>>;
}

/** Not shown: a header that the webhook looks at for a proof, and one that holds a secret of it whatever its name. */
export function keptHeaders(headers: IncomingHttpHeaders, proof: Proof): KeptHeaders {
  const [names, secrets] = [provingNames(proof), secretsOf(proof)];
  const kept: KeptHeaders = [];
  let left = MAX_CHARACTERS;
  for (const [name, given] of Object.entries(headers).slice(0, MAX_HEADERS)) {
    const value = Array.isArray(given) ? given.join(", ") : (given ?? "");
    const isShown = SHOWN.test(name) && !names.includes(name) && !secrets.some((secret) => value.includes(secret));
    const shown = isShown ? value.slice(0, MAX_VALUE) : null;
    left -= name.length + (shown?.length ?? 0);
    if (left < 0) break;
    kept.push([name, shown]);
  }
  return kept;
}

/** A user's name, say, proves nothing, and may stand in any header. */
function secretsOf({ authType, credentials }: Proof): string[] {
  const method = findConnectorType("webhook")?.authMethods.find(({ type }) => type === authType);
  const isPlain = (name: string): boolean =>
    method?.fields.some((field) => field.name === name && !field.secret) ?? false;
  return Object.entries(credentials).flatMap(([name, value]) => (value === "" || isPlain(name) ? [] : [value]));
}

/** As they are stored: what is wrong with other settings says nothing of them. */
const provingNames = ({ config }: Proof): string[] =>
  [config["apiKeyHeader"], config["signatureHeader"]].flatMap((name) =>
    typeof name === "string" ? [name.trim().toLowerCase()] : [],
  );
