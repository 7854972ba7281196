/** The library for S3 is large: a server that reads no bucket does not load it. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const CODE = `
  import { createRequire } from "node:module";
  const { CONNECTORS } = await import(process.argv[1]);
  const isLoaded = () => Object.keys(createRequire(process.argv[1]).cache).some((path) => path.includes("@aws-sdk"));
  const before = isLoaded();
  const s3 = CONNECTORS.find(({ type }) => type === "s3");
  const context = {
    config: { bucket: "shop", endpoint: "http://127.0.0.1:9", pathStyle: true },
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
    signal: new AbortController().signal,
    now: () => new Date(),
    send: () => Promise.reject(new Error("nobody is there")),
  };
  const connection = s3.connect(context);
  const connected = isLoaded();
  await connection.check().catch(() => {});
  console.log(JSON.stringify([before, connected, isLoaded()]));
`;

test("the library is loaded when a bucket is first asked, not when the server starts", () => {
  const index = fileURLToPath(new URL("../index.ts", import.meta.url));
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", CODE, index], { encoding: "utf8" });
  expect(JSON.parse(said)).toEqual([false, false, true]);
});
