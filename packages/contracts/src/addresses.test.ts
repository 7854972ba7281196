/** Addresses that people enter are for http alone: whatever shows one as a link can be clicked without harm. */
import { expect, test } from "vitest";
import type { z } from "zod";
import { ENDPOINTS } from "./endpoints.ts";

/** Every schema within one. Recursive ones are followed once. */
function within(schema: z.ZodType | undefined, seen: Set<z.ZodType>): Set<z.ZodType> {
  if (!schema || seen.has(schema)) return seen;
  seen.add(schema);
  const def = schema._zod.def as unknown as Record<string, unknown>;
  const inner = [
    def["element"],
    def["innerType"],
    def["in"],
    def["out"],
    def["keyType"],
    def["valueType"],
    def["left"],
    def["right"],
  ];
  const lazy = typeof def["getter"] === "function" ? [(def["getter"] as () => z.ZodType)()] : [];
  const shape = Object.values((def["shape"] ?? {}) as Record<string, z.ZodType>);
  const options = (def["options"] ?? []) as z.ZodType[];
  for (const one of [...inner, ...lazy, ...shape, ...options])
    if (one !== null && typeof one === "object" && "_zod" in one) within(one as z.ZodType, seen);
  return seen;
}

const addresses = ENDPOINTS.flatMap((endpoint) =>
  [endpoint.params, endpoint.query, endpoint.body].flatMap((part) =>
    [...within(part, new Set())]
      .filter((schema) => (schema._zod.def as { format?: string }).format === "url")
      .map((schema) => [endpoint.name, schema] as const),
  ),
);

test("addresses in inputs are http or https", () => {
  expect(addresses.length).toBeGreaterThan(3);
  for (const [name, schema] of addresses) {
    expect(schema.safeParse("https://example.com/x").success, name).toBe(true);
    for (const hostile of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://example.com/"])
      expect(schema.safeParse(hostile).success, `${name} takes ${hostile}: z.url({ protocol: /^https?$/ })`).toBe(
        false,
      );
  }
});
