/** A key that passes from one record to another: the record that takes it arrives by itself once the other is renamed. */
import { expect, test } from "vitest";
import { PipelineDriver } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: null };
const EVE = { ...ADA, name: "Eve", phone: "2" };

/** Ada came from B and is in A; then she is renamed in B, and Eve takes her old address. A refuses updates meanwhile. */
function passedOn() {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  const [a, b] = [driver.system("A"), driver.system("B")];
  b.insert(ADA, driver.now);
  driver.settle();
  let isHeld = true;
  driver.answer = ({ operations }, system) =>
    system === a
      ? operations.map((operation) =>
          isHeld && operation.kind === "update"
            ? { status: "retry" as const, message: "Busy.", retryAfterMs: 1_000 }
            : system.write(operation, driver.now),
        )
      : null;
  b.update("B1", { email: "ada@new.example" }, driver.now);
  b.insert(EVE, driver.now);
  for (let cycle = 0; cycle < 10 && !driver.store.hasParked(); cycle += 1) driver.cycle();
  expect(driver.store.quarantine.map(({ code }) => code)).toEqual(["already_linked"]);
  const letThrough = (): void => {
    isHeld = false;
    expect(driver.settle(), "it comes to rest").toBeLessThan(20);
  };
  return { driver, a, b, letThrough };
}

const BOTH = [
  ["ada@new.example", "Ada"],
  ["ada@example.com", "Eve"],
];
const held = (system: ReturnType<typeof passedOn>["a"]) =>
  system.rows().map(({ values }) => [values["email"], values["name"]]);

test("a record that takes the key of another one arrives once that is renamed there by us", () => {
  const { driver, a, letThrough } = passedOn();
  letThrough();
  expect(held(a)).toEqual(BOTH);
  expect(driver.store.hasParked()).toBe(false);
});

test("a record that takes the key of another one arrives once people rename that there", () => {
  const { driver, a, b, letThrough } = passedOn();
  a.update("A1", { email: "ada@new.example" }, driver.now);
  letThrough();
  expect(held(a)).toEqual(BOTH);
  expect(held(b)).toEqual(BOTH);
  expect(driver.store.hasParked()).toBe(false);
});

test("a double stays quarantined when another field of the record that has its key is written", () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  const [a, b] = [driver.system("A"), driver.system("B")];
  b.insert(ADA, driver.now);
  driver.settle();
  b.insert(EVE, driver.now);
  driver.settle();
  const entries = driver.store.quarantine.length;
  b.update("B1", { phone: "3" }, driver.now);
  a.update("A1", { name: "Ada King" }, driver.now);
  driver.settle();
  expect(driver.store.quarantine).toHaveLength(entries);
  expect(driver.store.hasParked()).toBe(true);
});
