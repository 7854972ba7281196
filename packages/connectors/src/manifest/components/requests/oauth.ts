/** OAuth 2: an access token by refresh token or client credentials, kept in memory. */
import { classifyStatus, ConnectorError, TokenKeeper, type Token } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { jsonIn } from "../answers/json.ts";
import { defineComponent, optional, Text } from "../component.ts";
import type { BoundTemplate, Build, Draft, RawAnswer } from "../model.ts";
import { assertReadable, momentIn } from "../times.ts";
import { credential } from "./credential.ts";
import { addHeader } from "./options.ts";

const Structure = z.record(
  z.string(),
  z.custom<Value>((value) => value !== undefined),
);

const OPTIONS = {
  token_refresh_endpoint: optional(Text),
  client_id: optional(Text),
  client_secret: optional(Text),
  refresh_token: optional(Text),
  access_token_value: optional(Text),
  access_token_name: optional(Text),
  expires_in_name: optional(Text),
  client_id_name: optional(Text),
  client_secret_name: optional(Text),
  refresh_token_name: optional(Text),
  grant_type_name: optional(Text),
  grant_type: optional(Text),
  scopes: optional(z.array(Text)),
  refresh_request_body: optional(Structure),
  refresh_request_headers: optional(Structure),
  token_expiry_date_format: optional(Text),
  token_expiry_is_time_of_expiration: optional(z.boolean()),
};
type Options = z.output<z.ZodObject<typeof OPTIONS>>;

/** Where an answer does not say how long a token lives. */
const DEFAULT_LIFE_S = 3_600;

export const OAUTH = defineComponent({
  type: "OAuthAuthenticator",
  family: "authenticator",
  options: OPTIONS,
  refuses: ["refresh_token_updater", "use_profile_assertion", "profile_assertion"],
  make(options, build) {
    if (options.access_token_value && !options.token_refresh_endpoint)
      return fixedToken(options.access_token_value, build);
    if (!options.token_refresh_endpoint) throw build.problem("OAuthAuthenticator needs token_refresh_endpoint");
    if (options.token_expiry_date_format) assertReadable(options.token_expiry_date_format, build);
    const endpoint = build.template(options.token_refresh_endpoint);
    build.origin(endpoint.text(), "token endpoint");
    const request = tokenRequest(options, build);
    const written = JSON.stringify(options);
    // What its templates come to may depend on the parameters, which differ between streams.
    const key = `oauth ${written} ${written.includes("parameters") ? JSON.stringify(build.parameters) : ""}`;
    const keeper = build.runtime.tokens(
      key,
      () =>
        new TokenKeeper(
          () => fetchToken(endpoint, request, options, build),
          () => build.runtime.now(),
        ),
    );
    let last: string | null = null;
    return {
      canRenew: () => keeper.mayReplace(last),
      async sign(draft, renew) {
        last = await keeper.get(renew ? last : null);
        addHeader(draft, "authorization", `Bearer ${last}`, true);
      },
    };
  },
});

function fixedToken(source: string, build: Build) {
  const token = build.template(source);
  return {
    canRenew: () => false,
    sign: async (draft: Draft) =>
      addHeader(draft, "authorization", `Bearer ${credential(token, "the access token", build)}`, true),
  };
}

/** Form and headers that ask for a token. */
function tokenRequest(options: Options, build: Build): () => Pick<Draft, "form" | "headers"> {
  const grant = build.template(options.grant_type ?? "refresh_token");
  const named = (name: string | null | undefined, fallback: string): BoundTemplate => build.template(name ?? fallback);
  const parts: [BoundTemplate, BoundTemplate | null, boolean][] = [
    [named(options.client_id_name, "client_id"), sourceOf(options.client_id), false],
    [named(options.client_secret_name, "client_secret"), sourceOf(options.client_secret), false],
    [named(options.refresh_token_name, "refresh_token"), sourceOf(options.refresh_token), true],
  ];
  const [grantName, scopes] = [
    named(options.grant_type_name, "grant_type"),
    (options.scopes ?? []).map((one) => build.template(one)),
  ];
  const more = build.structure(options.refresh_request_body ?? {}, (template) => template.text() || null);
  const headers = build.structure(options.refresh_request_headers ?? {}, (template) => template.text() || null);
  function sourceOf(source: string | null | undefined): BoundTemplate | null {
    return source === null || source === undefined || source === "" ? null : build.template(source);
  }
  return () => {
    const form: Record<string, Value> = { [grantName.text()]: grant.text() };
    for (const [name, template, isRefresh] of parts) {
      if (!template || (isRefresh && grant.text() === "client_credentials")) continue;
      form[name.text()] = credential(template, name.text(), build);
    }
    if (scopes.length > 0) form["scopes"] = scopes.map((scope) => scope.text());
    const [extra, set] = [more({}), headers({})];
    if (isObject(extra)) for (const [name, value] of Object.entries(extra)) form[name] ??= value;
    return { form, headers: isObject(set) ? textValues(set) : {} };
  };
}

const isObject = (value: Value): value is { [name: string]: Value } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textValues = (values: { [name: string]: Value }): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), String(value)]));

async function fetchToken(
  endpoint: BoundTemplate,
  request: () => Pick<Draft, "form" | "headers">,
  options: Options,
  build: Build,
): Promise<Token> {
  const { form, headers } = request();
  const answer = await build.runtime.exchange({
    method: "POST",
    url: new URL(endpoint.text()),
    parameters: [],
    headers: { accept: "application/json", ...headers },
    secretHeaders: new Set(Object.keys(headers)),
    secretValues: new Set(),
    isSecret: true,
    form: isJson(headers) ? {} : form,
    json: isJson(headers) ? form : {},
    text: null,
  });
  if (!answer.ok) throw refusal(answer);
  const json = jsonIn(answer);
  const token = memberNamed(json, options.access_token_name ?? "access_token");
  if (typeof token !== "string" || token === "")
    throw new ConnectorError("configuration", `${answer.place} answered no access token.`, {
      hint: "Check the token endpoint and the name of the token in its answer.",
    });
  return { value: token, until: endOf(memberNamed(json, options.expires_in_name ?? "expires_in"), options, build) };
}

const isJson = (headers: Record<string, string>): boolean => (headers["content-type"] ?? "").includes("json");

const refusal = (answer: RawAnswer): ConnectorError =>
  answer.status === 400 || answer.status === 401 || answer.status === 403
    ? new ConnectorError("authentication", `${answer.place} refused to give out an access token (${answer.status}).`, {
        neverSent: true,
        hint: "Enter client id, client secret and refresh token again; check the scopes.",
      })
    : classifyStatus(answer.status, answer.headers, answer.place, null);

function endOf(given: Value | undefined, options: Options, build: Build): number {
  const now = build.runtime.now().getTime();
  const format = options.token_expiry_date_format;
  if (format || options.token_expiry_is_time_of_expiration) {
    const moment = momentIn(String(given), format ? [format] : []);
    return moment ? moment.ms : now + DEFAULT_LIFE_S * 1000;
  }
  const seconds = Number(given ?? DEFAULT_LIFE_S);
  return now + (Number.isFinite(seconds) ? seconds : DEFAULT_LIFE_S) * 1000;
}

/** A member at any depth, as answers wrap their tokens. */
export function memberNamed(json: Value, name: string, depth = 0): Value | undefined {
  if (!isObject(json) || depth > 5) return undefined;
  if (Object.hasOwn(json, name)) return json[name];
  for (const inner of Object.values(json)) {
    const found = memberNamed(inner, name, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
