/** Puts the keyboard's focus into the form of a node, as soon as that form is drawn. */

/** Many: a form is drawn in a task of its own, and may wait for what it offers. */
const MAX_FRAMES = 300;

/** What stands in the part that only this kind of node has comes before label and description. */
const PARTS = [".ac-configure__own", ".ac-configure"];
const TAKES_FOCUS =
  "input:not([type=hidden], [tabindex='-1'], :disabled), select:not(:disabled), textarea:not(:disabled), button:not(:disabled), [contenteditable=true]";

/** The last one that was asked for. */
let asked: symbol;

function firstInput(nodeId: string): HTMLElement | null {
  // That of another node may still be there, and goes when this one comes.
  const form = document.querySelector(`.ac-configure[data-node-id="${CSS.escape(nodeId)}"]`);
  // The form proper is still to come: it is what somebody wants to fill in.
  if (form?.querySelector(".ac-configure__own .mantine-Skeleton-root")) return null;
  for (const part of PARTS) {
    const place = form?.matches(part) ? form : form?.querySelector(part);
    const input = place?.querySelector<HTMLElement>(TAKES_FOCUS);
    if (input) return input;
  }
  return null;
}

/** Whoever goes on to something else meanwhile stays there; `isWanted` turns false when the form is closed again. */
export function focusForm(nodeId: string, isWanted: () => boolean, from = document.activeElement): void {
  const own = (asked = Symbol(nodeId));
  const look = (framesLeft: number): void => {
    const now = document.activeElement;
    if (asked !== own || !isWanted() || (now !== from && now !== document.body)) return;
    const input = firstInput(nodeId);
    if (input) input.focus();
    else if (framesLeft > 0) requestAnimationFrame(() => look(framesLeft - 1));
  };
  look(MAX_FRAMES);
}
