/** Tokens as others make them of the same claims and secret. */
import { expect, test } from "vitest";
import { signToken } from "./sign-token.ts";

test("a token is the one that is known for these claims and this secret", () => {
  const claims = { sub: "1234567890", name: "John Doe", iat: 1_516_239_022 };
  expect(signToken(claims, "your-256-bit-secret")).toBe(
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9" +
      ".eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ" +
      ".SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
  );
});

test("other claims and another secret make other tokens, and letters of any language are read back", () => {
  const token = signToken({ name: "Žofie – 北京" }, "a".repeat(32));
  expect(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())).toEqual({ name: "Žofie – 北京" });
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(signToken({ name: "Žofie – 北京" }, "b".repeat(32)).split(".")[2]).not.toBe(token.split(".")[2]);
});
