/** Who may begin while others work, wait for systems, or hold large pages. */
import type { ReadPage } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import { type CycleSlot, CycleSlots, type PageSource, type SlotBounds } from "./cycle-slots.ts";

function world() {
  const clock = { now: 0 };
  return { clock, slots: new CycleSlots(() => clock.now) };
}

const begun = (slots: CycleSlots): number => {
  let count = 0;
  for (; slots.canBegin() && count < 1_000; count += 1) slots.begin(`more ${count}`);
  return count;
};

test("cycles that work take their room; those that only wait for a system do not", () => {
  const { clock, slots } = world();
  const room = begun(world().slots);
  const waiting = Array.from({ length: room }, (_, index) => {
    const slot = slots.begin(`slow ${index}`);
    return { slot, answered: slot.calls(`connector ${index}`) };
  });
  expect(slots.canBegin(), "a call has just begun").toBe(false);
  expect(slots.nextWaitingIn).toBeGreaterThan(0);
  clock.now += slots.nextWaitingIn ?? 0;
  expect(begun(slots)).toBe(room);
  for (const { slot, answered } of waiting) {
    answered();
    slot.end();
  }
  expect(slots.canBegin(), "the others still work").toBe(false);
});

test("a cycle that waits for a system and for our database at once works", () => {
  const { clock, slots } = world();
  const slot = slots.begin("one");
  slot.calls("crm");
  const stored = slot.works();
  clock.now += 10_000;
  expect(slot.isWaiting).toBe(false);
  stored();
  clock.now += 10_000;
  expect(slot.isWaiting).toBe(true);
});

test("a connector that many cycles wait for holds up the pipelines that use it, and nobody else", () => {
  const { slots } = world();
  const answers: (() => void)[] = [];
  slots.learn("both", 3, ["healthy", "slow"]);
  slots.learn("other", 1, ["healthy"]);
  expect(slots.isHeldUp("both")).toBe(false);
  for (let index = 0; !slots.isHeldUp("both") && index < 1_000; index += 1) {
    answers.push(slots.begin(`slow ${index}`).calls("slow"));
  }
  expect(answers.length).toBeLessThan(100);
  expect(slots.isHeldUp("other")).toBe(false);
  expect(slots.heldUp()).toEqual(["both/3"]);
  answers.pop()?.();
  expect(slots.heldUp()).toEqual([]);
});

test("however many wait, there is an end to it", () => {
  const { clock, slots } = world();
  let count = 0;
  for (; count < 10_000 && slots.canBegin(); count += 1) {
    slots.begin(`slow ${count}`).calls(`connector ${count}`);
    clock.now += 1_000;
  }
  expect(count).toBeLessThan(1_000);
});

const CRM = { connectorId: "crm", entity: "person" };
const MB = 1_000_000;

/** A page of about so many bytes in memory. */
function pageOf(bytes: number): ReadPage {
  const text = "x".repeat(Math.round(bytes / 2 / 50));
  const records = Array.from({ length: 50 }, (_, index) => ({ id: String(index), values: { text } }));
  return { records, cursor: null, drained: false };
}

/** A source whose pages were of this size so far. */
function knownSource(slots: CycleSlots, source: PageSource, bytes: number): PageSource {
  const slot = slots.begin("before");
  slot.reads(source, 0)?.(pageOf(bytes));
  slot.end();
  return source;
}

/** Its source waits for the page of the ticket, and holds those behind it. */
const holding = (pages: readonly ReadPage[], awaited: number[] = []) => [
  {
    slots: [
      ...awaited.map((requestId) => ({ requestId, page: null })),
      ...pages.map((page) => ({ requestId: 100, page })),
    ],
  },
];

const bytesOf = (cycles: readonly CycleSlot[]): number => cycles.reduce((sum, { pageBytes }) => sum + pageBytes, 0);

test("large pages keep further cycles and pages away until they are stored; the first cycles read what they wait for", () => {
  const { slots } = world();
  knownSource(slots, CRM, MB);
  const page = (): ReadPage => pageOf(100 * MB);
  const [first, second, third] = [slots.begin("first"), slots.begin("second"), slots.begin("third")];
  const canRead = (slot: CycleSlot, requestId = 0): boolean => {
    const completed = slot.reads(CRM, requestId);
    completed?.(null);
    return completed !== null;
  };
  first.holds(holding([page()]));
  expect([slots.canBegin(), canRead(third)]).toEqual([true, true]);
  first.holds(holding([page()], [7]));
  second.holds(holding([page(), page()], [8]));
  third.holds(holding([], [9]));
  expect(slots.canBegin()).toBe(false);
  expect([canRead(first, 7), canRead(second, 8), canRead(third, 9)], "the page that is waited for").toEqual([
    true,
    true,
    false,
  ]);
  expect(canRead(first, 70), "a page ahead").toBe(false);
  second.holds([]);
  expect([slots.canBegin(), canRead(third)]).toEqual([true, true]);
});

