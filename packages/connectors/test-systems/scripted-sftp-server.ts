/** An SFTP server in this process for what a well-behaved one does not do: silence, endless lists, hostile names, passwords asked in dialogue. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import ssh2, { type Connection, type SFTPWrapper } from "ssh2";
import { fingerprintOf, keyPair } from "./openssh-server.ts";

export interface SftpScript {
  /** How a password is taken. */
  signIn?: "password" | "dialogue";
  /** Files of its only folder. */
  files?: Record<string, string>;
  /** Each part of the list has more files, or more of what is no file; it never ends. */
  endless?: "files" | "dots";
  /** Of a file that is open nothing comes. */
  hidesBytes?: boolean;
}

export interface ScriptedSftpServer {
  port: number;
  fingerprint: string;
  /** Passwords that were sent, in their order. */
  passwords: string[];
  connections: number;
  /** From now on nothing is answered on lines that are open. */
  isSilent: boolean;
  stop(): Promise<void>;
}

const PASSWORD = "open sesame";
const { STATUS_CODE } = ssh2.utils.sftp;
/** A regular file that everybody may read. */
const FILE_MODE = 0o100644;
const FOLDER_MODE = 0o040755;

export const SCRIPTED_PASSWORD = PASSWORD;

export async function startScriptedSftpServer(script: SftpScript = {}): Promise<ScriptedSftpServer> {
  const host = keyPair();
  const state: ScriptedSftpServer = {
    port: 0,
    fingerprint: fingerprintOf(host.public),
    passwords: [],
    connections: 0,
    isSilent: false,
    stop: async () => {
      for (const line of lines) line.end();
      server.close();
      await once(server, "close");
    },
  };
  const lines = new Set<Connection>();
  const server = new ssh2.Server({ hostKeys: [host.private] }, (line) => {
    state.connections += 1;
    lines.add(line);
    line.on("error", () => {});
    line.on("close", () => lines.delete(line));
    letIn(line, script, state);
    line.on("session", (accept) => {
      accept().on("sftp", (acceptFiles) => serve(acceptFiles(), script, state));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  state.port = (server.address() as AddressInfo).port;
  return state;
}

function letIn(line: Connection, { signIn = "password" }: SftpScript, state: ScriptedSftpServer): void {
  line.on("authentication", (context) => {
    const judge = (password: string): void => {
      state.passwords.push(password);
      if (password === PASSWORD) context.accept();
      else context.reject();
    };
    if (signIn === "password" && context.method === "password") judge(context.password);
    else if (signIn === "dialogue" && context.method === "keyboard-interactive")
      context.prompt([{ prompt: "Password: ", echo: false }], (answers) => judge(answers[0] ?? ""));
    else context.reject([signIn === "password" ? "password" : "keyboard-interactive"]);
  });
}

function serve(
  sftp: SFTPWrapper,
  { files = {}, endless, hidesBytes = false }: SftpScript,
  state: ScriptedSftpServer,
): void {
  const opened = new Map<string, { path: string; sent: number }>();
  const handleOf = (path: string): Buffer => {
    const id = String(opened.size);
    opened.set(id, { path, sent: 0 });
    return Buffer.from(id);
  };
  const attributes = (size: number, mode = FILE_MODE) => ({
    mode,
    size,
    uid: 0,
    gid: 0,
    atime: 1,
    mtime: 1_000_000_000,
  });
  const entry = (name: string, size: number) => ({ filename: name, longname: name, attrs: attributes(size) });
  const unless =
    <Arguments extends unknown[]>(answer: (...given: Arguments) => void) =>
    (...given: Arguments): void => {
      if (!state.isSilent) answer(...given);
    };
  sftp.on(
    "OPENDIR",
    unless((id, path) => sftp.handle(id, handleOf(path))),
  );
  sftp.on(
    "READDIR",
    unless((id, handle) => {
      const folder = opened.get(handle.toString());
      if (!folder || (folder.sent > 0 && !endless)) return sftp.status(id, STATUS_CODE.EOF);
      const from = folder.sent;
      folder.sent += 1;
      const made = Array.from({ length: endless ? 100 : 0 }, (_, at) =>
        entry(endless === "dots" ? "." : `${from}-${at}.csv`, 1),
      );
      return sftp.name(id, [...Object.entries(files).map(([name, text]) => entry(name, text.length)), ...made]);
    }),
  );
  sftp.on(
    "OPEN",
    unless((id, path) => sftp.handle(id, handleOf(path))),
  );
  sftp.on(
    "READ",
    unless((id, handle, offset, length) => {
      if (hidesBytes) return;
      const text = files[opened.get(handle.toString())?.path.split("/").at(-1) ?? ""] ?? "";
      const part = Buffer.from(text).subarray(offset, offset + length);
      return part.length === 0 ? sftp.status(id, STATUS_CODE.EOF) : sftp.data(id, part);
    }),
  );
  sftp.on(
    "STAT",
    unless((id) => sftp.attrs(id, attributes(0, FOLDER_MODE))),
  );
  sftp.on(
    "CLOSE",
    unless((id) => sftp.status(id, STATUS_CODE.OK)),
  );
}
