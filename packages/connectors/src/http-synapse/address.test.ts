/** Variables in addresses: values stay in their place. */
import { expect, test } from "vitest";
import { fillAddress } from "./address.ts";

test("[PLT-054] a value is a part of the host, a port, or encoded behind them", () => {
  const fill = (template: string, value: string) => fillAddress(template, { v: value });
  expect(fill("https://{{variable.v}}.example.com/v1", "north")).toBe("https://north.example.com/v1");
  expect(fill("http://127.0.0.1:{{ variable.v }}", "8080")).toBe("http://127.0.0.1:8080");
  expect(fill("https://api.example.com/{{variable.v}}/x", "a/b?c#d")).toBe("https://api.example.com/a%2Fb%3Fc%23d/x");
  expect(fill("{{variable.v}}/api", "https://shop.example.com/")).toBe("https://shop.example.com/api");
});

test.each([
  ["https://{{variable.v}}.example.com", "evil.example/"],
  ["https://{{variable.v}}.example.com", "user@evil"],
  ["https://{{variable.v}}.example.com", "a#"],
  ["https://{{variable.v}}.example.com", ""],
  ["https://api.example.com:{{variable.v}}", "1/@evil.example"],
  ["https://api.example.com/{{variable.v}}/x", ".."],
  ["{{variable.v}}/api", "javascript:alert(1)"],
  ["{{variable.v}}/api", "https://user:word@example.com"],
])("[PLT-054] %s takes no %s", (template, value) => {
  expect(() => fillAddress(template, { v: value })).toThrow(/The value of v/);
});
