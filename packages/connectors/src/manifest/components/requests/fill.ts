/** Fills parameters, headers and bodies from their templates. */
import type { Value, Values } from "@accord/contracts/data/values";
import { evaluateLiteral } from "../../template/literal.ts";
import type { BoundTemplate, Build, Draft, Facts } from "../model.ts";
import { plainText } from "../plain-text.ts";
import { addHeader, addParameter } from "./options.ts";

export type Fill = (draft: Draft, facts: Facts) => void;

const isObject = (value: Value): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Texts stay texts; only what is a list becomes several values. */
const asParameter = (template: BoundTemplate, facts: Facts): Value => {
  const text = template.text(facts);
  if (text === "" || text === "None") return null;
  if (!text.trimStart().startsWith("[")) return text;
  const value = evaluateLiteral(text);
  return Array.isArray(value) ? value : text;
};
const asText = (template: BoundTemplate, facts: Facts): Value => template.text(facts) || null;
const asValue = (template: BoundTemplate, facts: Facts): Value => template.value(facts);

export function fillParameters(value: Value, build: Build): Fill {
  const made = build.structure(value, asParameter);
  return (draft, facts) => {
    const filled = made(facts);
    if (isObject(filled)) for (const [name, one] of Object.entries(filled)) addParameter(draft, name, one);
    else if (typeof filled === "string")
      for (const [name, one] of new URLSearchParams(filled)) draft.parameters.push([name, one]);
  };
}

export function fillHeaders(value: Value, build: Build): Fill {
  const made = build.structure(value, asText);
  // What is filled in may be a credential; what stands in the manifest is none.
  const isFilled = (name: string): boolean => !isObject(value) || String(value[name] ?? "{{").includes("{{");
  return (draft, facts) => {
    const filled = made(facts);
    if (!isObject(filled)) return;
    for (const [name, one] of Object.entries(filled)) addHeader(draft, name, plainText(one), isFilled(name));
  };
}

/** A form, or a text that is the whole body. */
export function fillForm(value: Value, build: Build): Fill {
  const made = build.structure(value, asText);
  return (draft, facts) => {
    const filled = made(facts);
    if (isObject(filled)) Object.assign(draft.form, filled);
    else if (filled !== null) draft.text = plainText(filled);
  };
}

/** An object, or a template that makes one. */
export function fillJson(value: Value, build: Build): Fill {
  const made = build.structure(value, asValue);
  return (draft, facts) => {
    const filled = made(facts);
    if (isObject(filled)) Object.assign(draft.json, filled);
    else if (typeof filled === "string") draft.text = jsonText(filled, draft, build);
  };
}

/** JSON that is no literal of Python (`true`, `null`) comes as text. */
function jsonText(text: string, draft: Draft, build: Build): string {
  try {
    JSON.parse(text);
  } catch (error) {
    throw Object.assign(build.problem("its request_body_json does not come to an object"), { cause: error });
  }
  draft.headers["content-type"] ??= "application/json";
  return text;
}
