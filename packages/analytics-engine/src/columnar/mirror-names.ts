/** Names of tables and columns in the mirror. DuckDB takes names that differ in case alone for the same, quoted or not. */

/** `placedAt` → `placed^at`: no two names become one. */
export const mirrorName = (name: string): string =>
  name.replaceAll(/[^a-z0-9_]/g, (sign) =>
    /[A-Z]/.test(sign) ? `^${sign.toLowerCase()}` : `^${(sign.codePointAt(0) ?? 0).toString(16)};`,
  );

/** Of a text: the same in small letters. */
export const foldedName = (name: string): string => `${mirrorName(name)}~folded`;

/** Of a decimal: how many digits it was written with after the point; 1.5 and 1.50 are not the same text. */
export const scaleName = (name: string): string => `${mirrorName(name)}~scale`;
