/** A time limit for systems that are silent on a line of their own protocol. */
import type { ConnectorError } from "@accord/connector-sdk";

/** What comes of the work; throws `late` when that takes longer. Whoever asks ends what is still under way. */
export async function within<Result>(seconds: number, late: ConnectorError, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), seconds * 1000);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
