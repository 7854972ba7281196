/** SHA-256 (FIPS 180-4) and MD5 (RFC 1321) of short texts, without the platform's modules: this package runs anywhere. */

export const DIGESTS = ["sha256", "md5"] as const;
export type Digest = (typeof DIGESTS)[number];

/** Hexadecimal digits, small letters, of the text's UTF-8 bytes. */
export const digestOf = (text: string, digest: Digest): string => {
  const words = digest === "sha256" ? sha256(padded(text, false)) : md5(padded(text, true));
  return words.map((word) => hex(digest === "sha256" ? word : swapped(word))).join("");
};

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, "0");
const swapped = (word: number): number =>
  ((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
const rotatedRight = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The message with its closing bit and its length, as 32-bit words. */
function padded(text: string, littleEndian: boolean): DataView {
  const bytes = new TextEncoder().encode(text);
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const block = new Uint8Array(length);
  block.set(bytes);
  block[bytes.length] = 0x80;
  const view = new DataView(block.buffer);
  const bits = bytes.length * 8;
  view.setUint32(length - (littleEndian ? 8 : 4), bits >>> 0, littleEndian);
  view.setUint32(length - (littleEndian ? 4 : 8), Math.floor(bits / 2 ** 32), littleEndian);
  return view;
}

const PRIMES = [
  2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
  113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239,
  241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311,
];
const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

function sha256(message: DataView): number[] {
  const state = [...START];
  const schedule = new Int32Array(64);
  for (let at = 0; at < message.byteLength; at += 64) {
    for (let round = 0; round < 64; round++) schedule[round] = scheduled(message, at, schedule, round);
    let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
    for (let round = 0; round < 64; round++) {
      const big1 = rotatedRight(e, 6) ^ rotatedRight(e, 11) ^ rotatedRight(e, 25);
      const first = (h + big1 + ((e & f) ^ (~e & g)) + ROUNDS[round]! + schedule[round]!) | 0;
      const big0 = rotatedRight(a, 2) ^ rotatedRight(a, 13) ^ rotatedRight(a, 22);
      const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = (state[index]! + word) | 0));
  }
  return state;
}

function scheduled(message: DataView, at: number, schedule: Int32Array, round: number): number {
  if (round < 16) return message.getInt32(at + round * 4);
  const [early, late] = [schedule[round - 15]!, schedule[round - 2]!];
  const small0 = rotatedRight(early, 7) ^ rotatedRight(early, 18) ^ (early >>> 3);
  const small1 = rotatedRight(late, 17) ^ rotatedRight(late, 19) ^ (late >>> 10);
  return (schedule[round - 16]! + small0 + schedule[round - 7]! + small1) | 0;
}

const TURNS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Array.from({ length: 64 }, (_, round) => Math.floor(Math.abs(Math.sin(round + 1)) * 2 ** 32) | 0);

function md5(message: DataView): number[] {
  const state = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
  for (let at = 0; at < message.byteLength; at += 64) {
    let [a, b, c, d] = state as [number, number, number, number];
    for (let round = 0; round < 64; round++) {
      const phase = round >> 4;
      const mixed =
        phase === 0 ? (b & c) | (~b & d) : phase === 1 ? (d & b) | (~d & c) : phase === 2 ? b ^ c ^ d : c ^ (b | ~d);
      const index = [round, 5 * round + 1, 3 * round + 5, 7 * round][phase]! % 16;
      const sum = (a + mixed + SINES[round]! + message.getInt32(at + index * 4, true)) | 0;
      [a, d, c, b] = [d, c, b, (b + rotatedRight(sum, 32 - TURNS[phase * 4 + (round % 4)]!)) | 0];
    }
    [a, b, c, d].forEach((word, index) => (state[index] = (state[index]! + word) | 0));
  }
  return state;
}
