/** Reads the master keys from their file, or makes the first one. The file is the only place that holds them. */
import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { MasterKey } from "./envelope.ts";
import { SecretError } from "./secrets.ts";

const LINE = /^([a-z0-9]{1,16}):([A-Za-z0-9+/]{43}=)$/;

/**
 * One `id:base64` line for each key of 32 bytes, the newest first; lines starting with # are comments.
 * To rotate, put a new line on top and restart: old secrets still open and are wrapped anew when they are saved.
 * @throws SecretError when the file is readable by others or holds anything else.
 */
export async function readMasterKeys(path: string): Promise<MasterKey[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new SecretError(`The master key file ${path} can't be read: ${error.message}`);
  });
  if (text === null) return createKeyFile(path);
  const { mode } = await stat(path);
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    throw new SecretError(`The master key file ${path} is open to other users. Run: chmod 600 ${path}`);
  }
  return parseKeys(text, path);
}

function parseKeys(text: string, path: string): MasterKey[] {
  const lines = text.split("\n").map((line) => line.trim());
  const keys = lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line, index) => {
      const parts = LINE.exec(line);
      if (!parts?.[1] || !parts[2]) throw new SecretError(`Key ${index + 1} in ${path} is not of the form id:base64.`);
      return { id: parts[1], key: Buffer.from(parts[2], "base64") };
    });
  if (keys.length === 0) throw new SecretError(`The master key file ${path} is empty. Restore it from a backup.`);
  if (new Set(keys.map((key) => key.id)).size < keys.length) throw new SecretError(`Two keys in ${path} have one id.`);
  return keys;
}

async function createKeyFile(path: string): Promise<MasterKey[]> {
  await mkdir(dirname(path), { recursive: true });
  const key = randomBytes(32);
  // Under its name only once it is whole: a server that starts at the same time may be reading already.
  const unfinished = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const file = await open(unfinished, "wx", 0o600);
    await file.writeFile(
      `# Master key of Accord. Keep a copy apart from the database backups.\nk1:${key.toString("base64")}\n`,
    );
    await file.sync();
    await file.close();
    await chmod(unfinished, 0o600);
    await link(unfinished, path);
  } catch (error) {
    // Another process of the same start was faster.
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return readMasterKeys(path);
    throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
  return [{ id: "k1", key }];
}
