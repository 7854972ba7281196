/** A post is kept in two parts: what was sealed is what comes out, wherever the border falls. */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { makeSecrets } from "../../../platform/secrets/envelope.ts";
import { EXCERPT_LENGTH, openBody, sealBody } from "./sealed-body.ts";

const secrets = makeSecrets([{ id: "only", key: randomBytes(32) }]);

test.each([EXCERPT_LENGTH - 2, EXCERPT_LENGTH - 1, EXCERPT_LENGTH])(
  "a character of two units that begins at unit %i stays whole",
  (at) => {
    const body = `${"x".repeat(at)}😀${"y".repeat(10)}`;
    expect(openBody(secrets, "instance", sealBody(secrets, "instance", body))).toBe(body);
  },
);
