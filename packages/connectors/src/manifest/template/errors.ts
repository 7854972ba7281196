/** What is wrong with a template: its text can't be read, or what it does with the values at hand has no result. */

/** The template can't be used whatever the values are; the message names what it does. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/** Something was asked of a value that is not there: the result of the whole template is empty then. */
export class MissingValueError extends Error {
  override readonly name = "MissingValueError";
}
