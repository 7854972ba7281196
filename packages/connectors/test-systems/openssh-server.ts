/** A throw-away OpenSSH server for connector tests: the account that runs the tests reads one folder over SFTP, by its key. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import ssh2 from "ssh2";
import { freePort } from "./free-port.ts";

export interface OpenSshServer {
  port: number;
  username: string;
  privateKey: string;
  /** Of its host key. */
  fingerprint: string;
  /** The folder in which sessions begin. */
  folder: string;
  stop(): Promise<void>;
}

/** Starts in a second; stops and leaves nothing behind. */
export async function startOpenSshServer(): Promise<OpenSshServer> {
  const program = ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/opt/homebrew/sbin/sshd"].find((path) =>
    existsSync(path),
  );
  if (!program)
    throw new Error("There is no sshd on this machine: install OpenSSH's server (apt-get install openssh-server).");
  // Where sshd keeps the part of it that has no rights; it asks for that before it reads its configuration.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
  const base = mkdtempSync(join(tmpdir(), "accord-sshd-"));
  const at = (name: string): string => join(base, name);
  const folder = at("files");
  mkdirSync(folder);
  const [host, user] = [keyPair(), keyPair()];
  writeFileSync(at("host_key"), host.private, { mode: 0o600 });
  writeFileSync(at("authorized_keys"), `${user.public}\n`);
  const port = await freePort();
  const settings = [
    ...[`Port ${port}`, "ListenAddress 127.0.0.1", `HostKey ${at("host_key")}`, "PidFile none", "UsePAM no"],
    ...[`AuthorizedKeysFile ${at("authorized_keys")}`, "StrictModes no", "PasswordAuthentication no"],
    ...["KbdInteractiveAuthentication no", "PermitRootLogin prohibit-password", "MaxStartups 200"],
    `Subsystem sftp internal-sftp -d ${folder}`,
  ];
  writeFileSync(at("sshd_config"), `${settings.join("\n")}\n`);
  const server = spawn(program, ["-D", "-e", "-f", at("sshd_config")], { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  server.stderr.on("data", (bytes) => (log += String(bytes)));
  for (const until = Date.now() + 20_000; !log.includes("Server listening");) {
    if (server.exitCode !== null || Date.now() > until) throw new Error(`sshd did not start: ${log}`);
    await pause(20);
  }
  return {
    port,
    username: userInfo().username,
    privateKey: user.private,
    fingerprint: fingerprintOf(host.public),
    folder,
    async stop() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      if (server.exitCode === null) {
        server.kill("SIGTERM");
        await ended;
      }
      rmSync(base, { recursive: true, force: true });
    },
  };
}

export const keyPair = (passphrase?: string, rounds = 16) =>
  ssh2.utils.generateKeyPairSync("ed25519", passphrase ? { passphrase, cipher: "aes256-ctr", rounds } : {});

/** As `ssh-keygen -l` prints it, of a public key as it stands in a file. */
export function fingerprintOf(publicKey: string): string {
  const [, encoded = ""] = publicKey.split(" ");
  const digest = createHash("sha256").update(Buffer.from(encoded, "base64")).digest("base64");
  return `SHA256:${digest.replace(/=+$/, "")}`;
}
