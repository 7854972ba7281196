/** What the address of a list or of the search of the external view says: the text that is looked for. */
import { z } from "zod";

export const ExternalSearch = z.object({ q: z.string().max(200).optional().catch(undefined) });