test("all cycles together hold about 256 MB of pages, also where all of them ask before anybody has an answer", () => {
  const { slots } = world();
  const cycles = Array.from({ length: 150 }, (_, index) => slots.begin(`p${index}`));
  // Each has a system of its own, of which nothing is known.
  const asked = cycles.map((cycle, index) => cycle.reads({ connectorId: `c${index}`, entity: "e" }, index));
  for (const [index, completed] of asked.entries()) {
    const page = pageOf(40 * MB);
    completed?.(page);
    if (completed) cycles[index]?.holds(holding([page]));
  }
  expect(bytesOf(cycles)).toBeGreaterThan(200 * MB);
  expect(bytesOf(cycles)).toBeLessThan(400 * MB);
});

test("pages asked for ahead take their room before they are there", () => {
  const { slots } = world();
  knownSource(slots, CRM, 50 * MB);
  const [older, old, slot] = [slots.begin("older"), slots.begin("old"), slots.begin("ahead")];
  const reads = Array.from({ length: 8 }, (_, requestId) => slot.reads(CRM, requestId));
  expect(reads.filter((read) => read !== null)).toHaveLength(5);
  reads[0]?.(null);
  expect(slot.reads(CRM, 8)).not.toBe(null);
  slot.end();
  expect(
    [older, old].map((one) => one.reads(CRM, 0) !== null),
    "its room is free again",
  ).toEqual([true, true]);
});

test("small pages are asked for by everybody at once, and a source that has shrunk counts as smaller after a while", () => {
  const { slots } = world();
  knownSource(slots, CRM, 200 * MB);
  for (let page = 0; page < 60; page += 1) knownSource(slots, CRM, 0);
  const cycles = Array.from({ length: 150 }, (_, index) => slots.begin(`p${index}`));
  expect(cycles.filter((cycle) => cycle.reads(CRM, 1) !== null)).toHaveLength(150);
});

test("a page that is larger than all the room is read ahead too, while nothing else is held or read", () => {
  const { slots } = world();
  knownSource(slots, CRM, 400 * MB);
  const [first, second, third] = [slots.begin("first"), slots.begin("second"), slots.begin("third")];
  const completed = third.reads(CRM, 0);
  expect(completed, "whoever asks").not.toBe(null);
  expect([first.reads(CRM, 0), second.reads(CRM, 0)], "while it is read").toEqual([null, null]);
  completed?.(null);
  expect(second.reads(CRM, 0)).not.toBe(null);
});

test("a slow system of which nothing is known keeps nobody else's first page away", () => {
  const { slots } = world();
  const cycles = Array.from({ length: 20 }, (_, index) => slots.begin(`slow ${index}`));
  const allowed = cycles.filter((cycle, index) => cycle.reads({ connectorId: "slow", entity: `e${index}` }, index));
  expect(allowed).toHaveLength(1);
  expect(slots.begin("other").reads(CRM, 0)).not.toBe(null);
});

test("whatever is read, the cycles that began first get on", () => {
  const { slots } = world();
  const cycles = Array.from({ length: 20 }, (_, index) => slots.begin(`p${index}`));
  // Each holds a page that it can't store before the one that it waits for.
  for (const cycle of cycles) cycle.holds(holding([pageOf(40 * MB)], [1]));
  for (const cycle of cycles) {
    expect(cycle.reads(CRM, 1)).not.toBe(null);
    cycle.end();
  }
});

test("a record that is nested without end can be measured", () => {
  const { slots } = world();
  let nested: ReadPage["records"][number]["values"][string] = [];
  for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
  const slot = slots.begin("deep");
  slot.holds(holding([{ records: [{ id: "1", values: { nested } }], cursor: null, drained: true }]));
  expect(slot.pageBytes).toBeGreaterThan(100_000);
});

describe("how many cycles there are", () => {
  const clock = { now: 0 };
  const bounded = (bounds: Partial<SlotBounds>) =>
    new CycleSlots(() => clock.now, { busy: 100, cycles: 100, perConnector: 100, ...bounds });
  /** One that has waited for a while for a system of its own. */
  const beginWaiting = (slots: CycleSlots, name: string): void => {
    slots.begin(name).calls(name);
    clock.now += 1_000;
  };

  test("six at work and 150 altogether, eight that wait for the same connector", () => {
    const { slots } = world();
    expect(begun(slots)).toBe(6);
    const waiting = new CycleSlots(() => clock.now);
    for (let count = 0; waiting.canBegin(); count += 1) beginWaiting(waiting, `${count}`);
    expect(waiting.running).toHaveLength(150);
    slots.learn("reader", 1, ["crm"]);
    for (let count = 0; count < 7; count += 1) slots.begin(`${count}`).calls("crm");
    expect(slots.isHeldUp("reader")).toBe(false);
    slots.begin("eighth").calls("crm");
    expect(slots.isHeldUp("reader")).toBe(true);
  });

  test("is as many as it is set to", () => {
    expect(begun(bounded({ busy: 2 }))).toBe(2);
    expect(begun(bounded({ cycles: 3 }))).toBe(3);
  });

  test("a worker without room looks again once the first of its cycles counts as waiting, if any will", () => {
    const { clock: time, slots } = world();
    slots.begin("working");
    expect(slots.nextWaitingIn).toBeNull();
    slots.begin("first").calls("crm");
    time.now += 150;
    expect(slots.nextWaitingIn).toBe(50);
    slots.begin("second").calls("shop");
    expect(slots.nextWaitingIn).toBe(50);
  });

  test("a cycle that waits and works by turns counts as waiting a while after its work is done", () => {
    const { clock: time, slots } = world();
    const slot = slots.begin("one");
    expect(slot.waitsInMs, "it begins as busy").toBeNull();
    const done = slot.works();
    done();
    expect(slot.waitsInMs, "nothing is under way").toBeNull();
    const answered = slot.calls("crm");
    time.now += 200;
    expect(slot.waitsInMs).toBe(0);
    answered();
    expect(slot.waitsInMs, "its call is over").toBeNull();
    // Said twice, it is over once.
    const [first, second] = [slot.calls("crm"), slot.calls("crm")];
    first();
    first();
    expect(slot.calledConnectors).toEqual(["crm"]);
    second();
    expect(slot.calledConnectors).toEqual([]);
  });
});

