/** Secrets for tests without a whole server: one key for all processes of a test. */
import { makeSecrets } from "../src/platform/secrets/envelope.ts";

export const testSecrets = makeSecrets([{ id: "test", key: Buffer.alloc(32, "test") }]);
