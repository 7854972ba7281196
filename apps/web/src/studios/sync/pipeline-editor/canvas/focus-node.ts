/** Puts the keyboard's focus on a node of the graph, without scrolling: so that keys go on where somebody was. */

/** Many: a large graph on a slow machine. A node that never comes is given up then. */
const MOST_FRAMES = 300;

/** The last one that was asked for. */
let asked: symbol;

/** Null where it isn't drawn. */
export const elementOfNode = (nodeId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(nodeId)}"]`);

/** Whether it has the focus now: a node that isn't drawn yet, or not measured yet and so hidden, doesn't take it. */
function take(nodeId: string): boolean {
  const element = elementOfNode(nodeId);
  element?.focus({ preventScroll: true });
  return element !== null && document.activeElement === element;
}

/**
 * At once, or as soon as the node is drawn. Whoever went on to something else meanwhile stays there: `from` has the focus
 * when it is asked for.
 */
export function focusNode(nodeId: string, from = document.activeElement): void {
  const own = (asked = Symbol(nodeId));
  const look = (framesLeft: number): void => {
    const now = document.activeElement;
    if (asked !== own || (now !== from && now !== document.body)) return;
    if (!take(nodeId) && framesLeft > 0) requestAnimationFrame(() => look(framesLeft - 1));
  };
  look(MOST_FRAMES);
}
