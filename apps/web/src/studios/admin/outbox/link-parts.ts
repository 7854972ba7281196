/** Splits plain text into words and http(s) addresses, so that a mail's links can be followed. */
export function linkParts(text: string): { text: string; isLink: boolean }[] {
  return text
    .split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)])/)
    .filter((part) => part !== "")
    .map((part) => ({ text: part, isLink: /^https?:\/\//.test(part) }));
}
