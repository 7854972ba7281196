/** Opens the page of a system where a person signs in: in a window of its own, or in place of ours where that is blocked. */
import { beginConnectorSignIn, type SignInAttempt } from "@accord/contracts/connections/oauth-sign-in";
import { call } from "../../../app/api.ts";
import type { ConnectorId } from "../queries.ts";

const WINDOW = "popup,width=640,height=760";

/**
 * To be called in the click itself: browsers block windows that open later. `prepare` saves what is signed in for. What it
 * throws is thrown on, and the window is closed again.
 */
export async function openSignIn(
  prepare: () => Promise<ConnectorId>,
  opening: string,
  more: { useAccountOf?: SignInAttempt["id"] } = {},
): Promise<void> {
  const own = window.open("about:blank", "_blank", WINDOW);
  if (own) own.document.body.textContent = opening;
  try {
    const connectorId = await prepare();
    const input = { params: { connectorId }, body: { ...more, window: own ? ("own" as const) : ("same" as const) } };
    const { authorizationUrl } = await call(beginConnectorSignIn, input);
    if (!own) return window.location.assign(authorizationUrl);
    // The system's page learns nothing of ours.
    own.opener = null;
    own.location.replace(authorizationUrl);
  } catch (error) {
    own?.close();
    throw error;
  }
}
