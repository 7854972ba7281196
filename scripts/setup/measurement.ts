/** What a bench file answers: our figure beside a limit taken in the same run, on the same machine. */
import { existsSync, readFileSync } from "node:fs";

export interface Measurement {
  name: string;
  /** Our figure and the limit's, in `unit`. */
  ours: number;
  limit: number;
  unit: string;
  /** `more`: ratio = ours / limit, e.g. records a second; `less`: the same, but small is good, e.g. milliseconds. */
  better: "more" | "less";
  /** Peak memory of the measured process. */
  rssMb: number;
}

/** A bench file exports this as `measure`. `words`: what stood after the bench's name on the command line. */
export type Measure = (words: readonly string[], say: (line: string) => void) => Promise<Measurement[]>;

/** Peak memory of another process so far, in MB; NaN where the system does not say. */
export function peakRssMbOf(pid: number | undefined): number {
  const file = `/proc/${pid}/status`;
  const [, kilobytes] = (existsSync(file) && /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, "utf8"))) || [];
  return kilobytes === undefined ? Number.NaN : Math.round(Number(kilobytes) / 1024);
}

/** Peak memory of this process so far. */
export const peakRssMb = (): number => Math.round(process.resourceUsage().maxRSS / 1024);
