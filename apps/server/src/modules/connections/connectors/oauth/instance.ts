/** The instance of a system that tokens are given for, where the system's answer names it: calls go there in place of the configured address. */
import { isLoopback, type AuthorizationSettings, type ConnectorError } from "@accord/connector-sdk";
import type { Deps } from "../../../../platform/deps.ts";
import { OutboundError } from "../../../../platform/outbound/outbound.ts";
import { outboundFailure } from "../connection-context.ts";

type Named = Pick<AuthorizationSettings, "instanceMember">;

/** Its origin; null where none is named or asked for, or it is no address that a token may be sent to. */
export function instanceIn({ instanceMember }: Named, answer: Readonly<Record<string, unknown>>): string | null {
  const named = instanceMember === null ? null : answer[instanceMember];
  if (typeof named !== "string" || !URL.canParse(named)) return null;
  const { protocol, hostname, username, password, origin } = new URL(named);
  const isEncrypted = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
  return isEncrypted && username === "" && password === "" ? origin : null;
}

/** Why the server may not call it; null: it may, or its name can't be resolved just now. */
export async function forbiddenInstance(
  outbound: Pick<Deps["outbound"], "resolveHost">,
  instance: string,
): Promise<ConnectorError | null> {
  const { protocol, hostname, host, port } = new URL(instance);
  try {
    await outbound.resolveHost(hostname.replace(/^\[|\]$/g, ""), Number(port) || (protocol === "http:" ? 80 : 443));
    return null;
  } catch (error) {
    return error instanceof OutboundError && error.reason === "refused" ? outboundFailure(error, host) : null;
  }
}
