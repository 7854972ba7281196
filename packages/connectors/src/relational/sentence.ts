/** What a database says, as a sentence for people. */

/** With a capital letter, and a full stop where it has no end. */
export const sentence = (message: string): string => {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
};
