/** Places in a statement: PostgreSQL counts them in bytes or characters, editors in UTF-16 units, people in lines. */

/** Where something stands in a text, in UTF-16 units. */
export interface TextRange {
  from: number;
  to: number;
}

export interface LineColumn {
  line: number;
  column: number;
}

/** Both counted from one. */
export function lineColumn(text: string, at: number): LineColumn {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return { line, column: at - (before.lastIndexOf("\n") + 1) + 1 };
}

/** From offsets in UTF-8 bytes to UTF-16 units of the same text. */
export function byteOffsets(text: string): (byte: number) => number {
  if (Buffer.byteLength(text) === text.length) return (byte) => byte;
  const units: number[] = [];
  let unit = 0;
  for (const character of text) {
    for (let byte = 0; byte < Buffer.byteLength(character); byte++) units.push(unit);
    unit += character.length;
  }
  units.push(unit);
  return (byte) => units[byte] ?? text.length;
}

/** From an offset in characters (code points) to UTF-16 units. */
export const characterOffset = (text: string, character: number): number =>
  Array.from(text).slice(0, character).join("").length;

/** ASCII alone, as PostgreSQL folds names in UTF-8. */
export const foldName = (name: string): string => name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
