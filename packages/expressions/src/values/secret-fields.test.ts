/** Messages about a record without its secrets: systems write a value in several ways when they repeat it. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import type { Value } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { SecretFields } from "./secret-fields.ts";

const secrets = SecretFields.named(["pin"]);

test.each<[string, Value, string, string]>([
  ["as it is", "se cret", "No se cret here", `No ${PASSWORD_MASK} here`],
  ["within JSON", 'a "b" \\ c', JSON.stringify({ pin: 'a "b" \\ c' }), `{"pin":"${PASSWORD_MASK}"}`],
  ["within an address", "se cret/1", "GET /?pin=se%20cret%2F1", `GET /?pin=${PASSWORD_MASK}`],
  ["a number", 4711, "Key (pin)=(4711) already exists.", `Key (pin)=(${PASSWORD_MASK}) already exists.`],
  ["an exact number", JSON.rawJSON("4711.50"), "Not 4711.50!", `Not ${PASSWORD_MASK}!`],
  ["in a list", ["first", "second"], "second, then first", `${PASSWORD_MASK}, then ${PASSWORD_MASK}`],
  ["in an object", { in: { side: "deep" } }, "It is deep.", `It is ${PASSWORD_MASK}.`],
])("a secret %s is masked", (_, value, message, shown) => {
  expect(secrets.text(message, { name: "No", pin: value })).toBe(shown);
});

test("a short one, and half of a character, change no words", () => {
  expect(secrets.text("It is on.", { pin: "is" })).toBe("It is on.");
  expect(secrets.text("It is on.", { pin: "abc\ud800" })).toBe("It is on.");
  expect(secrets.text("It is true.", { pin: true })).toBe("It is true.");
});
