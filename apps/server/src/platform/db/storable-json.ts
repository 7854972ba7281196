/** Values of other systems as PostgreSQL can keep them to be shown: some characters of JSON texts are none of its own. */

/**
 * A value as text for `jsonb`: U+0000 and halves of surrogate pairs, which it refuses, are shown as U+FFFD. For what
 * people are shown only; what is written anywhere keeps its characters, or is refused.
 */
export const storableJson = (value: unknown): string =>
  // The first alternative steps over escaped backslashes. Whole pairs are not escaped.
  (JSON.stringify(value) ?? "null").replaceAll(/\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g, (found) =>
    found === "\\\\" ? found : "\uFFFD",
  );

/** A text as PostgreSQL can keep it: U+0000 is shown as U+FFFD. */
export const storableText = (text: string): string => text.replaceAll("\0", "\uFFFD");
