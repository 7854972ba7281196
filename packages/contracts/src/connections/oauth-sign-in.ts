/** Signing in at a connected system by OAuth 2: beginning, the system's answer, and what came of it. No token leaves the server. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { ConnectorProblem } from "./connector-shapes.ts";

/** Where a system sends people back to, under the address of the installation. */
export const SIGN_IN_CALLBACK = "/oauth/callback";
/** The page that shows what came of a sign-in, for windows that were opened for it. */
export const SIGN_IN_RESULT_PAGE = "/synapses/sign-in-result";
/** Seconds in which a person has to be back. */
export const SIGN_IN_SECONDS = 600;

/** `outdated`: the settings it was made for have changed. `refused`: the system renews its tokens no longer. */
export const GRANT_STATES = ["none", "signedIn", "outdated", "refused"] as const;

/** The last sign-in that the caller began. */
export const SignInAttempt = z.strictObject({
  id: id("signIn"),
  status: z.enum(["waiting", "done", "failed"]),
  /** Why it failed, with the system's own words. */
  problem: ConnectorProblem.nullable(),
  startedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type SignInAttempt = z.output<typeof SignInAttempt>;

export const ConnectorSignIn = z.strictObject({
  /** Of the authorisation address: `login.example.com`. null: it is not configured yet. */
  host: z.string().nullable(),
  redirectUrl: z.string(),
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
  }),
  reply: z.strictObject({ attemptId: id("signIn"), authorizationUrl: z.string() }),
  errors: ["invalid_state", "validation_failed", "outbound_refused"],
});

/** Longer ones are no codes, states or errors of any system. */
const part = z.string().max(4000).optional();

export const finishConnectorSignIn = endpoint({
  name: "finishConnectorSignIn",
  method: "GET",
  path: SIGN_IN_CALLBACK,
  access: "public",
  scope: "none",
  summary:
    "Where systems send people back to: without the state of a sign-in of this session it only shows a page that says so.",
  query: z.object({ state: part, code: part, iss: part, error: part, error_description: part }),
  reply: z.null(),
});
