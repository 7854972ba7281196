/** When a connection that shares its redirect address with others gets one of its own. */
import { expect, test } from "vitest";
import { redirectAfter, type RedirectOrigins, type Shared } from "./redirect-url.ts";

const type = {
  signInProblems: () => [],
  authorization: ({ host }: Record<string, unknown>) => ({
    ...{ authorizationUrl: `https://${String(host)}/authorize`, tokenUrl: `https://${String(host)}/token` },
    ...{ clientId: "c", clientSecret: null, clientAuthentication: "body" as const, scope: "", parameters: {} },
    ...{ issuer: null, pkce: true, tokenRequestFormat: "form" as const, instanceMember: null, errorCodes: {} },
    account: null,
  }),
};
const row = { type, config: { host: "now.example" }, auth_type: "oauth", redirect_name: null, redirect_origins: null };
const edited = { type, config: { host: "now.example" }, authType: "oauth" };
const at = (host: string): Shared["grant"] => type.authorization({ host });
const NOW: RedirectOrigins = ["https://now.example", "https://now.example"];

test.each([
  { of: "a connection without a grant", shared: { grant: null, isCustom: false }, isNew: false },
  { of: "a custom synapse without a grant", shared: { grant: null, isCustom: true }, isNew: true },
  { of: "a custom synapse signed in there", shared: { grant: at("now.example"), isCustom: true }, isNew: false },
  { of: "a custom synapse signed in elsewhere", shared: { grant: at("then.example"), isCustom: true }, isNew: true },
])("$of: a new address $isNew", ({ shared, isNew }) => {
  const { name, origins, former } = redirectAfter(row, edited, { ownAddress: undefined, shared });
  expect({ isNew: name !== null, origins, former }).toEqual({ isNew, origins: NOW, former: null });
  // Another name of the connection says nothing of where it signs in.
  expect(redirectAfter(row, null, { ownAddress: undefined, shared })).toMatchObject({ name: null, origins: null });
});
