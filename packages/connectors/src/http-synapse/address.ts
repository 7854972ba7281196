/** Fills variables in addresses: a value can't lead to another host than the address says. */
import { ConnectorError } from "@accord/connector-sdk";
import type { VariableValues } from "@accord/contracts/connections/http-synapse-definition";

const PLACEHOLDER = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g;
const NAMED = /^variable\.([A-Za-z][A-Za-z0-9_]*)$/;

/** Names of the variables that a template mentions. */
export const variablesIn = (template: string): string[] =>
  [...template.matchAll(PLACEHOLDER)].flatMap(([, inner = ""]) => NAMED.exec(inner)?.[1] ?? []);

/** Placeholders that name no variable. */
export const otherPlaceholdersIn = (template: string): string[] =>
  [...template.matchAll(PLACEHOLDER)].flatMap(([, inner = ""]) => (NAMED.test(inner) ? [] : [inner]));

const textOf = (values: VariableValues, name: string): string => {
  const value = values[name] ?? "";
  return (Array.isArray(value) ? value.join(",") : value).trim();
};

/** Part of a host's name, or a port. */
const IN_HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;

/**
 * The address with its variables: as parts of its host within the host, encoded behind it. One that begins with a
 * variable takes a whole address from it.
 * @throws ConnectorError for a value that fits nowhere.
 */
export function fillAddress(template: string, values: VariableValues): string {
  const text = template.trim();
  const whole = /^\{\{\s*variable\.([A-Za-z][A-Za-z0-9_]*)\s*\}\}/.exec(text);
  const begun = whole ? textOf(values, whole[1] ?? "").replace(/\/+$/, "") : "";
  if (whole && !/^https?:\/\/[^/@?#]+(\/[^?#]*)?$/.test(begun))
    throw wrong(whole[1] ?? "", "must be a whole address, such as https://api.example.com");
  const rest = whole ? text.slice(whole[0].length) : text;
  const behindHost = whole ? 0 : hostEnd(rest);
  const fill = (part: string, put: (name: string) => string): string =>
    part.replace(PLACEHOLDER, (placeholder, inner: string) => {
      const name = NAMED.exec(inner)?.[1];
      return name === undefined ? placeholder : put(name);
    });
  const host = fill(rest.slice(0, behindHost), (name) => {
    const value = textOf(values, name);
    if (!IN_HOST.test(value)) throw wrong(name, "must be a part of a host's name: letters, digits, dots and hyphens");
    return value;
  });
  const path = fill(rest.slice(behindHost), (name) => {
    const value = textOf(values, name);
    if (value === "." || value === "..") throw wrong(name, "can't be a part of an address");
    return encodeURIComponent(value);
  });
  return `${begun}${host}${path}`;
}

/** Where the path begins, behind scheme and host. */
function hostEnd(address: string): number {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(address)?.[0].length ?? 0;
  const end = address
    .slice(scheme)
    .replace(PLACEHOLDER, (found) => "x".repeat(found.length))
    .search(/[/?#]/);
  return end < 0 ? address.length : scheme + end;
}

const wrong = (name: string, message: string): ConnectorError =>
  new ConnectorError("configuration", `The value of ${name} ${message}.`, {
    neverSent: true,
    hint: "Edit the connection and correct this value.",
  });
