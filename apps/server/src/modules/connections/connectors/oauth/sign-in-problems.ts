/** Why a sign-in at a system came to nothing, as the person who began it is shown. */
import { ConnectorError } from "@accord/connector-sdk";
import type { ConnectorProblem } from "@accord/contracts/connections/connectors";
import { SIGN_IN_SECONDS, type SystemAccount } from "@accord/contracts/connections/oauth-sign-in";
import type { Deps } from "../../../../platform/deps.ts";
import { otherAccount } from "./problems.ts";
import type { OtherAccount } from "./sign-ins.store.ts";
import { TokenRequestError } from "./token-requests.ts";

/** The system named another account than the one that the connection belongs to. */
export class OtherAccountError extends TokenRequestError {
  override name = "OtherAccountError";
  readonly accounts: OtherAccount;

  constructor(former: SystemAccount, found: SystemAccount | null) {
    super(otherAccount(former, found));
    this.accounts = { former, found };
  }
}

const failed = (message: string, hint: string): ConnectorProblem => ({
  kind: "authentication",
  message: `Failed OAuth: ${message}`,
  hint,
});
const AGAIN = "Sign in once more.";
export const SESSION_PROBLEM = failed(
  "the answer of the system came to another session than the one that asked for it.",
  AGAIN,
);
export const ADDRESS_PROBLEM = failed(
  "the answer came to another redirect address than the one that the sign-in was begun with.",
  "Enter the redirect address of this synapse in the app of the system, and sign in once more. If that is so already, the answer may be another system's: ask whoever set the synapse up.",
);
export const NEW_ADDRESS =
  "It signs in at another system than before, and has another redirect address now. Enter that in the app of the system, then sign in.";
export const ADDRESS_CHANGED = "Its redirect address was changed meanwhile. Open its settings again, then sign in.";
export const CHOICE_OVER =
  "This sign-in is over, and with it the choice of its account. Sign in once more to see which account it is.";
export const OVER_PROBLEM = failed(`nobody was back within ${SIGN_IN_SECONDS / 60} minutes.`, AGAIN);
export const RIGHTS_PROBLEM = failed(
  "you may not edit this synapse any more.",
  "Ask an administrator for the right to edit it.",
);

export const changedMeanwhile = (): ConnectorError =>
  new ConnectorError("configuration", "Failed OAuth: the settings were changed while you signed in.", { hint: AGAIN });

/** What a person is shown. Unforeseen failures go to the log. */
export function problemOf(error: unknown, { log }: Pick<Deps, "log">): ConnectorProblem {
  const reason = error instanceof TokenRequestError ? error.reason : error;
  if (reason instanceof ConnectorError) {
    const { kind, message, hint } = reason;
    const named = message.startsWith("Failed OAuth") ? message : `Failed OAuth: ${message}`;
    return { kind, message: named, ...(hint !== undefined && { hint }) };
  }
  log.error({ err: error }, "a sign-in at a system failed");
  return failed("it could not be finished.", "Check the settings of the sign-in, and sign in once more.");
}
