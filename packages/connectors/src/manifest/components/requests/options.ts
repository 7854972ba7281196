/** Where values are put into requests: parameters, headers, form fields and JSON. */
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { plainText } from "../plain-text.ts";
import { defineComponent, optional, Text, type Component } from "../component.ts";
import type { Draft } from "../model.ts";

export const addParameter = (draft: Draft, name: string, value: Value): void => {
  for (const one of Array.isArray(value) ? value : [value]) draft.parameters.push([name, plainText(one)]);
};

export function addHeader(draft: Draft, name: string, text: string, isSecret = false): void {
  const lower = name.trim().toLowerCase();
  if (lower === "" || text === "") return;
  draft.headers[lower] = text;
  if (isSecret) draft.secretHeaders.add(lower);
}

function putJson(draft: Draft, path: readonly string[], value: Value): void {
  let target: { [name: string]: Value } = draft.json;
  for (const [index, name] of path.entries()) {
    if (name === "__proto__") return;
    if (index === path.length - 1) target[name] = value;
    else {
      const inner = target[name];
      const next = typeof inner === "object" && inner !== null && !Array.isArray(inner) ? inner : {};
      target[name] = next;
      target = next;
    }
  }
}

export const REQUEST_OPTIONS: readonly Component<"requestOption">[] = [
  defineComponent({
    type: "RequestOption",
    family: "requestOption",
    options: {
      inject_into: z.enum(["request_parameter", "header", "body_data", "body_json"]),
      field_name: optional(Text),
      field_path: optional(z.array(Text)),
    },
    make({ inject_into, field_name, field_path }, build) {
      const path = (field_path ?? [field_name ?? ""]).map((name) => build.template(name));
      if (path.some(({ source }) => source === "")) throw build.problem("RequestOption needs field_name or field_path");
      if (path.length > 1 && inject_into !== "body_json")
        throw build.problem("RequestOption takes a field_path of several names only with body_json");
      return {
        inject(draft, value) {
          const names = path.map((name) => name.text());
          const [name = ""] = names;
          if (inject_into === "request_parameter") addParameter(draft, name, value);
          else if (inject_into === "header") addHeader(draft, name, plainText(value), draft.isSecret);
          else if (inject_into === "body_data") draft.form[name] = value;
          else putJson(draft, names, value);
        },
      };
    },
  }),
];

export const REQUEST_PATHS: readonly Component<"requestPath">[] = [
  defineComponent({ type: "RequestPath", family: "requestPath", options: {}, make: () => true }),
];
