/** Archives as people and attackers pack them. */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { MAX_CODE_BYTES, readCode } from "./archive.ts";

interface Entry {
  name: string;
  text?: string;
  kind?: string;
  link?: string;
  size?: number;
}

/** A tar as programs write it; nothing in it is checked. */
function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.map(({ name, text = "", kind = "0", link = "", size }) => {
    const header = Buffer.alloc(512);
    header.write(name.slice(0, 100), 0);
    header.write((size ?? Buffer.byteLength(text)).toString(8).padStart(11, "0"), 124);
    header.write(kind, 156);
    header.write(link, 157);
    header.write("ustar", 257);
    const content = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
    content.write(text);
    return Buffer.concat([header, content]);
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
const read = (...entries: Entry[]) => readCode("code.tgz", gzipSync(tarOf(entries)));

test("one module is taken as it is", () => {
  const { main, files } = readCode("anything.js", Buffer.from("export const synapse = 1;"));
  expect([main, [...files.keys()]]).toEqual(["synapse.mjs", ["synapse.mjs"]]);
});

test("an archive of npm or tar: the folder of npm is left out, folders and notes are skipped", () => {
  const { main, files } = read(
    { name: "package/lib/", kind: "5" },
    { name: "pax_global_header", kind: "g", text: "1" },
    { name: "package/lib/a.mjs", text: "a" },
    { name: "./synapse.js", text: "s" },
  );
  expect(main).toBe("synapse.js");
  expect([...files.keys()].toSorted()).toEqual(["lib/a.mjs", "package.json", "synapse.js"]);
  expect(Buffer.from(files.get("lib/a.mjs") ?? []).toString()).toBe("a");
});

const MAIN: Entry = { name: "synapse.mjs", text: "x" };
test.each<[string, string, Entry[]]>([
  ["a symlink", "link or no plain file", [MAIN, { name: "passwd", kind: "2", link: "/etc/passwd" }]],
  ["a hard link", "link or no plain file", [MAIN, { name: "passwd", kind: "1", link: "/etc/passwd" }]],
  ["a device", "link or no plain file", [MAIN, { name: "sda", kind: "4" }]],
  ["a pipe", "link or no plain file", [MAIN, { name: "pipe", kind: "6" }]],
  ["a path upwards", "name is not allowed", [MAIN, { name: "../x.mjs", text: "x" }]],
  ["a path upwards inside", "name is not allowed", [MAIN, { name: "a/../../x.mjs", text: "x" }]],
  ["an absolute path", "name is not allowed", [MAIN, { name: "/etc/x.mjs", text: "x" }]],
  ["a hidden file", "name is not allowed", [MAIN, { name: ".npmrc", text: "x" }]],
  ["packages", "name is not allowed", [MAIN, { name: "node_modules/x/index.js", text: "x" }]],
  ["two files of one name", "twice", [MAIN, MAIN]],
  ["no module", "has none of", [{ name: "readme.txt", text: "x" }]],
  ["a size beyond its end", "middle of a file", [{ name: "synapse.mjs", size: 5_000 }]],
  ["too many files", "more than 200", Array.from({ length: 202 }, (_, at) => ({ name: `f${at}.mjs`, text: "x" }))],
])("an archive with %s is refused", (_, message, entries) => {
  expect(() => read(...entries)).toThrow(message);
});

test("an archive that unpacks to too much, is none, or is too large is refused", () => {
  expect(() => readCode("a.tgz", gzipSync(Buffer.alloc(30_000_000)))).toThrow("unpacks to more than 20 MB");
  expect(() => readCode("a.tgz", Buffer.from("no archive"))).toThrow("can't be unpacked");
  expect(() => readCode("a.tgz", gzipSync(Buffer.from("x".repeat(600))))).toThrow("no archive of tar");
  expect(() => readCode("a.mjs", Buffer.alloc(MAX_CODE_BYTES + 1))).toThrow("5 MB at most");
  expect(() => readCode("a.mjs", Buffer.from([0xff, 0xfe]))).toThrow("UTF-8");
  expect(() => readCode("a.zip", Buffer.from("PK"))).toThrow("must be one ES module");
});
