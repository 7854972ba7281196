/**
 * The beginning of MySQL's protocol: a server that asks for a login by a plugin of its choice, and refuses it. By
 * caching_sha2_password it learns the password, as a server without TLS does: encrypted with the key that it hands out.
 * Protocol: https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase.html
 */
import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";

const SCRAMBLE = Buffer.from("abcdefghijklmnopqrst");
/** Long passwords, a database at login, protocol 4.1, transactions, authentication by plugins; no TLS. */
const CAPABILITIES = 0x00_08_a2_09;

const text = (value: string): Buffer => Buffer.from(`${value}\0`);

function send(socket: Socket, sequence: number, ...parts: Buffer[]): void {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(4);
  head.writeUIntLE(body.length, 0, 3);
  head.writeUInt8(sequence, 3);
  socket.write(Buffer.concat([head, body]));
}

function greeting(): Buffer {
  const fixed = Buffer.alloc(31);
  SCRAMBLE.copy(fixed, 4, 0, 8);
  fixed.writeUInt16LE(CAPABILITIES & 0xffff, 13);
  fixed.writeUInt8(45, 15);
  fixed.writeUInt16LE(2, 16);
  fixed.writeUInt16LE(CAPABILITIES >>> 16, 18);
  fixed.writeUInt8(SCRAMBLE.length + 1, 20);
  return Buffer.concat([
    Buffer.from([10]),
    text("8.4.0"),
    fixed,
    SCRAMBLE.subarray(8),
    Buffer.from([0]),
    text("caching_sha2_password"),
  ]);
}

/** `refusal`: what is said of the password that was sent. Not started yet. */
export function mysqlLogin({ plugin, refusal }: { plugin: string; refusal: (password: string) => string }): Server {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const passwordIn = (encrypted: Buffer): string => {
    const key = { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING };
    const mixed = privateDecrypt(key, encrypted);
    return Buffer.from(mixed.map((byte, index) => byte ^ (SCRAMBLE[index % SCRAMBLE.length] ?? 0)))
      .toString()
      .replace(/\0$/, "");
  };
  const answers: ((socket: Socket, sequence: number, body: Buffer) => void)[] = [
    (socket, sequence) => send(socket, sequence, Buffer.from([0xfe]), text(plugin), SCRAMBLE, Buffer.from([0])),
    // The password itself is wanted.
    (socket, sequence) => send(socket, sequence, Buffer.from([1, 4])),
    (socket, sequence) =>
      send(socket, sequence, Buffer.from([1]), Buffer.from(publicKey.export({ type: "spki", format: "pem" }))),
    (socket, sequence, body) => {
      const denied = Buffer.from([0xff, 0x15, 0x04]);
      send(socket, sequence, denied, Buffer.from(`#28000${refusal(passwordIn(body))}`));
      socket.end();
    },
  ];
  return createServer((socket) => {
    let step = 0;
    let received = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      received = Buffer.concat([received, bytes]);
      while (received.length >= 4 && received.length >= 4 + received.readUIntLE(0, 3)) {
        const size = 4 + received.readUIntLE(0, 3);
        const [sequence, body] = [received.readUInt8(3), received.subarray(4, size)];
        received = received.subarray(size);
        answers[step]?.(socket, sequence + 1, body);
        step += 1;
      }
    });
    send(socket, 0, greeting());
  });
}
