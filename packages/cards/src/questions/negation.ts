/** Negations of a question in one form: contractions are written out, and all their words become `not` or `without`. */

/** What excludes the value, column or comparison after it. */
export const NEGATION = "(?:not|without|no)";

/** Some stand after what they exclude, and may be options as well. */
const LEFT_OVER = new RegExp(`(?<![\\p{L}\\d])(?:${NEGATION}|excluded|excepted|omitted)(?![\\p{L}\\d])`, "iu");

/** “aren't” reads like “are not”; done before names of columns are looked for. */
export const expandContractions = (text: string): string =>
  text
    // An abbreviation, and no negation.
    .replaceAll(/\bno\.?\s+of\b/gi, "number of")
    .replaceAll(/\bcan(?:'t|not)\b/gi, "can not")
    .replaceAll(/\bwon't\b/gi, "will not")
    .replaceAll(/(\p{L})n't(?!\p{L})/giu, "$1 not")
    .replaceAll(/\b(is|are|was|were|do|does|did|has|have|had)nt\b/gi, "$1 not");

const FORMS: readonly [RegExp, string][] = [
  // “by destination instead of origin” says no more than “by destination”.
  [/\binstead\s+of\s+(?:by\s+)?(?:the\s+)?⟨\d+⟩/gi, " ¦ "],
  [
    /\b(?:do|does|did)\s+not\s+have\b|\bnot\s+(?:having|with)\b|\b(?:with|having|have|has|had)\s+(?:no|not\s+any)\b|\black(?:s|ing)?\b/gi,
    "without",
  ],
  [/\b(?:other|rather)\s+than\b|\ba(?:part|side)\s+from\b|\binstead\s+of\b|\bleav(?:e|ing)\s+out\b/gi, "not"],
  [/\bexcept(?:ing)?(?:\s+for)?\b|\bexclud(?:e|es|ing)\b|\bomit(?:s|ting)?\b/gi, "not"],
  [/\b(?:all|any|anything|everything|anyone|everyone)\s+but\b/gi, "not"],
  [/\bnot\s+(?:yet|currently|already)\b|\bno\s+longer\b|\bnever\b|\bneither\b|\bnone\s+of\b/gi, "not"],
  [/\bnor\b/gi, "or not"],
  [/\bnon[\s-]+(?=[\p{L}⟨⟦])/giu, "not "],
];

/** Done after names of columns are marked, which may hold such words. */
export const uniformNegations = (text: string): string =>
  FORMS.reduce((uniform, [pattern, form]) => uniform.replaceAll(pattern, form), text);

/** Whether a negation stands in what is left of a question: to go on without it would answer the opposite. */
export const hasNegation = (text: string): boolean => LEFT_OVER.test(text);

/** An option such as “Not started” is a value and excludes nothing. */
export const isNegatedName = (label: string): boolean =>
  /^(?:not|no|non|without|never|neither|except)[\s-]+\S|\S[\s-]+(?:not|no|without|never|except)(?:[\s-]|$)/i.test(
    label.trim(),
  );
