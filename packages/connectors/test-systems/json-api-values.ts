/** The values of a company in what the register is sent: JSON or a form, bare or in an envelope. */
import type { IncomingMessage } from "node:http";
import type { Company, Habits } from "./json-api-habits.ts";

export function valuesIn(request: IncomingMessage, body: string, { envelope }: Habits): Partial<Company> {
  const isForm = request.headers["content-type"] === "application/x-www-form-urlencoded";
  const sent = isForm ? nested(new URLSearchParams(body)) : (JSON.parse(body || "{}") as { [name: string]: unknown });
  return (envelope === undefined ? sent : { ...(sent[envelope] as object) }) as Partial<Company>;
}

interface Nested {
  [name: string]: string | number | boolean | null | string[] | Nested;
}

/** `address[city]=Kiel` is a member of a member, `tags[0]=a` an element of a list, nothing is null. */
function nested(form: URLSearchParams): Nested {
  const values: Nested = {};
  for (const [name, text] of form) {
    const [first = "", ...inner] = name.split(/\[|\]\[|\]/).filter((part) => part !== "");
    const value = text === "" ? null : text === "true" ? true : text === "false" ? false : text;
    const held = values[first];
    if (inner.length === 0) values[first] = first === "size" && value !== null ? Number(value) : value;
    else if (/^\d+$/.test(inner[0] ?? "")) values[first] = [...(Array.isArray(held) ? held : []), text];
    else values[first] = { ...(typeof held === "object" && !Array.isArray(held) ? held : {}), [inner[0] ?? ""]: value };
  }
  return values;
}
