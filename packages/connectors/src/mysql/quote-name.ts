/** A name as MySQL reads it whatever it holds. */
export const quoteName = (name: string): string => `\`${name.replaceAll("`", "``")}\``;
