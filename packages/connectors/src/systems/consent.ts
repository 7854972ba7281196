/** Signing in to a described system in the browser (OAuth 2, authorisation code): what a description says of it, and what it comes to. */
import type {
  AccountSource,
  AuthorizationSettings,
  ClientAuthentication,
  TokenRequestFormat,
} from "@accord/connector-sdk";
import type { FieldProblem } from "@accord/contracts";
import { z } from "zod";
import { Address, type HttpConfig } from "../http/config.ts";
import { isEncrypted } from "../http/sign-in/authorization.ts";
import type { SignIn } from "./sign-in.ts";

export interface ConsentAddresses {
  /** The page where a person signs in and consents. */
  authorizationUrl: string;
  /** Where codes and refresh tokens are exchanged. */
  tokenUrl: string;
}

/** What the vendor publishes about it. `Inputs`: what a person is asked for to find the system. */
export interface Consent<Inputs> {
  /** What the system calls id and secret of an app, and where the app is made. */
  idLabel: string;
  secretLabel: string;
  helpText: string;
  addresses(inputs: Inputs): ConsentAddresses;
  /** What the calls of the description need, separated by blanks; empty: the system knows no scopes. */
  scope: string;
  clientAuthentication: ClientAuthentication;
  /** The system documents proof keys (S256). */
  pkce: boolean;
  tokenRequestFormat?: TokenRequestFormat;
  /** Of the token answer: the address of the API. It takes the place of the usual one, unless a person enters one. */
  instanceMember?: string;
  errorCodes?: Readonly<Record<string, string>>;
  /** How the system names the account; the `url` of a call is a path of the API. */
  account: AccountSource;
}

/** Settings of the method, stored with those of the connection. */
export const CONSENT_INPUTS = {
  scope: z.string().trim().max(1000).nullish(),
  signInUrl: Address.or(z.literal("")).nullish(),
};
export interface ConsentInputs {
  scope?: string | null | undefined;
  signInUrl?: string | null | undefined;
  baseUrl?: string | null | undefined;
}

/** The method as the form shows it. */
export function byConsent(
  displayName: string,
  { idLabel, secretLabel, helpText, scope }: Pick<Consent<never>, "idLabel" | "secretLabel" | "helpText" | "scope">,
): SignIn {
  const scopes = {
    name: "scope",
    label: "Scopes",
    datatype: "string",
    fieldSet: "Advanced",
    helpText: `Empty: ${scope}`,
  };
  return {
    type: "oauth",
    label: `Sign in at ${displayName}`,
    settings: [
      ...(scope === "" ? [] : [scopes]),
      {
        name: "signInUrl",
        label: "Address of the sign-in",
        datatype: "url",
        fieldSet: "Advanced",
        helpText:
          "Only where people sign in at another address than the usual one, or than a base address that is entered.",
      },
    ],
    fields: [
      { name: "clientId", label: idLabel, datatype: "string", required: true, helpText },
      { name: "clientSecret", label: secretLabel, datatype: "password", secret: true, required: true },
    ],
    as: (credentials) => ({ type: "oauth", credentials }),
  };
}

/**
 * Both addresses, at the place that a person entered: the one of the sign-in, or that of the API. Where tokens are given
 * out elsewhere than people sign in, the place of the sign-in says nothing of it.
 */
export function consentAddresses<Inputs extends ConsentInputs>(
  { addresses }: Pick<Consent<Inputs>, "addresses">,
  inputs: Inputs,
): ConsentAddresses {
  const { authorizationUrl, tokenUrl } = addresses(inputs);
  const place = inputs.signInUrl || inputs.baseUrl;
  const isOnePlace = new URL(authorizationUrl).origin === new URL(tokenUrl).origin;
  return {
    authorizationUrl: movedTo(place, authorizationUrl),
    tokenUrl: movedTo(isOnePlace ? place : inputs.baseUrl, tokenUrl),
  };
}

const movedTo = (place: string | null | undefined, address: string): string =>
  place ? new URL(new URL(address).pathname, place).href : new URL(address).href;

/** What is wrong with the place that a person entered. */
export function consentProblems(
  { authorizationUrl, tokenUrl }: ConsentAddresses,
  inputs: ConsentInputs,
): FieldProblem[] {
  if (isEncrypted(authorizationUrl) && isEncrypted(tokenUrl)) return [];
  return [{ path: inputs.signInUrl ? "signInUrl" : "baseUrl", message: "must be an https address" }];
}

export function authorizationAt<Inputs extends ConsentInputs>(
  consent: Consent<Inputs>,
  inputs: Inputs,
  credentials: Readonly<Record<string, string>>,
  { baseUrl, headers }: Pick<HttpConfig, "baseUrl" | "headers">,
): AuthorizationSettings {
  const {
    clientAuthentication,
    scope,
    pkce,
    tokenRequestFormat = "form",
    instanceMember,
    errorCodes,
    account,
  } = consent;
  return {
    ...consentAddresses(consent, inputs),
    clientId: credentials["clientId"] ?? "",
    clientSecret: credentials["clientSecret"] || null,
    clientAuthentication,
    scope: (inputs.scope || scope).replace(/\s+/g, " "),
    parameters: {},
    issuer: null,
    pkce,
    tokenRequestFormat,
    // What a person enters is where the API is, whatever the answer says.
    instanceMember: inputs.baseUrl ? null : (instanceMember ?? null),
    errorCodes: errorCodes ?? {},
    account:
      account.from === "call"
        ? {
            ...account,
            url: baseUrl.replace(/\/+$/, "") + account.url,
            headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
          }
        : account,
  };
}
