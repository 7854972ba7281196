/** Changes a text that is being typed as typing does, so that the browser's own undo takes it back. */

/** Part of `before` that is other in `after`, and what stands there. */
function difference(before: string, after: string): { from: number; to: number; text: string } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from: start, to: before.length - end, text: after.slice(start, after.length - end) };
}

/** The input reports the change itself, by its event. */
export function replaceText(input: HTMLTextAreaElement, after: string, selected: { from: number; to: number }): void {
  const { from, to, text } = difference(input.value, after);
  input.focus();
  input.setSelectionRange(from, to);
  if (from !== to || text !== "") {
    // No other way of changing a text leaves its undo history whole.
    const isDone = document.execCommand(text === "" ? "delete" : "insertText", false, text);
    if (!isDone) {
      input.setRangeText(text, from, to, "end");
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
  input.setSelectionRange(selected.from, selected.to);
}
