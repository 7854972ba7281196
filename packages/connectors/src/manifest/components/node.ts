/** A component as it stands in a manifest. */

/** A component in a manifest: `type` is its own or its place's, `$parameters` those in force at it. */
export interface ComponentNode {
  readonly type: string;
  readonly [option: string]: unknown;
}

export const isComponentNode = (value: unknown): value is ComponentNode =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  "type" in value &&
  typeof value.type === "string";