describe("pipelines that are held up", () => {
  test("are those known to use a connector with too many calls; each cycle counts once, calls of no connector not at all", () => {
    const slots = new CycleSlots(() => 0, { busy: 100, cycles: 100, perConnector: 2 });
    slots.learn("reader", 4, ["crm", "shop"]);
    expect([slots.knows("reader", 4), slots.knows("reader", 3), slots.knows("other", 4)]).toEqual([true, false, false]);
    expect(slots.isHeldUp("unknown")).toBe(false);
    const one = slots.begin("one");
    const answers = [one.calls("crm"), one.calls("crm"), one.calls(null)];
    slots.begin("nobody's").calls(null);
    slots.learn("nameless", 1, [""]);
    expect(slots.heldUp(), "one cycle").toEqual([]);
    slots.begin("two").calls("crm");
    expect(slots.heldUp()).toEqual(["reader/4"]);
    answers[0]?.();
    expect(slots.heldUp(), "one of its two calls goes on").toEqual(["reader/4"]);
    answers[1]?.();
    expect(slots.heldUp()).toEqual([]);
  });
});

describe("the size of a page", () => {
  /** What a page of these records is taken to need. */
  const sizeOf = (records: ReadPage["records"]): number => {
    const slot = world().slots.begin("one");
    slot.holds(holding([{ records, cursor: null, drained: false }]));
    return slot.pageBytes;
  };
  /** Twice the characters of their JSON, about. */
  const expectAbout = (records: ReadPage["records"]): void => {
    const bytes = records.reduce((sum, record) => sum + JSON.stringify(record).length * 2, 0);
    expect(sizeOf(records) / bytes).toBeGreaterThan(0.8);
    expect(sizeOf(records) / bytes).toBeLessThan(1.25);
  };
  const values = {
    name: "Ada",
    tags: ["one", "two", "three"],
    born: 18_151_210,
    address: { city: "London", zip: null },
  };

  test("is twice that of its JSON, of short texts, numbers, lists and objects; of nothing it is nothing", () => {
    expect(sizeOf([])).toBe(0);
    expectAbout([{ id: "1", values }]);
    expectAbout([{ id: "1", values: { list: Array.from({ length: 1_000 }, () => "x") } }]);
    expectAbout([{ id: "1", values: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, ""])) }]);
  });

  test("is told by some of its records, wherever the large ones stand", () => {
    const record = (id: number, length: number) => ({ id: String(id), values: { text: "x".repeat(length) } });
    expectAbout(Array.from({ length: 1_000 }, (_, at) => record(at, 1_000 + at)));
    expectAbout(Array.from({ length: 1_000 }, (_, at) => record(at, 2_000 - at)));
    expectAbout(Array.from({ length: 3 }, (_, at) => record(at, at * 1_000)));
  });

  test("is that of all its pages together, those of each of its sources", () => {
    const slot = world().slots.begin("one");
    const [page] = [pageOf(MB)];
    slot.holds([...holding([page, page]), ...holding([page])]);
    expect(slot.pageBytes / MB).toBeGreaterThan(2.9);
    expect(slot.pageBytes / MB).toBeLessThan(3.1);
  });

  test("of a source not read yet is that of the connector's largest", () => {
    const { slots } = world();
    knownSource(slots, CRM, MB);
    knownSource(slots, { connectorId: "crm", entity: "file" }, 200 * MB);
    slots.begin("first");
    slots.begin("second");
    const third = slots.begin("third");
    const unknown = { connectorId: "crm", entity: "unknown" };
    expect(third.reads(unknown, 0)).not.toBe(null);
    expect(third.reads(unknown, 1), "a second one has no room").toBe(null);
    expect(third.reads(CRM, 2), "a small one has").not.toBe(null);
  });
});
