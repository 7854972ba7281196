/** Which passwords are refused, and why a long ordinary sentence is not. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashPassword, verifyPassword } from "../../../platform/access/password-hash.ts";
import { checkPassword } from "./passwords.ts";

const person = { email: "grace.hopper@example.com", firstName: "Grace", lastName: "Hopper" };
const isRefused = (password: string) => {
  try {
    checkPassword(password, person);
    return false;
  } catch {
    return true;
  }
};

describe("password rules", () => {
  const REFUSED = `
    password1234 Password123! P@ssw0rd2024! 123password123 passwordpassword adminpassword qwertyuiop12
    123456789012 abcdefghijkl aaaaaaaaaaaa abcabcabcabc letmein12345 welcome12345 iloveyou1234
    qwerty123456 1q2w3e4r5t6y administrator1 changeme1234 correcthorsebatterystaple hellohellohello
    grace.hopper1 GraceHopper!! grace.hopper@example.com hopperhopper12
  `
    .trim()
    .split(/\s+/);
  test.each(REFUSED)("%s is refused", (password) => expect(isRefused(password)).toBe(true));

  test.each([
    "a long walk by the river",
    "Tr0ubled-lantern.9",
    "zwölf grüne Äpfel",
    "vermilion okapi 77",
    "passwords are silly things",
  ])("%s is accepted", (password) => expect(isRefused(password)).toBe(false));

  test("random passwords are never taken for common ones", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 16, maxLength: 40, unit: "grapheme-ascii" }), (password) => {
        fc.pre(new Set(password.toLowerCase()).size >= 8);
        expect(isRefused(password)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test("a hash fits its password however it was typed, and nobody's hash fits nothing", async () => {
    const hash = await hashPassword("cafe\u0301 au lait noir");
    expect(await verifyPassword(hash, "café au lait noir")).toBe(true);
    expect(await verifyPassword(hash, "cafe au lait noir")).toBe(false);
    expect(await verifyPassword(null, "nobody has this password")).toBe(false);
    expect(await verifyPassword("not a hash", "x")).toBe(false);
  });
});
