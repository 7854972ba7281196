/** Files of tests are kept in memory only where programs may be run from it. */
import { expect, test } from "vitest";
import { isExecutable } from "./memory-folder.ts";

const ROOT_MOUNT = "/dev/vda / ext4 rw,relatime 0 0\n";

test("shared memory that forbids running programs is not used, nor a folder of the disk", () => {
  expect(isExecutable(`${ROOT_MOUNT}tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0\n`)).toBe(true);
  expect(isExecutable(`${ROOT_MOUNT}shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0\n`)).toBe(false);
  expect(isExecutable(ROOT_MOUNT)).toBe(false);
});
