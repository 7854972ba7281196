/** What the address of the settings of sharing says: whose access is shown, from where on. */
import { z } from "zod";

export const SharingSettingsSearch = z.object({
  outside: z.literal(true).optional().catch(undefined),
  cursor: z.string().max(600).optional().catch(undefined),
});
export type SharingSettingsSearch = z.output<typeof SharingSettingsSearch>;
