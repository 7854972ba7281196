/** The token that calls carry: of a service account, kept for all connections with the same key, or of whoever signed in. */
import { signInFirst, TokenKeeper, type ConnectContext, type Token } from "@accord/connector-sdk";
import type { Addresses } from "../config.ts";
import { digestOf } from "../digest.ts";
import { fetchToken, serviceAccountIn } from "./service-account.ts";

interface Signer {
  /** `refused`: a token that was answered 401. The same one is given where it was renewed just now. */
  token(refused: string | null): Promise<string>;
  /** The address that a spreadsheet has to be shared with; null where a person signed in. */
  account(): string | null;
}

/**
 * A connection is opened for each cycle: it would ask for a token of its own each time. By a digest of the key and the
 * address that gave it out, so that nobody who does not show the key gets it.
 */
const shared = new Map<string, Token>();
const MAX_SHARED = 500;
/** One that ends within this time is not handed to another connection. */
const ENDING_MS = 60_000;

export function signerOf(context: ConnectContext, addresses: Addresses): Signer {
  return context.authType === "oauth" ? byConsent(context, addresses) : byKey(context, addresses);
}

function byKey(context: ConnectContext, { token: tokenUrl }: Addresses): Signer {
  const text = context.credentials["serviceAccountKey"] ?? "";
  const place = digestOf([text, tokenUrl]);
  let refusedToken: string | null = null;
  const keeper = new TokenKeeper(
    async () => {
      const known = shared.get(place);
      const isUsable = known && known.value !== refusedToken && known.until - context.now().getTime() > ENDING_MS;
      if (isUsable) return known;
      const token = await fetchToken(context, serviceAccountIn(text), tokenUrl);
      if (shared.size >= MAX_SHARED) shared.clear();
      shared.set(place, token);
      return token;
    },
    () => context.now(),
  );
  return {
    async token(refused) {
      refusedToken = refused ?? refusedToken;
      return keeper.get(refused);
    },
    account: () => serviceAccountIn(text).email,
  };
}

const byConsent = ({ accessToken }: ConnectContext, { consent }: Addresses): Signer => ({
  async token(refused) {
    if (!accessToken) throw signInFirst(new URL(consent).host);
    return (await accessToken(refused === null ? {} : { refused })).value;
  },
  account: () => null,
});
