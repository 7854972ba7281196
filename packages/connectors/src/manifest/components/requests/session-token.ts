/** A session: a login request gives a token, which further requests carry until it ends. */
import { ConnectorError, TokenKeeper, type Token } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { STANDARD_DECODER } from "../answers/decoders.ts";
import { defineComponent, optional, Part, Text } from "../component.ts";
import { WHOLE } from "../model.ts";
import { readDuration } from "../times.ts";

export const SESSION_TOKEN = defineComponent({
  type: "SessionTokenAuthenticator",
  family: "authenticator",
  options: {
    login_requester: Part,
    session_token_path: z.array(Text),
    expiration_duration: optional(Text),
    request_authentication: Part,
    decoder: optional(Part),
  },
  slots: {
    login_requester: { type: "HttpRequester" },
    request_authentication: {},
    decoder: { type: "JsonDecoder" },
  },
  make(options, build) {
    const requester = build.make("requester", options.login_requester);
    const decoder = options.decoder ? build.make("decoder", options.decoder) : STANDARD_DECODER;
    const signWith = build.make("sessionAuthenticator", options.request_authentication);
    const path = options.session_token_path.map((step) => build.template(step));
    const life = options.expiration_duration ? build.template(options.expiration_duration) : null;
    const login = async (): Promise<Token> => {
      const call = { slice: WHOLE, token: null, address: null, inject: () => {} };
      const answer = await requester.send({ ...call, inject: (draft) => void (draft.isSecret = true) }, (one) =>
        decoder.decode(one),
      );
      const [body = null] = answer ? decoder.decode(answer) : [];
      const token = path.reduce((value: Value | undefined, step) => memberOf(value, step.text()), body);
      if (typeof token !== "string" && typeof token !== "number")
        throw new ConnectorError("authentication", `${answer?.place ?? "The login"} answered no session token.`, {
          hint: "Check the credentials, and where the manifest looks for the token.",
        });
      const ms = life ? readDuration(life.text(), build).ms : Infinity;
      return { value: String(token), until: build.runtime.now().getTime() + ms };
    };
    // How a token is used makes no other session of it.
    const key = `session ${JSON.stringify({ ...options, request_authentication: null })}`;
    const keeper = build.runtime.tokens(key, () => new TokenKeeper(login, () => build.runtime.now()));
    let last: string | null = null;
    return {
      canRenew: () => keeper.mayReplace(last),
      async sign(draft, renew) {
        const token = await keeper.get(renew ? last : null);
        last = token;
        draft.secretValues.add(token);
        await signWith(() => token).sign(draft, false);
      },
    };
  },
});

const memberOf = (value: Value | undefined, key: string): Value | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? value[key]
    : undefined;
