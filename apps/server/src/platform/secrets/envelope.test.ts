/** Secrets at rest: nothing opens that was changed, moved, or sealed with a key that is gone. */
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeSecrets } from "./envelope.ts";
import { readMasterKeys } from "./master-key-file.ts";

const key = (id: string) => ({ id, key: randomBytes(32) });
const place = { instanceId: "a".repeat(24), table: "connector", id: "b".repeat(24), field: "password" };

describe("sealed secrets", () => {
  test("any text comes back, and no two seals look alike", async () => {
    const secrets = makeSecrets([key("k1")]);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 2_000 }), async (text) => {
        const [one, two] = [await secrets.seal(place, text), await secrets.seal(place, text)];
        expect(one).not.toBe(two);
        expect(await secrets.open(place, one)).toBe(text);
        if (text.length > 3) expect(one).not.toContain(text);
      }),
      { numRuns: 50 },
    );
  });

  test("moved to another instance, table, row or field it does not open", async () => {
    const secrets = makeSecrets([key("k1")]);
    const sealed = await secrets.seal(place, "s3cret");
    for (const part of ["instanceId", "table", "id", "field"] as const) {
      await expect(secrets.open({ ...place, [part]: "other" }, sealed)).rejects.toThrow(/another place/);
    }
  });

  test("with any one character changed it does not open", async () => {
    const secrets = makeSecrets([key("k1")]);
    const sealed = await secrets.seal(place, "s3cret");
    for (let at = 0; at < sealed.length; at += 3) {
      const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
      const opened = await secrets.open(place, changed).catch(() => "refused");
      // The last character of base64 may carry unused bits: then nothing was changed.
      expect(["refused", "s3cret"]).toContain(opened);
      if (opened === "s3cret") expect(sealed[at + 1] === "." || at === sealed.length - 1).toBe(true);
    }
  });

  test("a new key on top seals; old secrets still open, are wrapped anew, and then need the old key no more", async () => {
    const [old, fresh] = [key("k1"), key("k2")];
    const sealed = await makeSecrets([old]).seal(place, "s3cret");
    const both = makeSecrets([fresh, old]);
    expect(await both.open(place, sealed)).toBe("s3cret");
    const rewrapped = await both.rewrap(place, sealed);
    expect(await both.rewrap(place, rewrapped)).toBe(rewrapped);
    expect(await makeSecrets([fresh]).open(place, rewrapped)).toBe("s3cret");
    await expect(makeSecrets([fresh]).open(place, sealed)).rejects.toThrow(/master key k1 is missing/);
  });

  test("equal values of an instance are sealed alike, others and those of other instances are not", () => {
    const secrets = makeSecrets([key("k1")]);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
        const sealed = secrets.sealValue("i1", one);
        expect(secrets.openValue("i1", sealed)).toBe(one.toWellFormed());
        expect(secrets.sealValue("i1", other) === sealed).toBe(other.toWellFormed() === one.toWellFormed());
        expect(secrets.sealValue("i2", one)).not.toBe(sealed);
        expect(secrets.openValue("i2", sealed)).toBe(null);
        if (one.length > 3) expect(sealed).not.toContain(one);
      }),
      { numRuns: 50 },
    );
  });

  test("a sealed value that was changed, and a text that only looks like one, does not open", () => {
    const secrets = makeSecrets([key("k1")]);
    const sealed = secrets.sealValue("i1", "s3cret");
    const body = Buffer.from(sealed.split(".").at(-1) ?? "", "base64url");
    for (let at = 0; at < body.length; at += 1) {
      const changed = Buffer.from(body);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(secrets.openValue("i1", `accord-sealed-1.k1.${changed.toString("base64url")}`)).toBe(null);
    }
    for (const text of ["s3cret", "accord-sealed-1.", "accord-sealed-1.k1.AAAA", `${sealed}.x`])
      expect(secrets.openValue("i1", text)).toBe(null);
  });

  test("values sealed before a new key came stay equal to those sealed after it", () => {
    const [old, fresh] = [key("k1"), key("k2")];
    const sealed = makeSecrets([old]).sealValue("i1", "s3cret");
    expect(makeSecrets([fresh, old]).sealValue("i1", "s3cret")).toBe(sealed);
    expect(() => makeSecrets([fresh]).openValue("i1", sealed)).toThrow(/master key k1 is missing/);
  });

  test("a signature for one purpose fits no other", () => {
    const secrets = makeSecrets([key("k1")]);
    expect(secrets.sign("a", "x")).toBe(secrets.sign("a", "x"));
    expect(secrets.sign("a", "x")).not.toBe(secrets.sign("b", "x"));
  });
});

describe("the master key file", () => {
  const folder = () => mkdtemp(join(tmpdir(), "accord-key-"));

  test("is made once, for its owner only, and read again", async () => {
    const path = join(await folder(), "home", "master.key");
    const [made] = await readMasterKeys(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readMasterKeys(path)).toEqual([made]);
  });

  test("two processes of one start end up with the same key", async () => {
    const path = join(await folder(), "master.key");
    const made = await Promise.all([1, 2, 3, 4].map(() => readMasterKeys(path).catch(() => readMasterKeys(path))));
    expect(new Set(made.map(([first]) => first?.key.toString("hex"))).size).toBe(1);
  });

  test("open to others, empty or garbled it is refused, without showing a key", async () => {
    const path = join(await folder(), "master.key");
    await readMasterKeys(path);
    const good = await readFile(path, "utf8");
    await chmod(path, 0o644);
    await expect(readMasterKeys(path)).rejects.toThrow(/chmod 600/);
    await chmod(path, 0o600);
    for (const text of ["", "# nothing\n", "k1:short\n", `${good}${good}`]) {
      await writeFile(path, text);
      await expect(readMasterKeys(path)).rejects.toThrow(/empty|form|one id/);
    }
  });
});
