/** Bodies of requests in the newer spelling: one component says what kind of body it is. */
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { defineComponent, Text, type Component } from "../component.ts";
import { fillForm, fillJson } from "./fill.ts";

const Values = z.record(
  z.string(),
  z.custom<Value>((value) => value !== undefined),
);

export const REQUEST_BODIES: readonly Component<"requestBody">[] = [
  defineComponent({
    type: "RequestBodyJsonObject",
    family: "requestBody",
    options: { value: Values },
    make: ({ value }, build) => fillJson(value, build),
  }),
  defineComponent({
    type: "RequestBodyUrlEncodedForm",
    family: "requestBody",
    options: { value: Values },
    make: ({ value }, build) => fillForm(value, build),
  }),
  defineComponent({
    type: "RequestBodyPlainText",
    family: "requestBody",
    options: { value: Text },
    make: ({ value }, build) => fillForm(value, build),
  }),
];
