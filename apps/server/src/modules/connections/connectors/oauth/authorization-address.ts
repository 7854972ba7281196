/** The address of a system's page where a person signs in and consents. */
import type { AuthorizationSettings } from "@accord/connector-sdk";

/** RFC 6749, section 4.1.1, and RFC 7636. */
export function addressOf(
  { authorizationUrl, clientId, scope, parameters, pkce, account }: AuthorizationSettings,
  { redirectUrl, state, challenge, nonce }: { redirectUrl: string; state: string; challenge: string; nonce: string },
): string {
  const url = new URL(authorizationUrl);
  const own = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUrl,
    ...(scope === "" ? {} : { scope }),
    state,
    ...(pkce ? { code_challenge: challenge, code_challenge_method: "S256" } : {}),
    ...(account?.from === "idToken" ? { nonce } : {}),
  };
  for (const [name, value] of Object.entries({ ...parameters, ...own })) url.searchParams.set(name, value);
  url.hash = "";
  return url.href;
}
