/** Which names of headers are taken for credentials. */
import { expect, test } from "vitest";
import { isCredentialHeader } from "./credential-header.ts";

test.each([
  "Authorization",
  "proxy-authorization",
  "X-Api-Key",
  "x-apikey",
  "Ocp-Apim-Subscription-Key",
  "X-Auth-Token",
  "cookie",
  "PAT",
  "x-signature",
  "client_secret",
])("%s is", (name) => expect(isCredentialHeader(name)).toBe(true));

test.each(["Accept", "Content-Type", "Idempotency-Key", "X-Team", "X-Keyboard", "path", "", undefined, 7])(
  "%s is not",
  (name) => expect(isCredentialHeader(name)).toBe(false),
);
