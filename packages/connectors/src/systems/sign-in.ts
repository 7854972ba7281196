/** The ways in which several described systems are signed in to, and the part of an address that names an account. */
import type { AuthMethod, AuthType } from "@accord/connector-sdk";
import { z } from "zod";

/** One way to sign in, and the one of JSON APIs that it is. */
export interface SignIn extends AuthMethod {
  as(credentials: Record<string, string>): { type: AuthType; credentials: Record<string, string> };
}

interface TokenWords {
  /** Of the way to sign in. */
  label: string;
  /** Of the input; as the way itself when absent. */
  input?: string;
  helpText?: string;
}

/** A token, sent as a bearer. */
export const byToken = ({ label, input = label, helpText }: TokenWords): SignIn => ({
  type: "bearerToken",
  label,
  fields: [
    {
      name: "token",
      label: input,
      datatype: "password",
      secret: true,
      required: true,
      ...(helpText !== undefined && { helpText }),
    },
  ],
  as: (credentials) => ({ type: "bearerToken", credentials }),
});

interface ClientWords {
  /** Of the way to sign in. */
  label: string;
  idLabel: string;
  secretLabel: string;
  helpText: string;
}

/** Id and secret of an app, for which the system gives out tokens. */
export const byClientCredentials = ({ label, idLabel, secretLabel, helpText }: ClientWords): SignIn => ({
  type: "oauthClientCredentials",
  label,
  fields: [
    { name: "clientId", label: idLabel, datatype: "string", required: true },
    { name: "clientSecret", label: secretLabel, datatype: "password", secret: true, required: true, helpText },
  ],
  as: (credentials) => ({ type: "oauthClientCredentials", credentials }),
});

/** A person's e-mail address with an API token, sent as user name and password. `suffix`: what the user name ends with. */
export const byEmailAndToken = ({ helpText, suffix = "" }: { helpText: string; suffix?: string }): SignIn => ({
  type: "userPassword",
  label: "API token",
  fields: [
    { name: "email", label: "E-mail address", datatype: "string", required: true, helpText },
    { name: "apiToken", label: "API token", datatype: "password", secret: true, required: true },
  ],
  as: ({ email = "", apiToken = "" }) => ({
    type: "userPassword",
    credentials: { username: email + suffix, password: apiToken },
  }),
});

/** The part of a host name that is an account's own. `what`: which address it begins, for the message. */
export const accountName = (what: string) =>
  z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, `is the first part of ${what} alone`);
