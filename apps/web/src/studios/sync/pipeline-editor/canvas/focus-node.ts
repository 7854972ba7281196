/** Puts the keyboard's focus on a node of the graph, without scrolling: so that keys go on where somebody was. */

/** Many: a large graph on a slow machine. A node that never comes is given up then. */
const MOST_FRAMES = 300;

/** The last one that was asked for. */
let asked: symbol;

/** Null where it isn't drawn. */
export const elementOfNode = (nodeId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(nodeId)}"]`);

/** Whether it has the focus now: a node that isn't drawn yet, or not measured yet and so hidden, doesn't take it. */
function take(element: HTMLElement | null): boolean {
  element?.focus({ preventScroll: true });
  return element !== null && document.activeElement === element;
}

/**
 * At once, or as soon as it is drawn. Whoever went on to something else meanwhile stays there: `from` has the focus
 * when it is asked for.
 */
function focusOnceDrawn(find: () => HTMLElement | null, from: Element | null): void {
  const own = (asked = Symbol("focus"));
  const look = (framesLeft: number): void => {
    const now = document.activeElement;
    if (asked !== own || (now !== from && now !== document.body)) return;
    if (!take(find()) && framesLeft > 0) requestAnimationFrame(() => look(framesLeft - 1));
  };
  look(MOST_FRAMES);
}

export function focusNode(nodeId: string, from = document.activeElement): void {
  focusOnceDrawn(() => elementOfNode(nodeId), from);
}

const rowOfNode = (nodeId: string): HTMLElement | null =>
  document.querySelector(`.ac-list-view [data-node-id="${CSS.escape(nodeId)}"]`)?.closest<HTMLElement>("[role=row]") ??
  null;

/** What stands for a node in the list or the graph: its row, its card, or what opens the collapsed group it is in. */
export function focusWhatShows(nodeId: string, collapsedGroupId: string | undefined): void {
  const toggle = (groupId: string) =>
    elementOfNode(groupId)?.querySelector<HTMLElement>(".ac-group__toggle:not(:disabled)") ?? null;
  focusOnceDrawn(
    () => rowOfNode(nodeId) ?? (collapsedGroupId === undefined ? elementOfNode(nodeId) : toggle(collapsedGroupId)),
    document.activeElement,
  );
}
