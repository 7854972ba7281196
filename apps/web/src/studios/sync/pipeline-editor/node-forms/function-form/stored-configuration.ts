/** Whether what is stored for a node has the form that its inputs take. Pure. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { NodeConfiguration } from "@accord/contracts/sync/graph";

/** Inputs of these types hold one text or one choice. */
const SINGLE: ReadonlySet<string> = new Set([
  ...["boolean", "date", "datetime", "email", "picklist", "string", "text", "textarea", "url"],
]);

/** The inputs that hold an object or a list where they take a single value: no field of a form can show that. */
export function unreadableInputs(
  inputs: readonly InputDefinition[],
  configuration: NodeConfiguration,
): readonly InputDefinition[] {
  return inputs.filter(({ name, datatype = "string", repeatable }) => {
    const value = configuration[name];
    return SINGLE.has(datatype) && !repeatable && typeof value === "object" && value !== null;
  });
}
