/** Where people sign in at a system and where it gives out tokens, with and without addresses that a person entered. */
import { expect, test } from "vitest";
import { consentAddresses } from "./consent.ts";

const authorizationUrl = "https://app.example.com/oauth/authorize";
const apart = { addresses: () => ({ authorizationUrl, tokenUrl: "https://api.example.com/oauth/token" }) };
const together = { addresses: () => ({ authorizationUrl, tokenUrl: "https://app.example.com/oauth/token" }) };

test("the usual addresses, where none was entered", () => {
  expect(consentAddresses(apart, {})).toEqual(apart.addresses());
});

test("an entered sign-in address leaves tokens where they are given out elsewhere", () => {
  const inputs = { signInUrl: "https://app-eu1.example.com" };
  const page = "https://app-eu1.example.com/oauth/authorize";
  expect(consentAddresses(apart, inputs)).toEqual({
    authorizationUrl: page,
    tokenUrl: "https://api.example.com/oauth/token",
  });
  expect(consentAddresses(together, inputs)).toEqual({
    authorizationUrl: page,
    tokenUrl: "https://app-eu1.example.com/oauth/token",
  });
});

test("a proxy in front of the API gives out tokens as well, and people sign in at the entered address", () => {
  const inputs = { baseUrl: "https://proxy.example.com/v1", signInUrl: "https://app.example.com" };
  expect(consentAddresses(apart, inputs)).toEqual({
    authorizationUrl,
    tokenUrl: "https://proxy.example.com/oauth/token",
  });
});
