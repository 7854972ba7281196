/** The uploaded code as files: one module, or a .tgz of plain files. Nothing in an archive is a path of this machine. */
import { gunzipSync } from "node:zlib";
import { isSafePath } from "../../../platform/sandbox/program-folder.ts";

export interface CodeFiles {
  /** Path of the module that exports `synapse`. */
  main: string;
  files: ReadonlyMap<string, Uint8Array>;
}

export const MAX_CODE_BYTES = 5_000_000;
const MAX_UNPACKED_BYTES = 20_000_000;
const MAX_FILES = 200;
const BLOCK = 512;
const KIND = { file: ["0", "\0"], folder: "5" };
/** npm packs everything below a folder of this name. */
const PACKED_FOLDER = "package/";
const MAIN_NAMES = ["synapse.mjs", "synapse.js", "main.mjs", "main.js", "index.mjs", "index.js"];

/** What is wrong with the file, in words that its author can use. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** Throws `ArchiveError`. */
export function readCode(fileName: string, bytes: Uint8Array): CodeFiles {
  if (bytes.byteLength === 0) throw new ArchiveError("is empty");
  if (bytes.byteLength > MAX_CODE_BYTES) throw new ArchiveError(`may have ${MAX_CODE_BYTES / 1_000_000} MB at most`);
  if (/\.m?js$/i.test(fileName)) return { main: "synapse.mjs", files: new Map([["synapse.mjs", textOf(bytes)]]) };
  if (!/\.(tgz|tar\.gz)$/i.test(fileName))
    throw new ArchiveError(
      "must be one ES module (.mjs or .js) or an archive of them (.tgz), all dependencies bundled in",
    );
  const files = unpack(bytes);
  const main = MAIN_NAMES.find((name) => files.has(name));
  if (main === undefined) throw new ArchiveError(`has none of ${MAIN_NAMES.join(", ")} at its top`);
  // Node takes a .js file for a module only where a package.json says so.
  if (!files.has("package.json")) files.set("package.json", new TextEncoder().encode('{"type":"module"}'));
  return { main, files };
}

function textOf(bytes: Uint8Array): Uint8Array {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ArchiveError("is not a text in UTF-8");
  }
  return bytes;
}

function unpack(bytes: Uint8Array): Map<string, Uint8Array> {
  let tar: Buffer;
  try {
    tar = gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    throw new ArchiveError(
      isTooLarge
        ? `unpacks to more than ${MAX_UNPACKED_BYTES / 1_000_000} MB`
        : "can't be unpacked: make it with npm pack or tar -czf",
    );
  }
  const files = new Map<string, Uint8Array>();
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
    const { name, size, kind } = header(tar.subarray(at, at + BLOCK));
    const content = tar.subarray(at + BLOCK, at + BLOCK + size);
    if (content.length < size) throw new ArchiveError("ends in the middle of a file");
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    // Notes of tar about the next file: only its longer names would matter, and those are refused anyway.
    if (kind === "g" || kind === "x" || kind === KIND.folder) continue;
    if (!KIND.file.includes(kind))
      throw new ArchiveError(`holds ${name}, which is a link or no plain file: pack files and folders only`);
    const path = name.replace(/^(\.\/)+/, "").replace(PACKED_FOLDER, "");
    if (!isSafePath(path) || path.split("/").includes("node_modules"))
      throw new ArchiveError(
        `holds ${name}, whose name is not allowed: use letters, digits, points and hyphens, no node_modules`,
      );
    if (files.has(path)) throw new ArchiveError(`holds ${path} twice`);
    files.set(path, content);
    if (files.size > MAX_FILES) throw new ArchiveError(`holds more than ${MAX_FILES} files: bundle them`);
  }
  return files;
}

function header(block: Buffer): { name: string; size: number; kind: string } {
  const field = (from: number, length: number): string =>
    block.toString("utf8", from, from + length).split("\0")[0] ?? "";
  const octal = field(124, 12).trim();
  if (!/^[0-7]{1,11}$/.test(octal)) throw new ArchiveError("is no archive of tar");
  const prefix = field(257, 5) === "ustar" ? field(345, 155) : "";
  const name = field(0, 100);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    size: Number.parseInt(octal, 8),
    kind: block.toString("latin1", 156, 157),
  };
}
