/** Where connections run that lead back to the left or past other cards: through gaps between cards, not along or through them. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { NODE_SIZE, nodeHeight, outPorts, portTop } from "@accord/sync-engine/graph";
import { GROUP_HEADER, IN_TOP } from "./handles.ts";

/** Beside a card, where a connection turns up or down. */
const TURN = 30;
/** Between a connection and the cards above and below. */
const CLEARANCE = 12;
/** Between a card and a connection that passes it. */
const PASSING = 20;
/** Above the card that a connection leads to, where nothing is in its way. */
const ABOVE = 22;
/** Between two lanes beside each other. */
const APART = 8;
/** More do not fit beside each other between two cards. */
const MOST = 4;

interface Card {
  id: string;
  x: number;
  y: number;
  height: number;
}

/** Where the name of an open group stands. */
interface Head {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Lane {
  y: number;
  left: number;
  right: number;
  target: string;
}

const known = new WeakMap<Graph, ReadonlyMap<string, number>>();

/** Height of each lane by connection; selecting something in the same graph finds them as they are. */
export function lanesOf(graph: Graph): ReadonlyMap<string, number> {
  const before = known.get(graph);
  if (before) return before;
  const byNode = cardsOf(graph);
  const cards = [...new Set(byNode.values())].sort((a, b) => a.x - b.x);
  const heads = headsOf(graph);
  const lanes = new Map<string, number>();
  const used: Lane[] = [];
  for (const { id, source, destination } of graph.edges) {
    const [from, to] = [byNode.get(source.nodeId), byNode.get(destination.nodeId)];
    const y = from && to ? (laneOf(from, to, cards, heads) ?? passingLane(from, to, cards)) : null;
    if (!from || !to || y === null) continue;
    const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x) + NODE_SIZE.width];
    const lane = beside(used, { y, left, right, target: to.id });
    used.push(lane);
    lanes.set(id, lane.y);
  }
  known.set(graph, lanes);
  return lanes;
}

/** The card that stands for each node: its own, or that of its collapsed group. */
function cardsOf(graph: Graph): Map<string, Card> {
  const collapsed = new Set(graph.groups.filter((group) => group.collapsed).map(({ id }) => id));
  const groups = new Map<string, Card>();
  const cards = new Map<string, Card>();
  for (const node of graph.nodes) {
    const { x, y } = node.location;
    const groupId = node.groupId && collapsed.has(node.groupId) ? node.groupId : undefined;
    const group = groupId ? groups.get(groupId) : undefined;
    const card = group ?? { id: groupId ?? node.id, x, y, height: groupId ? NODE_SIZE.height : nodeHeight(node) };
    if (groupId) groups.set(groupId, Object.assign(card, { x: Math.min(card.x, x), y: Math.min(card.y, y) }));
    cards.set(node.id, card);
  }
  return cards;
}

function headsOf(graph: Graph): Head[] {
  return graph.groups
    .filter((group) => !group.collapsed)
    .flatMap((group) => {
      const members = graph.nodes.filter((node) => node.groupId === group.id).map((node) => node.location);
      const [left, right, bottom] = [
        Math.min(...members.map(({ x }) => x)),
        Math.max(...members.map(({ x }) => x)) + NODE_SIZE.width,
        Math.min(...members.map(({ y }) => y)),
      ];
      return members.length > 0 ? [{ left, right, top: bottom - GROUP_HEADER, bottom }] : [];
    });
}

/** The lane above those that lead elsewhere: connections to one card may share theirs. */
function beside(used: readonly Lane[], wanted: Lane): Lane {
  for (let shift = 0; shift < MOST; shift++) {
    const lane = { ...wanted, y: wanted.y - shift * APART };
    const isTaken = used.some(
      (other) =>
        other.target !== lane.target &&
        Math.abs(other.y - lane.y) < APART &&
        other.left < lane.right &&
        lane.left < other.right,
    );
    if (!isTaken) return lane;
  }
  return wanted;
}

/** Of cards from left to right, those whose left edge lies from one place to another: found without looking at all of them. */
function cardsFrom(left: number, right: number, cards: readonly Card[]): readonly Card[] {
  const firstAt = (x: number): number => {
    let [low, high] = [0, cards.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cards[middle]?.x ?? x) < x) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return cards.slice(firstAt(left), firstAt(right));
}

/** Height of the lane; null for a connection to the right, and where the middle of both ends does as well. */
function laneOf(from: Card, to: Card, cards: readonly Card[], heads: readonly Head[]): number | null {
  if (to.x >= from.x + NODE_SIZE.width || to.y <= from.y) return null;
  const [left, right] = [to.x - TURN, from.x + NODE_SIZE.width + TURN];
  const above = cardsFrom(left - NODE_SIZE.width, right, cards)
    .filter(({ x, y }) => x + NODE_SIZE.width > left && y < to.y)
    .sort((a, b) => b.y + b.height - (a.y + a.height));
  let lane = to.y - ABOVE;
  for (const card of above) {
    if (card.y + card.height + CLEARANCE <= lane) break;
    if (card.y - CLEARANCE < lane) lane = card.y - ABOVE;
  }
  for (const head of heads)
    if (head.left < right && head.right > left && lane > head.top - APART && lane < head.bottom)
      lane = head.top - APART;
  return lane > from.y + NODE_SIZE.height / 2 ? lane : null;
}

/**
 * Height at which a connection to the right passes the cards between its ends; null where nothing stands in its way. Drawn
 * along the edge of a card it would look like a connection of that card.
 */
function passingLane(from: Card, to: Card, cards: readonly Card[]): number | null {
  const [left, right] = [from.x + NODE_SIZE.width, to.x - NODE_SIZE.width];
  const between = cardsFrom(left, right + 1, cards).filter(({ x }) => x <= right);
  const isFree = (y: number) =>
    between.every((card) => y <= card.y - CLEARANCE || y >= card.y + card.height + CLEARANCE);
  const straight = to.y + IN_TOP;
  if (isFree(straight)) return null;
  const free = between.flatMap((card) => [card.y - PASSING, card.y + card.height + PASSING]).filter(isFree);
  return free.toSorted((a, b) => Math.abs(a - straight) - Math.abs(b - straight))[0] ?? null;
}

/** Between two turns of connections out of one card. */
const TURNS_APART = 12;
const MOST_SHIFT = 18;

/**
 * How far beside the middle of the gap behind a card a branch turns up or down, in px: branches that turn the same way
 * neither cross nor run so close that they look like one.
 */
export function turnOf(from: GraphNode, to: GraphNode, port: string): number {
  const ports = outPorts(from);
  const index = ports.indexOf(port);
  if (ports.length < 2 || index < 0) return 0;
  const isUpwards = to.location.y + IN_TOP < from.location.y + portTop(from, index);
  const shift = (index - (ports.length - 1) / 2) * TURNS_APART * (isUpwards ? 1 : -1);
  return Math.max(-MOST_SHIFT, Math.min(MOST_SHIFT, shift));
}
