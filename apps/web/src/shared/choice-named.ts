/** What was typed into a searchable choice counts when the input is left without Enter, where it names a choice in full. */

/** The value of the choice that the text names, in any case; undefined where it names none. */
export const choiceNamed = (choices: readonly { value: string; label: string }[], typed: string): string | undefined =>
  choices.find(({ label }) => label.toLowerCase() === typed.trim().toLowerCase())?.value;
