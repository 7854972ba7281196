/** The filter as the kernel reads it. Whether it is in force is tried by the hostile programs. */
import { expect, test } from "vitest";
import { systemCallFilter } from "./system-calls.ts";

test.each(["x64", "arm64"])("%s has a filter of whole instructions whose jumps stay inside", (arch) => {
  const filter = systemCallFilter(arch) ?? Buffer.alloc(0);
  expect(filter.length % 8).toBe(0);
  const count = filter.length / 8;
  // The kernel takes 4,096 instructions.
  expect(count).toBeGreaterThan(50);
  expect(count).toBeLessThan(4_096);
  for (let at = 0; at < count; at += 1) {
    const farthest = Math.max(filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3));
    expect(at + 1 + farthest).toBeLessThanOrEqual(count);
  }
});

test("other processors have none: nothing is run there", () => {
  expect(systemCallFilter("riscv64")).toBeNull();
});
