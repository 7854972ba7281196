/** Record ids of the simulated Salesforce: 15 characters in which case matters, and the same with three more that make case redundant. */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECK = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";

/** The form of 18 characters, as every answer has it. */
export function longId(short: string): string {
  let suffix = "";
  for (let chunk = 0; chunk < 3; chunk++) {
    let bits = 0;
    for (let at = 0; at < 5; at++) if (/[A-Z]/.test(short[chunk * 5 + at] ?? "")) bits |= 1 << at;
    suffix += CHECK[bits] ?? "";
  }
  return short + suffix;
}

/** The id of 18 characters that 15 or 18 mean; null where they are none. The case of 18 characters is put right by the last three. */
export function parseId(text: string): string | null {
  if (/^[0-9A-Za-z]{15}$/.test(text)) return longId(text);
  if (!/^[0-9A-Za-z]{18}$/.test(text)) return null;
  let short = "";
  for (let at = 0; at < 15; at++) {
    const bits = CHECK.indexOf((text[15 + Math.floor(at / 5)] ?? "").toUpperCase());
    if (bits < 0) return null;
    const letter = text[at] ?? "";
    short += bits & (1 << (at % 5)) ? letter.toUpperCase() : letter.toLowerCase();
  }
  const long = longId(short);
  return long.toUpperCase() === text.toUpperCase() ? long : null;
}

/** The next id of an object: its prefix, the organization's part, and a number. */
export function numberedId(prefix: string, number: number): string {
  let rest = "";
  for (let left = number; rest.length < 6; left = Math.floor(left / 62)) rest = (DIGITS[left % 62] ?? "0") + rest;
  return longId(`${prefix}gK0000${rest}`);
}
