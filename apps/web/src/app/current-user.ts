/** Provisional shape of `GET user` until the identity contracts are in. */
import { endpoint, PERMISSIONS } from "@accord/contracts";
import { z } from "zod";

export const CurrentUser = z.looseObject({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  timeZone: z.string().nullish(),
  passwordExpired: z.boolean().optional(),
  currentInstanceName: z.string().nullish(),
  currentInstanceAccordId: z.string().nullish(),
  permissions: z.array(z.enum(PERMISSIONS)).default([]),
});
export type CurrentUser = z.output<typeof CurrentUser>;

export const getCurrentUser = endpoint({
  name: "getCurrentUser",
  method: "GET",
  path: "/user",
  access: "signedIn",
  scope: "none",
  summary: "The signed-in user.",
  reply: CurrentUser,
});
