/** How streams sign in: keys, tokens, passwords, OAuth, sessions, and a choice among them. */
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { defineComponent, optional, Part, Text, type Component } from "../component.ts";
import { isComponentNode } from "../node.ts";
import type { Authenticator, Build, Draft, RequestOption } from "../model.ts";
import { credential } from "./credential.ts";
import { addHeader } from "./options.ts";
import { OAUTH } from "./oauth.ts";
import { SESSION_TOKEN } from "./session-token.ts";

export const bearer = (token: () => string): Authenticator => ({
  canRenew: () => false,
  sign: async (draft) => addHeader(draft, "authorization", `Bearer ${token()}`, true),
});

export const injected = (option: RequestOption, token: () => string): Authenticator => ({
  canRenew: () => false,
  async sign(draft: Draft) {
    draft.isSecret = true;
    option.inject(draft, token());
  },
});

export const AUTHENTICATORS: readonly Component<"authenticator">[] = [
  defineComponent({
    type: "NoAuth",
    family: "authenticator",
    options: {},
    make: () => ({ canRenew: () => false, sign: async () => {} }),
  }),
  defineComponent({
    type: "ApiKeyAuthenticator",
    family: "authenticator",
    options: { api_token: optional(Text), header: optional(Text), inject_into: optional(Part) },
    slots: { inject_into: { type: "RequestOption" } },
    make({ api_token, header, inject_into }, build) {
      const token = build.template(api_token ?? "");
      const key = (): string => credential(token, "the API key", build);
      if (inject_into) return injected(build.make("requestOption", inject_into), key);
      if (!header) throw build.problem("ApiKeyAuthenticator needs inject_into or header");
      const name = build.template(header);
      return { canRenew: () => false, sign: async (draft) => addHeader(draft, name.text(), key(), true) };
    },
  }),
  defineComponent({
    type: "BearerAuthenticator",
    family: "authenticator",
    options: { api_token: Text },
    make({ api_token }, build) {
      const token = build.template(api_token);
      return bearer(() => credential(token, "the token", build));
    },
  }),
  defineComponent({
    type: "BasicHttpAuthenticator",
    family: "authenticator",
    options: { username: Text, password: optional(Text) },
    make({ username, password }, build) {
      const [user, word] = [build.template(username), build.template(password ?? "")];
      return {
        canRenew: () => false,
        async sign(draft) {
          const pair = `${credential(user, "the user name", build)}:${word.text()}`;
          addHeader(draft, "authorization", `Basic ${Buffer.from(pair).toString("base64")}`, true);
        },
      };
    },
  }),
  defineComponent({
    type: "SelectiveAuthenticator",
    family: "authenticator",
    options: { authenticator_selection_path: z.array(Text), authenticators: z.record(z.string(), Part) },
    slots: { authenticators: { isMap: true } },
    make({ authenticator_selection_path: path, authenticators }, build) {
      const chosen = path.reduce((value: Value | undefined, key) => memberOf(value, key), build.config);
      const node = authenticators[String(chosen)];
      if (isComponentNode(node)) return build.make("authenticator", node);
      const offered = Object.keys(authenticators).join(", ");
      return refusing(build, `the input ${path.join(".")} chooses how to sign in: it must be one of ${offered}`);
    },
  }),
  OAUTH,
  SESSION_TOKEN,
];

const memberOf = (value: Value | undefined, key: string): Value | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? value[key]
    : undefined;

/** What is chosen by an input that is not filled in yet fails when it is used, not when a manifest is looked at. */
const refusing = (build: Build, sentence: string): Authenticator => ({
  canRenew: () => false,
  sign: async () => {
    throw build.problem(sentence);
  },
});

/** Their names in manifests are short; the long ones are those of the documentation. */
const sessionTypes = (short: string, long: string, make: (type: string) => Component<"sessionAuthenticator">) => [
  make(short),
  make(long),
];

export const SESSION_AUTHENTICATORS: readonly Component<"sessionAuthenticator">[] = [
  ...sessionTypes("ApiKey", "SessionTokenRequestApiKeyAuthenticator", (type) =>
    defineComponent({
      type,
      family: "sessionAuthenticator",
      options: { inject_into: Part },
      slots: { inject_into: { type: "RequestOption" } },
      refuses: ["api_token"],
      make({ inject_into }, build) {
        const option = build.make("requestOption", inject_into);
        return (token) => injected(option, token);
      },
    }),
  ),
  ...sessionTypes("Bearer", "SessionTokenRequestBearerAuthenticator", (type) =>
    defineComponent({ type, family: "sessionAuthenticator", options: {}, make: () => bearer }),
  ),
];
