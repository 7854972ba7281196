/** Zendesk Support: tickets, users and organizations. Written by its API reference (https://developer.zendesk.com/api-reference/ticketing). */
import { accountName, byEmailAndToken, byToken } from "../sign-in.ts";
import { defineSystem, fixedEntities } from "../system.ts";
import { organizations, tickets, users } from "./entities.ts";

interface Account {
  subdomain: string;
}

export const zendesk = defineSystem({
  type: "zendesk",
  displayName: "Zendesk",
  description: "Tickets, users and organizations of a Zendesk Support account, read and written.",
  icon: "support",
  backgroundColor: "teal",
  helpUrl: "https://developer.zendesk.com/api-reference/ticketing/introduction/",
  inputs: {
    subdomain: accountName("the account's address"),
  },
  inputFields: [
    {
      name: "subdomain",
      label: "Subdomain",
      datatype: "string",
      required: true,
      helpText: "acme, where the account's address is acme.zendesk.com",
    },
  ],
  signIn: [
    byEmailAndToken({ helpText: "Of an administrator.", suffix: "/token" }),
    byToken({ label: "OAuth access token", input: "Access token" }),
  ],
  consent: {
    idLabel: "Unique identifier",
    secretLabel: "Secret",
    helpText: "Of a confidential OAuth client, made in Admin Center under APIs. Sign in as an administrator.",
    addresses: ({ subdomain }) => ({
      authorizationUrl: `https://${subdomain}.zendesk.com/oauth/authorizations/new`,
      tokenUrl: `https://${subdomain}.zendesk.com/oauth/tokens`,
    }),
    scope: "read write",
    clientAuthentication: "body",
    pkce: true,
    account: { from: "call", url: "/users/me", headers: {}, idSelector: "user.id", nameSelector: "user.email" },
    tokenRequestFormat: "json",
  },
  api: ({ subdomain }) => ({
    baseUrl: `https://${subdomain}.zendesk.com/api/v2`,
    checkPath: "/users/me.json",
    errorSelector: "description",
    parallelWrites: 2,
  }),
  entities: fixedEntities<Account>(() => [tickets, users, organizations]),
});
