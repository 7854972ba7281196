/** New UUID. */
import { z } from "zod";
import { defineValueFunction } from "../kinds/value-function.ts";

export const newUuid = defineValueFunction({
  name: "newUuid",
  label: "New UUID",
  family: "record",
  summary: "Draws a new UUID for each record; simulated tests always draw the same ones. It is an id, not a secret.",
  config: z.object({}),
  output: "string",
  noValue: true,
  prepare:
    () =>
    (_value, { random }) => {
      const digit = (most: number): string => Math.floor(random() * most).toString(16);
      const digits = (count: number): string => Array.from({ length: count }, () => digit(16)).join("");
      const variant = (8 + Math.floor(random() * 4)).toString(16);
      return `${digits(8)}-${digits(4)}-4${digits(3)}-${variant}${digits(3)}-${digits(12)}`;
    },
  examples: [
    { says: "version 4, as RFC 9562 wants it", config: {}, out: "88888888-8888-4888-a888-888888888888" },
    { says: "whatever came before", config: {}, in: "x", out: "88888888-8888-4888-a888-888888888888" },
    { says: "also for nothing", config: {}, in: null, out: "88888888-8888-4888-a888-888888888888" },
    {
      says: "one for a list, not one for each item",
      config: {},
      in: ["a", 1],
      out: "88888888-8888-4888-a888-888888888888",
    },
  ],
});
