/**
 * The filter of system calls that sandboxed programs run under: no sockets, no processes, no mounts, no looking into
 * other processes. Namespaces already keep a program from reaching anything with them; the filter keeps it from the
 * parts of the kernel that have let programs out of namespaces.
 */

/** What the kernel calls the machine, and its numbers of the calls that are refused. */
interface Machine {
  auditArch: number;
  clone: number;
  refused: readonly number[];
}

/** The same on all machines: io_uring, pidfd_*, the newer calls for mounts, memfd_secret. */
const NEWER = [424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 438, 442, 447];
/** Answered with ENOSYS: the C library then starts its threads with `clone`, whose flags a filter can read. */
const CLONE3 = 435;

const MACHINES: Readonly<Record<string, Machine>> = {
  x64: {
    auditArch: 0xc000003e,
    clone: 56,
    refused: [
      // socket, connect, accept, bind, listen, socketpair, accept4
      ...[41, 42, 43, 49, 50, 53, 288],
      // fork, vfork, execveat
      ...[57, 58, 322],
      // shared memory, semaphores and queues of System V and POSIX, memfd_create
      ...[29, 30, 31, 64, 65, 66, 68, 69, 70, 71, 240, 319],
      // ptrace, process_vm_readv, process_vm_writev, kcmp, perf_event_open
      ...[101, 310, 311, 312, 298],
      // mount, umount2, pivot_root, chroot, unshare, setns, name_to_handle_at, open_by_handle_at, fanotify_init
      ...[165, 166, 155, 161, 272, 308, 303, 304, 300],
      // modules, kexec, reboot, swap, ports, personality, bpf, userfaultfd, keys
      ...[175, 176, 313, 246, 320, 169, 167, 168, 172, 173, 135, 321, 323, 248, 249, 250],
      ...NEWER,
    ],
  },
  arm64: {
    auditArch: 0xc00000b7,
    clone: 220,
    refused: [
      ...[198, 199, 200, 201, 202, 203, 242],
      281,
      ...[180, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 279],
      ...[117, 270, 271, 272, 241],
      ...[39, 40, 41, 51, 97, 268, 264, 265, 262],
      ...[104, 105, 106, 273, 294, 142, 224, 225, 92, 280, 282, 217, 218, 219],
      ...NEWER,
    ],
  },
};

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const OFFSET = { number: 0, arch: 4, firstArgument: 16 };
const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const errno = (code: number): number => 0x00050000 | code;
const EPERM = 1;
const ENOSYS = 38;
const CLONE_THREAD = 0x10000;
/** Calls of the 32-bit kind on 64-bit machines have numbers of their own. */
const X32_BIT = 0x40000000;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** The filter as the kernel reads it; null: for this kind of processor there is none. */
export function systemCallFilter(arch: string = process.arch): Buffer | null {
  const machine = MACHINES[arch];
  if (!machine) return null;
  const instructions: Instruction[] = [
    [LOAD, 0, 0, OFFSET.arch],
    [JUMP_IF_EQUAL, 1, 0, machine.auditArch],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, OFFSET.number],
    [JUMP_IF_AT_LEAST, 0, 1, X32_BIT],
    [RETURN, 0, 0, KILL_PROCESS],
    ...machine.refused.flatMap((number): Instruction[] => [
      [JUMP_IF_EQUAL, 0, 1, number],
      [RETURN, 0, 0, errno(EPERM)],
    ]),
    [JUMP_IF_EQUAL, 0, 1, CLONE3],
    [RETURN, 0, 0, errno(ENOSYS)],
    // A thread of its own process is allowed, another process is not.
    [JUMP_IF_EQUAL, 0, 3, machine.clone],
    [LOAD, 0, 0, OFFSET.firstArgument],
    [JUMP_IF_ANY_BIT, 1, 0, CLONE_THREAD],
    [RETURN, 0, 0, errno(EPERM)],
    [RETURN, 0, 0, ALLOW],
  ];
  const filter = Buffer.alloc(instructions.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    filter.writeUInt16LE(code, at * 8);
    filter.writeUInt8(ifTrue, at * 8 + 2);
    filter.writeUInt8(ifFalse, at * 8 + 3);
    filter.writeUInt32LE(value, at * 8 + 4);
  }
  return filter;
}
