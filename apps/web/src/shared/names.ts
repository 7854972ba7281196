/** Text rules of names that several forms share. */

/** Lower case; only letters, digits, spaces, underscore and hyphen stay (and plus, where asked); spaces become `_`. */
export function sanitiseName(text: string, options: { plus?: boolean } = {}): string {
  const others = options.plus ? /[^A-Za-z0-9 _+-]/g : /[^A-Za-z0-9 _-]/g;
  return text.replace(others, "").trim().toLowerCase().replaceAll(/ +/g, "_");
}

/** `Customer orders` → `customer_orders`: plain letters, digits and `_`, a letter first; empty where no letter is left. */
export const identifierFrom = (displayName: string, longest: number): string =>
  displayName
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "")
    .slice(0, longest);

/** Text without HTML tags. */
export const stripTags = (text: string): string => text.replaceAll(/<\/?[A-Za-z][^>]*>/g, "");

/** Text without control characters, line ends and tabs among them. */
// oxlint-disable-next-line no-control-regex
export const stripControls = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "");

/** No spaces around commas, no repeated spaces, none at the ends: for typed lists. */
export const hasTidySpaces = (text: string): boolean => !/ ,|, | {2}|^ | $/.test(text);

/** Patterns that forms check with. */
export const PATTERN = {
  digits: /^\d+$/,
  idLike: /^[A-Za-z0-9_-]+$/,
  words: /^\w+$/,
  url: /^https?:\/\/[^\s/$.?#][^\s]*$/i,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  domain: /^(?=.{1,253}$)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i,
  leadingSlash: /^\//,
} as const;

/** Shortens to a number of characters, with an ellipsis. */
export const truncate = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1)).trimEnd()}…`;
