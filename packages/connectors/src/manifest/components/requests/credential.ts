/** The value of a credential: one that is missing is named, rather than sent as nothing. */
import type { BoundTemplate, Build } from "../model.ts";

export function credential(template: BoundTemplate, what: string, build: Build): string {
  const text = template.text();
  if (text === "" || text === "None")
    throw build.problem(`${what} (${template.source}) is blank: fill in the input it is taken from`);
  return text;
}
