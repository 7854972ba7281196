/** The body of a mail as configurations hold it: UTF-8 in base64; plain text is read as it is. */

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The text; what is no base64 of UTF-8 text comes back unchanged. */
export function decodeBody(held: string): string {
  if (held.length % 4 !== 0 || !BASE64.test(held)) return held;
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const digit of held.replaceAll("=", "")) {
    bits = (bits << 6) | DIGITS.indexOf(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 255);
    bits &= (1 << count) - 1;
  }
  try {
    return decodeURIComponent(bytes.map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""));
  } catch {
    return held;
  }
}

/** As `decodeBody` reads it. */
export function encodeBody(text: string): string {
  const bytes = [...encodeURIComponent(text).matchAll(/%([0-9A-F]{2})|(.)/g)].map(([, hex, plain]) =>
    hex === undefined ? (plain ?? "").charCodeAt(0) : Number.parseInt(hex, 16),
  );
  let encoded = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = bytes.slice(at, at + 3);
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    const digits = [18, 12, 6, 0].map((shift) => DIGITS[(bits >> shift) & 63] ?? "").join("");
    encoded += third !== undefined ? digits : `${digits.slice(0, second === undefined ? 2 : 3)}`.padEnd(4, "=");
  }
  return encoded;
}

/** A formatted text as it is stored: without scripts, which no mail program runs. */
export const withoutScripts = (html: string): string => html.replaceAll(/<script\b[\s\S]*?<\/script\s*>/gi, "");

/** Markup with which a text breaks its lines itself. */
const BREAKS_ITSELF = /<(?:p|div|br|table|pre|html|body)\b/i;
const BLOCK_TAG = String.raw`<\/?(?:ul|ol|li|h[1-6]|blockquote|hr)\b[^>]*>`;
const ENDS_BLOCK = new RegExp(String.raw`${BLOCK_TAG}\s*$`, "i");
const BEGINS_BLOCK = new RegExp(String.raw`^\s*${BLOCK_TAG}`, "i");

/** A formatted text as it is sent: the line breaks of one that was typed without markup for them are kept. */
export function withLineBreaks(html: string): string {
  if (BREAKS_ITSELF.test(html)) return html;
  const lines = html.split(/\r?\n/);
  return lines
    .map((line, index) => {
      const next = lines[index + 1];
      if (next === undefined) return line;
      return ENDS_BLOCK.test(line) || BEGINS_BLOCK.test(next) ? `${line}\n` : `${line}<br>`;
    })
    .join("");
}
