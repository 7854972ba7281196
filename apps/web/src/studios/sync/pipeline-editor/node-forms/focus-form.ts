/** Puts the keyboard's focus into the form of the selected node, as soon as the form is drawn. */

/** Many: a form is drawn in a task of its own, and may wait for what it offers. */
const MAX_FRAMES = 300;

/** What stands in the part that only this kind of node has comes before label and description. */
const PARTS = [".ac-configure__own", ".ac-configure"];
const TAKES_FOCUS =
  "input:not([type=hidden], [tabindex='-1'], :disabled), select:not(:disabled), textarea:not(:disabled), button:not(:disabled), [contenteditable=true]";

function firstInput(): HTMLElement | null {
  // The form proper is still to come: it is what somebody wants to fill in.
  if (document.querySelector(".ac-configure__own .mantine-Skeleton-root")) return null;
  for (const part of PARTS) {
    const input = document.querySelector<HTMLElement>(part)?.querySelector<HTMLElement>(TAKES_FOCUS);
    if (input) return input;
  }
  return null;
}

/** Whoever goes on to something else meanwhile stays there. */
export function focusForm(from = document.activeElement): void {
  const look = (framesLeft: number): void => {
    const now = document.activeElement;
    if (now !== from && now !== document.body) return;
    const input = firstInput();
    if (input) input.focus();
    else if (framesLeft > 0) requestAnimationFrame(() => look(framesLeft - 1));
  };
  look(MAX_FRAMES);
}
