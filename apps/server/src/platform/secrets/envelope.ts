/** Envelope encryption: each secret has a key of its own, and that key is wrapped by the master key. AES-256-GCM both times. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { SecretError, type SecretPlace, type Secrets } from "./secrets.ts";

export interface MasterKey {
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const VERSION = "s1";

/** The first key seals; the others only open what they sealed before. */
export function makeSecrets(keys: readonly MasterKey[]): Secrets {
  const newest = keys[0];
  if (!newest) throw new SecretError("There is no master key.");
  const byId = new Map(keys.map((key) => [key.id, key]));
  const signingKeys = new Map<string, Buffer>();
  // The oldest key signs, so that tokens handed out survive a rotation.
  const signingRoot = keys.at(-1) ?? newest;

  const keyOf = (sealed: SealedText) => {
    const master = byId.get(sealed.keyId);
    if (!master) {
      throw new SecretError(`The master key ${sealed.keyId} is missing. Put its line back into the master key file.`);
    }
    return master;
  };

  return {
    async seal(place, plain) {
      const own = randomBytes(KEY_BYTES);
      const content = encrypt(own, Buffer.from(plain, "utf8"), boundTo(place));
      return write({ keyId: newest.id, wrapped: encrypt(newest.key, own, boundTo(place, newest.id)), content });
    },
    async open(place, text) {
      const sealed = read(text);
      const master = keyOf(sealed);
      const own = decrypt(master.key, sealed.wrapped, boundTo(place, master.id));
      return decrypt(own, sealed.content, boundTo(place)).toString("utf8");
    },
    async rewrap(place, text) {
      const sealed = read(text);
      if (sealed.keyId === newest.id) return text;
      const master = keyOf(sealed);
      const own = decrypt(master.key, sealed.wrapped, boundTo(place, master.id));
      return write({ ...sealed, keyId: newest.id, wrapped: encrypt(newest.key, own, boundTo(place, newest.id)) });
    },
    sign(purpose, text) {
      let key = signingKeys.get(purpose);
      if (!key) {
        key = Buffer.from(hkdfSync("sha256", signingRoot.key, "accord", `sign ${purpose}`, KEY_BYTES));
        signingKeys.set(purpose, key);
      }
      return createHmac("sha256", key).update(text).digest("hex");
    },
  };
}

/** Ties a ciphertext to its row: moved to another row, table or instance it no longer opens. */
function boundTo({ instanceId, table, id, field }: SecretPlace, keyId = ""): Buffer {
  return Buffer.from(JSON.stringify([VERSION, instanceId, table, id, field, keyId]), "utf8");
}

function encrypt(key: Buffer, plain: Buffer, context: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES }).setAAD(context);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function decrypt(key: Buffer, sealed: Buffer, context: Buffer): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(context).setAuthTag(tag);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch (error) {
    throw new SecretError("A stored secret does not open: it was changed, or it belongs to another place.", {
      cause: error,
    });
  }
}

interface SealedText {
  keyId: string;
  wrapped: Buffer;
  content: Buffer;
}

const write = ({ keyId, wrapped, content }: SealedText) =>
  [VERSION, keyId, wrapped.toString("base64url"), content.toString("base64url")].join(".");

function read(text: string): SealedText {
  const [version, keyId, wrapped, content, ...more] = text.split(".");
  if (version !== VERSION || !keyId || !wrapped || !content || more.length > 0) {
    throw new SecretError("A stored secret is not in a form this version knows.");
  }
  return { keyId, wrapped: Buffer.from(wrapped, "base64url"), content: Buffer.from(content, "base64url") };
}
