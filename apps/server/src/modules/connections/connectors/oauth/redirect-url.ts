/** Where systems send people back to who signed in there: one address for the whole installation. */
import { API_PREFIX } from "@accord/contracts";
import { SIGN_IN_CALLBACK } from "@accord/contracts/connections/oauth-sign-in";
import type { Config } from "../../../../config.ts";

export const redirectUrlOf = ({ baseUrl }: Pick<Config, "baseUrl">): string =>
  `${baseUrl}${API_PREFIX}${SIGN_IN_CALLBACK}`;
