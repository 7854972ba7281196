/** Signing in and out, and everything about passwords. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id, ID_PATTERN } from "../ids.ts";

/** At least 12 characters and not a common one: checked by the server, shown by the form. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const;
/** Days an invitation and minutes a reset link work. */
export const LINK_LIFETIME = { invitationDays: 7, resetMinutes: 30 } as const;

const Empty = z.strictObject({});
const email = z.string().trim().toLowerCase().max(254).pipe(z.email("must be an e-mail address"));
const newPassword = z
  .string()
  .min(PASSWORD_LENGTH.min, `must have at least ${PASSWORD_LENGTH.min} characters`)
  .max(PASSWORD_LENGTH.max, `must have at most ${PASSWORD_LENGTH.max} characters`);
const anyPassword = z.string().min(1, "is required").max(PASSWORD_LENGTH.max);

export const checkSignIn = endpoint({
  name: "checkSignIn",
  method: "GET",
  path: "/authenticate",
  access: "public",
  scope: "none",
  summary: "Whether this browser is signed in; sets the anti-forgery cookie.",
  reply: z.strictObject({ signedIn: z.boolean(), passwordExpired: z.boolean() }),
});

export const signIn = endpoint({
  name: "signIn",
  method: "POST",
  path: "/authenticate",
  access: "public",
  scope: "none",
  summary:
    "Signs in with e-mail address and password. The answer is the same for an unknown address and a wrong password.",
  bodyKind: "form",
  body: z.strictObject({
    username: z.string().trim().toLowerCase().min(1, "is required").max(254),
    password: anyPassword,
  }),
  reply: z.strictObject({ userId: id("user"), passwordExpired: z.boolean() }),
  errors: ["invalid_credentials", "too_many_tries"],
});

export const signOut = endpoint({
  name: "signOut",
  method: "POST",
  path: "/logout",
  access: "public",
  scope: "none",
  summary: "Ends the session. The anti-forgery token may come as header or as form field `x-csrf-token`.",
  bodyKind: "form",
  body: Empty,
  reply: Empty,
});

export const forgotPassword = endpoint({
  name: "forgotPassword",
  method: "POST",
  path: "/user/forgotPassword",
  access: "public",
  scope: "none",
  summary: "Mails a one-time link to set a new password. The answer never tells whether the address is known.",
  bodyKind: "form",
  body: z.strictObject({ email }),
  reply: Empty,
  errors: ["too_many_tries"],
});

export const openPasswordReset = endpoint({
  name: "openPasswordReset",
  method: "POST",
  path: "/user/openreset",
  access: "public",
  scope: "none",
  summary: "Exchanges the one-time token of a reset link for a session that may only set a new password.",
  body: z.strictObject({ token: z.string().min(1).max(100) }),
  reply: z.strictObject({ userId: id("user") }),
  errors: ["token_invalid"],
});

export const resetPassword = endpoint({
  name: "resetPassword",
  method: "PUT",
  path: "/user/resetpassword/:userId",
  access: "passwordExpired",
  scope: "organisation",
  summary: "Sets a new password in a session opened by a reset link or by an expired password. Ends all sessions.",
  params: z.strictObject({ userId: id("user") }),
  body: z.strictObject({ newPwd: newPassword }),
  reply: Empty,
  errors: ["password_too_weak"],
});

export const setInvitedPassword = endpoint({
  name: "setInvitedPassword",
  method: "POST",
  path: "/user/setpassword/:invitationId",
  access: "public",
  scope: "none",
  summary:
    "An invited person sets a password and becomes active. The password of an account that the address has in another organisation joins both. The link works once.",
  // Random as a whole, unlike stored ids: knowing it is the right to use it.
  params: z.strictObject({ invitationId: z.string().regex(ID_PATTERN, "must be an invitation's id") }),
  body: z.strictObject({ password: newPassword }),
  reply: z.strictObject({ email: z.string() }),
  errors: ["token_invalid", "password_too_weak", "too_many_tries"],
});

export const updatePassword = endpoint({
  name: "updatePassword",
  method: "PUT",
  path: "/user/updatepassword/:userId",
  access: "signedIn",
  scope: "organisation",
  summary: "Changes one's own password. Ends all other sessions.",
  params: z.strictObject({ userId: id("user") }),
  body: z.strictObject({ userId: id("user"), currentPwd: anyPassword, newPwd: newPassword }),
  reply: Empty,
  errors: ["invalid_credentials", "password_too_weak", "too_many_tries"],
});
