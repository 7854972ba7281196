/** How large what datasets and cards compute may become. */

/** Characters of a text in an answer; longer ones end with an ellipsis there. */
export const MAX_CELL_LENGTH = 32_768;

/** Characters of a text while computing: one more than is shown, so that a cut is seen in the answer. */
export const MAX_TEXT_LENGTH = MAX_CELL_LENGTH + 1;

/** Tables in one statement, with those of the datasets below it. */
export const MAX_TABLES = 60;

/**
 * What statements that people wrote may come to, with all the datasets below. `columns` and `places` as in `Load`; `written`:
 * datasets in SQL, each time they are read, for each is read with PostgreSQL's whole grammar; `words`: of all of these
 * together, for the reading takes about 20 µs a word, in which the process does nothing else.
 */
export const LOAD_LIMITS = { columns: 5_000, places: 60, written: 30, words: 8_000 } as const;

/** About how many words and signs a text has, comments and texts in quotes included. */
export const wordsIn = (text: string): number => text.match(/\w+|[^\w\s]/g)?.length ?? 0;
