/** The log blots out secrets wherever they are likely to turn up. */
import { expect, test } from "vitest";
import { makeLog } from "./log.ts";

function logged(write: (log: ReturnType<typeof makeLog>) => void): string {
  let text = "";
  write(makeLog({ logLevel: "debug", destination: { write: (line: string) => (text += line) } }));
  return text;
}

test("secrets at the top and below are blotted out", () => {
  const text = logged((log) =>
    log.info({
      password: "canary-1",
      user: { email: "a@b.example", password: "canary-2" },
      request: {
        headers: { authorization: "canary-3", cookie: "canary-4", "x-csrf-token": "canary-5", accept: "json" },
      },
      databaseUrl: "postgres://me:canary-6@host/db",
    }),
  );
  expect(text).not.toContain("canary");
  expect(text).toContain("a@b.example");
  expect(text).toContain("json");
});

test("an error is logged with its cause, without what a driver hung on it", () => {
  const error = Object.assign(new Error("refused", { cause: new Error("no route") }), {
    code: "28P01",
    client: { password: "canary", secretKey: "canary" },
  });
  const entry = JSON.parse(logged((log) => log.error({ err: error }, "no connection")));
  expect(entry).toMatchObject({ level: "error", msg: "no connection", err: { code: "28P01", message: "refused" } });
  expect(entry.err.cause.message).toBe("no route");
  expect(JSON.stringify(entry)).not.toContain("canary");
});
