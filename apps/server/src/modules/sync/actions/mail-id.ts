/** The id of the mail that an action sends to its n-th recipient: the same each time, so that it is sent once. */
import { createHash } from "node:crypto";
import { type Id, id } from "@accord/contracts";

export const mailIdOf = (actionId: string, index: number): Id<"mail"> =>
  id("mail").parse(createHash("sha256").update(`${actionId} ${index}`).digest("hex").slice(0, 24));
