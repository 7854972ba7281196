/** A mail server that takes everything, and shows tests what reached whom. */
import { type AddressInfo, createServer } from "node:net";
import { expect } from "vitest";

export interface MailServer {
  /** For `SMTP_URL`. */
  readonly url: string;
  /** Texts that arrived for an address, oldest first. */
  received(address: string): string[];
  /** Waits for the mail after those that are there, or the `count`th. */
  next(address: string, count?: number): Promise<string>;
  close(): Promise<void>;
}

export async function mailServer(): Promise<MailServer> {
  const mails: { to: string[]; text: string }[] = [];
  const server = createServer((socket) => {
    let to: string[] = [];
    let data: string | null = null;
    let rest = "";
    const reply = (line: string) => socket.write(`${line}\r\n`);
    const command = (line: string): void => {
      if (data !== null) {
        if (line !== ".") return void (data += `${line.replace(/^\.\./, ".")}\n`);
        mails.push({ to, text: decoded(data) });
        [to, data] = [[], null];
        return void reply("250 taken");
      }
      if (/^RCPT TO:/i.test(line)) to.push(/<([^>]*)>/.exec(line)?.[1] ?? "");
      if (/^DATA$/i.test(line)) data = "";
      if (/^QUIT$/i.test(line)) return void socket.end("221 bye\r\n");
      reply(data === "" ? "354 go on" : "250 fine");
    };
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString("utf8")).split("\r\n");
      rest = lines.pop() ?? "";
      lines.forEach(command);
    });
    reply("220 test mail server");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const received = (address: string) => mails.filter(({ to }) => to.includes(address)).map(({ text }) => text);
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`,
    received,
    async next(address, count = received(address).length + 1) {
      await expect.poll(() => received(address).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);
      return received(address)[count - 1] ?? "";
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

/** The body of a mail in one part, however it was encoded to be sent. */
function decoded(mail: string): string {
  const [head = "", ...parts] = mail.split("\n\n");
  const body = parts.join("\n\n");
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, "base64").toString("utf8");
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
