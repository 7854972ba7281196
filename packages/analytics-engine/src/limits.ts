/** How large what datasets and cards compute may become. */

/** Characters of a text in an answer; longer ones end with an ellipsis there. */
export const MAX_CELL_LENGTH = 32_768;

/** Characters of a text while computing: one more than is shown, so that a cut is seen in the answer. */
export const MAX_TEXT_LENGTH = MAX_CELL_LENGTH + 1;

/** Tables in one statement, with those of the datasets below it. */
export const MAX_TABLES = 60;
