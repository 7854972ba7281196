/** Signing in at a connected system by OAuth 2: beginning, the system's answer, and what came of it. No token leaves the server. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { ConnectorProblem } from "./connector-shapes.ts";

/**
 * Where systems send people back to, under the address of the installation: each connection has an address of its own below
 * it. Those that were set up before that use the shared one.
 */
export const SIGN_IN_CALLBACK = "/oauth/callback";
/** The last part of a connection's redirect address: 128 random bits, made up by whoever creates the connection. */
export const RedirectName = z.string().regex(/^[0-9a-f]{32}$/, "is no name of a redirect address");
/** The page that shows what came of a sign-in, for windows that were opened for it. */
export const SIGN_IN_RESULT_PAGE = "/synapses/sign-in-result";
/** Seconds in which a person has to be back. */
export const SIGN_IN_SECONDS = 600;

/** `outdated`: the settings it was made for have changed. `refused`: the system renews its tokens no longer. */
export const GRANT_STATES = ["none", "signedIn", "outdated", "refused"] as const;

/** The account of a system that a person signed in with, as the system names it. */
export const SystemAccount = z.strictObject({
  id: z.string(),
  /** A name to show beside it. */
  name: z.string().nullable(),
});
export type SystemAccount = z.output<typeof SystemAccount>;

/** The last sign-in that the caller began. */
export const SignInAttempt = z.strictObject({
  id: id("signIn"),
  status: z.enum(["waiting", "done", "failed"]),
  /** Why it failed, with the system's own words. */
  problem: ConnectorProblem.nullable(),
  /**
   * It failed because the system named another account than the one that the connection belongs to; null: not so. `found` is
   * null where the system named none.
   */
  otherAccount: z.strictObject({ former: SystemAccount, found: SystemAccount.nullable() }).nullable(),
  startedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type SignInAttempt = z.output<typeof SignInAttempt>;

export const ConnectorSignIn = z.strictObject({
  /** Of the authorisation address: `login.example.com`. null: it is not configured yet. */
  host: z.string().nullable(),
  redirectUrl: z.string(),
  /** The account whose records these are; null: nobody signed in, or the system names none. */
  account: SystemAccount.nullable(),
  state: z.enum(GRANT_STATES),
  /** Who signed in, by name, and when. */
  signedInBy: z.string().nullable(),
  signedInAt: z.iso.datetime().nullable(),
  /** When the access token in use ends; null: the system does not say. */
  expiresAt: z.iso.datetime().nullable(),
  /** The system gave a refresh token: access tokens are renewed without anybody. */
  isRenewed: z.boolean(),
  problem: ConnectorProblem.nullable(),
  attempt: SignInAttempt.nullable(),
});
export type ConnectorSignIn = z.output<typeof ConnectorSignIn>;

const params = z.strictObject({ connectorId: id("connector") });

export const getConnectorSignIn = endpoint({
  name: "getConnectorSignIn",
  method: "GET",
  path: "/connectors/:connectorId/sign-in",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary:
    "Who signed in at the system of a connector, until when that holds, and what came of the caller's last sign-in.",
  params,
  reply: ConnectorSignIn,
});

export const beginConnectorSignIn = endpoint({
  name: "beginConnectorSignIn",
  method: "POST",
  path: "/connectors/:connectorId/sign-in",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary:
    "Begins a sign-in at the system and answers the address to open. What was granted before stays until it succeeds.",
  params,
  body: z.strictObject({
    /** Opened in a window of its own, or in place of the page. */
    window: z.enum(["own", "same"]),
    /** A sign-in of the caller that was refused as its account was another one: that account is to be used from now on. */
    useAccountOf: id("signIn").optional(),
  }),
  reply: z.strictObject({ attemptId: id("signIn"), authorizationUrl: z.string() }),
  errors: ["invalid_state", "validation_failed", "outbound_refused"],
});

/** Longer ones are no codes, states or errors of any system. */
const part = z.string().max(4000).optional();

const systemAnswer = z.object({ state: part, code: part, iss: part, error: part, error_description: part });

export const finishConnectorSignIn = endpoint({
  name: "finishConnectorSignIn",
  method: "GET",
  path: `${SIGN_IN_CALLBACK}/:redirectName`,
  access: "public",
  scope: "none",
  summary:
    "Where the system of one connection sends people back to: without the state of a sign-in of this session, begun with this address, it only shows a page that says so.",
  params: z.strictObject({ redirectName: z.string().max(100) }),
  query: systemAnswer,
  reply: z.null(),
});

export const finishConnectorSignInAtSharedAddress = endpoint({
  name: "finishConnectorSignInAtSharedAddress",
  method: "GET",
  path: SIGN_IN_CALLBACK,
  access: "public",
  scope: "none",
  summary: "The same, for connections that were set up before each had an address of its own.",
  query: systemAnswer,
  reply: z.null(),
});
