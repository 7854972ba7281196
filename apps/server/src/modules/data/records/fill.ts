/** Fills `{{name}}` in a message of the catalogue, for messages that travel inside a reply. */

/** `fill("“{{value}}” is not a date.", { value: "x" })`; a fact that is missing leaves nothing. */
export const fill = (message: string, facts: Readonly<Record<string, unknown>>): string =>
  message.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => String(facts[name] ?? ""));
