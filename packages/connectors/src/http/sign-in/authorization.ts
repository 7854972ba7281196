/** The settings of a JSON API where a person signs in at the system: what is wrong with them, and what they come to. */
import {
  isLoopback,
  OWN_PARAMETERS,
  type AccountSource,
  type AuthorizationSettings,
  type ClientAuthentication,
  parseSelector,
  SelectorError,
} from "@accord/connector-sdk";
import type { FieldProblem } from "@accord/contracts";

interface Settings {
  authorizationUrl?: string | null | undefined;
  tokenUrl?: string | null | undefined;
  scope?: string | null | undefined;
  authorizationParameters: string;
  clientAuthentication: ClientAuthentication;
  issuer?: string | null | undefined;
  baseUrl: string;
  headers: readonly { name: string; value: string }[];
  accountPath?: string | null | undefined;
  accountSelector?: string | null | undefined;
}

/** Codes, tokens and secrets travel to these addresses: only encrypted, or not over a network at all. */
export const isEncrypted = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || isLoopback(hostname);
};

const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== "");

function parameterOf(line: string): [name: string, value: string] {
  const at = line.indexOf("=");
  return at < 0 ? [line.trim(), ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

/** What is wrong with a text that has a line `name=value` for each parameter. */
export function parameterProblems(text: string): string[] {
  const lines = linesOf(text);
  if (lines.length > 30) return ["has more than 30 lines"];
  const names = lines.map((line) => parameterOf(line)[0]);
  return lines.flatMap((line, at) => {
    const name = names[at] ?? "";
    if (!line.includes("=") || name === "") return [`has a line that is not name=value: ${line.trim().slice(0, 60)}`];
    if (OWN_PARAMETERS.has(name)) return [`can't set ${name}: Accord sets it itself`];
    return names.indexOf(name) === at ? [] : [`names ${name} twice`];
  });
}

/** What a sign-in by a person lacks; nothing for other methods. */
export function signInProblems(config: Settings, authType: string): FieldProblem[] {
  if (authType !== "oauth") return [];
  const missing = (["authorizationUrl", "tokenUrl"] as const).flatMap((path) => {
    const address = config[path];
    if (!address) return [{ path, message: "is required" }];
    return isEncrypted(address) ? [] : [{ path, message: "must be an https address" }];
  });
  const isIssuer = !config.issuer || (URL.canParse(config.issuer) && /^https?:$/.test(new URL(config.issuer).protocol));
  const issuer = isIssuer ? [] : [{ path: "issuer", message: "must be an address, as the system writes it" }];
  return [...missing, ...issuer, ...accountProblems(config)];
}

function accountProblems({ accountPath, accountSelector }: Settings): FieldProblem[] {
  if (!accountPath && !accountSelector) return [];
  if (!accountPath) return [{ path: "accountPath", message: "is required where the account's id is named" }];
  if (!accountSelector) return [{ path: "accountSelector", message: "is required where a path of the account is" }];
  if (!accountPath.startsWith("/")) return [{ path: "accountPath", message: "must begin with /" }];
  try {
    parseSelector(accountSelector);
    return [];
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return [{ path: "accountSelector", message: error.message }];
  }
}

/** A call that a person described; or the id token of systems that speak OpenID Connect. */
function accountOf({ baseUrl, headers, accountPath, accountSelector, scope }: Settings): AccountSource | null {
  if (accountPath && accountSelector)
    return {
      from: "call",
      url: baseUrl.replace(/\/+$/, "") + accountPath,
      headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      idSelector: accountSelector,
      nameSelector: null,
    };
  return (scope ?? "").split(/\s+/).includes("openid") ? { from: "idToken" } : null;
}

/** `credentials`: client id and secret; no secret stands for a public client. */
export const authorizationOf = (
  config: Settings,
  credentials: Readonly<Record<string, string>>,
): AuthorizationSettings => ({
  authorizationUrl: config.authorizationUrl ?? "",
  tokenUrl: config.tokenUrl ?? "",
  clientId: credentials["clientId"] ?? "",
  clientSecret: credentials["clientSecret"] || null,
  clientAuthentication: config.clientAuthentication,
  scope: (config.scope ?? "").trim().replace(/\s+/g, " "),
  parameters: Object.fromEntries(linesOf(config.authorizationParameters).map(parameterOf)),
  issuer: config.issuer || null,
  pkce: true,
  tokenRequestFormat: "form",
  instanceMember: null,
  errorCodes: {},
  account: accountOf(config),
});
