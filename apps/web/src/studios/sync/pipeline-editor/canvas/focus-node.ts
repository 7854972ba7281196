/** Puts the keyboard's focus on a node of the graph, without scrolling: so that keys go on where somebody was. */

/** Long enough for a node that was out of view, and so not in the page, to be drawn. */
const DRAWN_MS = 250;

const elementOf = (nodeId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(nodeId)}"]`);

export function focusNode(nodeId: string): void {
  const element = elementOf(nodeId);
  if (element) return element.focus({ preventScroll: true });
  setTimeout(() => elementOf(nodeId)?.focus({ preventScroll: true }), DRAWN_MS);
}
