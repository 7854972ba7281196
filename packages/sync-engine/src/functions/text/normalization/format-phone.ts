/** Format phone: one form for phone numbers of every country, whatever form they came in. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { FunctionFailure } from "../../define.ts";
import { isPhoneCountry, readPhone, writePhone } from "../../values/phone.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const formatPhone = defineValueFunction({
  name: "formatPhone",
  label: "Format phone",
  family: "text",
  summary: "Writes a phone number in one form, whatever form it came in.",
  inputs: [
    {
      name: "country",
      label: "Country",
      datatype: "string",
      defaultValue: "US",
      allowUserToken: true,
      helpText: "Two letters, such as DE: where numbers without a country code belong.",
    },
    {
      name: "format",
      label: "Form",
      datatype: "picklist",
      defaultValue: "e164",
      values: [
        { id: "e164", label: "E.164: +493012345678" },
        { id: "international", label: "International: +49 30 12345678" },
        { id: "national", label: "National: 030 12345678" },
      ],
    },
    {
      name: "otherwise",
      label: "Other texts",
      datatype: "picklist",
      defaultValue: "blank",
      values: [
        { id: "blank", label: "Become blank" },
        { id: "keep", label: "Keep as they are" },
        { id: "fail", label: "Stop the record with an error" },
      ],
    },
  ],
  config: z.object({
    country: z
      .string()
      .transform((text) => text.trim().toUpperCase())
      .refine(isPhoneCountry, nodeSettings.country)
      .default("US"),
    format: z.enum(["e164", "international", "national"]).default("e164"),
    otherwise: z.enum(["blank", "keep", "fail"]).default("blank"),
  }),
  output: "string",
  prepare:
    ({ country, format, otherwise }) =>
    (value) => {
      const phone = readPhone(textOf(value), country);
      if (phone) return writePhone(phone, format);
      if (otherwise === "keep") return value;
      if (otherwise === "blank") return null;
      throw new FunctionFailure(
        "not_a_phone_number",
        fill(nodeFailures.notAPhoneNumber, { value: textOf(value).slice(0, 60) }),
      );
    },
  examples: [
    {
      says: "a national number gets its country code",
      config: { country: "DE" },
      in: "(030) 1234-5678",
      out: "+493012345678",
    },
    {
      says: "a country code counts more than the setting",
      config: { country: "DE" },
      in: "0044 20 7946 0958",
      out: "+442079460958",
    },
    {
      says: "in national form",
      config: { country: "US", format: "national" },
      in: "+1 212 555 0123",
      out: "(212) 555-0123",
    },
    {
      says: "grouped as people of its country write it",
      config: { country: "FR", format: "national" },
      in: "+33142685300",
      out: "01 42 68 53 00",
    },
    { says: "an extension is dropped", config: {}, in: "212-555-0123 ext. 45", out: "+12125550123" },
    { says: "anything else becomes blank", config: {}, in: "call me", out: null },
    { says: "or stops the record", config: { otherwise: "fail" }, in: "12", fails: "not_a_phone_number" },
    { says: "null stays null", config: {}, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: { country: "DE" },
      in: ["(030) 1234-5678", "0044 20 7946 0958"],
      out: ["+493012345678", "+442079460958"],
    },
  ],
});
