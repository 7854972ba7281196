/** What browsers leave out on pages over plain HTTP under another name than localhost, as many are opened inside a network: random ids and copying. */

/** A random UUID of version 4 (RFC 9562), in lower case. */
export function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const [version, variant] = [(bytes[6] ?? 0) & 0x0f, (bytes[8] ?? 0) & 0x3f];
  bytes.set([version | 0x40], 6);
  bytes.set([variant | 0x80], 8);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Copies by a hidden text area, which needs the press of a key or button that led here. Rejects where that is refused. */
export async function copyBySelection(text: string): Promise<void> {
  const before = document.activeElement;
  const selection = document.getSelection();
  const ranges = selection
    ? Array.from({ length: selection.rangeCount }, (_, index) => selection.getRangeAt(index))
    : [];
  const area = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
  area.setAttribute("aria-hidden", "true");
  area.style.position = "fixed";
  area.style.opacity = "0";
  // Inside a dialog that holds the focus an area outside of it could not be selected.
  (before?.closest("dialog, [role=dialog], [role=alertdialog], [role=menu]") ?? document.body).append(area);
  try {
    area.select();
    if (!document.execCommand("copy")) throw new Error("the browser refused to copy");
  } finally {
    area.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    selection?.removeAllRanges();
    for (const range of ranges) selection?.addRange(range);
  }
}

/** Puts them where our code and libraries look for them. Reading the clipboard stays impossible. */
export function fillInForPlainHttp(): void {
  if (!("randomUUID" in crypto)) Object.defineProperty(crypto, "randomUUID", { value: randomUuid });
  if (!("clipboard" in navigator)) {
    const readText = (): Promise<string> => Promise.reject(new Error("the clipboard can't be read over plain HTTP"));
    Object.defineProperty(navigator, "clipboard", { value: { writeText: copyBySelection, readText } });
  }
}
