/** Who may begin while others work, wait for systems, or hold large pages. */
import type { ReadPage } from "@accord/connector-sdk";
import { expect, test } from "vitest";
import { CycleSlots } from "./cycle-slots.ts";

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

test("large pages keep further cycles and pages away until they are stored; the first cycle reads on", () => {
  const { slots } = world();
  const page = (): ReadPage => {
    const text = "x".repeat(1_000_000);
    const records = Array.from({ length: 50 }, (_, index) => ({ id: String(index), values: { text } }));
    return { records, cursor: null, drained: false };
  };
  const [first, second, third] = [slots.begin("first"), slots.begin("second"), slots.begin("third")];
  first.holds([page()]);
  expect([slots.canBegin(), third.mayRead]).toEqual([true, true]);
  second.holds([page(), page()]);
  expect([slots.canBegin(), first.mayRead, third.mayRead]).toEqual([false, true, false]);
  second.holds([]);
  expect([slots.canBegin(), third.mayRead]).toEqual([true, true]);
});

test("a record that is nested without end can be measured", () => {
  const { slots } = world();
  let nested: ReadPage["records"][number]["values"][string] = [];
  for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
  const slot = slots.begin("deep");
  slot.holds([{ records: [{ id: "1", values: { nested } }], cursor: null, drained: true }]);
  expect(slot.pageBytes).toBeGreaterThan(100_000);
});
