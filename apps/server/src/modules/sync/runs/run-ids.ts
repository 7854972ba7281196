/** Ids of cycles and of ledger entries: their numbers, spelled as ids are. */
import { type Id, id } from "@accord/contracts";

export const runId = (number: number): Id<"run"> => hexId("run", number);
export const ledgerId = (number: number): Id<"ledgerEntry"> => hexId("ledgerEntry", number);

const hexId = <Kind extends "run" | "ledgerEntry">(kind: Kind, number: number): Id<Kind> =>
  id(kind).parse(number.toString(16).padStart(24, "0"));
