/** Private keys as people paste them: whether they can be used, before anything is sent. */
import { ConnectorError } from "@accord/connector-sdk";
import ssh2 from "ssh2";

/** The key as SSH reads it. @throws ConnectorError `authentication`; its message holds nothing of the key. */
export function usableKey(pasted: string, passphrase: string): string {
  const text = withLines(pasted.trim());
  if (roundsOf(text) > MAX_KEY_ROUNDS)
    throw new ConnectorError("authentication", "The private key takes too long to open with its passphrase.", {
      neverSent: true,
      hint: `Write it anew with ${MAX_KEY_ROUNDS} rounds at most: ssh-keygen -p -a ${MAX_KEY_ROUNDS}.`,
    });
  const key = ssh2.utils.parseKey(text, passphrase || undefined);
  const first = Array.isArray(key) ? key[0] : key;
  if (first && !(first instanceof Error) && first.isPrivateKey()) return text;
  throw new ConnectorError(
    "authentication",
    "The private key can't be used: it is not one, or its passphrase is another.",
    {
      neverSent: true,
      hint: "Enter the whole key, with its first and last line, and its passphrase. Keys of PuTTY are exported as OpenSSH first.",
    },
  );
}

const BLOCK = /^-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----$/;
const LINE = /.{1,64}/g;

/** An input of one line takes a key without its line breaks. Those with lines of their own before the key stay as they are. */
function withLines(text: string): string {
  const [, kind, body = ""] = BLOCK.exec(text) ?? [];
  if (kind === undefined) return text;
  const lines = body.replaceAll(/\s/g, "").match(LINE) ?? [];
  return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`, ""].join("\n");
}

/** Each takes some milliseconds in which this process does nothing else. */
const MAX_KEY_ROUNDS = 100;

/** Rounds of bcrypt that a key in the format of OpenSSH (PROTOCOL.key) asks for; 0 for others and without a passphrase. */
function roundsOf(privateKey: string): number {
  const [, encoded = ""] = /-----BEGIN OPENSSH PRIVATE KEY-----([^-]+)-----END/.exec(privateKey) ?? [];
  const bytes = Buffer.from(encoded, "base64");
  const magic = "openssh-key-v1\0";
  if (bytes.subarray(0, magic.length).toString("latin1") !== magic) return 0;
  let at = magic.length;
  const next = (): Buffer => {
    const length = at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;
    const part = bytes.subarray(at + 4, at + 4 + length);
    at += 4 + length;
    return part;
  };
  next();
  const name = next().toString("latin1");
  const options = next();
  return name === "bcrypt" && options.length >= 4 ? options.readUInt32BE(options.length - 4) : 0;
}
