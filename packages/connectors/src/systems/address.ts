/** Queries of described systems as parts of addresses. */

/** Percent-encoded; placeholders stay, whose values are encoded when they are filled in. */
export const inAddress = (query: string): string =>
  query
    .split(/(\{\{[^{}]+\}\})/)
    .map((part) => (part.startsWith("{{") ? part : encodeURIComponent(part)))
    .join("");
