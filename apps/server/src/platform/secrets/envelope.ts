/** Envelope encryption: each secret has a key of its own, and that key is wrapped by the master key. AES-256-GCM both times. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { SEALED_VALUE_PREFIX, SecretError, type SecretPlace, type Secrets } from "./secrets.ts";

export interface MasterKey {
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const VERSION = "s1";
const VALUE_NONCE_BYTES = 16;

/** The first key seals; the others only open what they sealed before. */
export function makeSecrets(keys: readonly MasterKey[]): Secrets {
  const newest = keys[0];
  if (!newest) throw new SecretError("There is no master key.");
  const byId = new Map(keys.map((key) => [key.id, key]));
  const signingKeys = new Map<string, Buffer>();
  // The oldest key signs, so that tokens handed out survive a rotation, and values that are equal stay so.
  const signingRoot = keys.at(-1) ?? newest;

  const byInstance = new Map<string, { encryption: Buffer; authentication: Buffer }>();
  const valueKeys = (id: string, master: Buffer, instanceId: string) => {
    const name = `${id} ${instanceId}`;
    const derive = (use: string): Buffer =>
      Buffer.from(hkdfSync("sha256", master, "accord", `value ${use} ${instanceId}`, KEY_BYTES));
    const known = byInstance.get(name) ?? {
      encryption: derive("encryption"),
      authentication: derive("authentication"),
    };
    byInstance.set(name, known);
    return known;
  };

  const keyOf = (sealed: Pick<SealedText, "keyId">) => {
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
    sealValue(instanceId, plain) {
      const { id, key } = signingRoot;
      const { encryption, authentication } = valueKeys(id, key, instanceId);
      const nonce = valueNonce(authentication, plain);
      const cipher = createCipheriv("aes-256-ctr", encryption, nonce);
      const body = Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final()]);
      return `${SEALED_VALUE_PREFIX}${id}.${body.toString("base64url")}`;
    },
    openValue(instanceId, text) {
      if (!text.startsWith(SEALED_VALUE_PREFIX)) return null;
      const [id = "", content = "", ...more] = text.slice(SEALED_VALUE_PREFIX.length).split(".");
      const body = Buffer.from(content, "base64url");
      if (more.length > 0 || body.length < VALUE_NONCE_BYTES) return null;
      const { key } = keyOf({ keyId: id });
      const { encryption, authentication } = valueKeys(id, key, instanceId);
      const nonce = body.subarray(0, VALUE_NONCE_BYTES);
      const decipher = createDecipheriv("aes-256-ctr", encryption, nonce);
      const plain = Buffer.concat([decipher.update(body.subarray(VALUE_NONCE_BYTES)), decipher.final()]).toString(
        "utf8",
      );
      return timingSafeEqual(valueNonce(authentication, plain), nonce) ? plain : null;
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

/**
 * The nonce is made of the value itself (a synthetic initialization vector): equal values give equal texts, different ones
 * never share a nonce, and a text that was changed does not open.
 */
const valueNonce = (key: Buffer, plain: string): Buffer =>
  createHmac("sha256", key).update(plain, "utf8").digest().subarray(0, VALUE_NONCE_BYTES);

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
