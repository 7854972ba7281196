/** How the columnar mirror of an instance stands: which entities it has copies of, and how far it has come with others. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";

const Moment = z.iso.datetime().nullable();

export const MirroredEntity = z.strictObject({
  apiName: z.string(),
  displayName: z.string(),
  /**
   * `small`: PostgreSQL answers as fast. `unasked`: large enough, but no card that it would answer has been asked for lately.
   * `behind`: so much has changed that PostgreSQL answers until it is taken in. `disk_limit`: it takes more room than it may.
   */
  state: z.enum(["small", "unasked", "building", "ready", "behind", "disk_limit", "failed"]),
  /** Records that it has, as the database estimates. */
  about: z.int(),
  /** In the copy, or copied so far. */
  records: z.int(),
  /** The copy has all that was written before. What was written since is taken in before it answers. */
  freshAt: Moment,
  /** When it last answered a card. */
  answeredAt: Moment,
  /** Fields by their API names with a value that the copy can't keep exactly: PostgreSQL answers cards that read them. */
  unfitFields: z.array(z.string()),
  /**
   * Why there is no copy yet, or beside a copy none yet with more of the fields: no memory or files for it, PostgreSQL refused to be read, writers left no gap in which noting
   * their changes could begin, or something that the log of the server says.
   */
  problem: z.enum(["memory", "files", "database", "busy", "other"]).nullable(),
});
export type MirroredEntity = z.infer<typeof MirroredEntity>;

export const getMirrorStatus = endpoint({
  name: "getMirrorStatus",
  method: "GET",
  path: "/insights/mirror",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary:
    "The entities, and which of them are copied into the columnar mirror of Insights of the server that answers. PostgreSQL answers for all others.",
  reply: z.strictObject({
    /**
     * `off`: by the settings of the server, and without entities. `idle`: nobody has asked anything yet that it would answer
     * faster. `unavailable`: its process does not start here; it is tried again.
     */
    state: z.enum(["off", "idle", "starting", "ready", "unavailable"]),
    /** Entities with fewer are not copied, unless they are joined with larger ones. */
    minRecords: z.int(),
    /** What all copies of the instance take of the disk, and may take, in MB. */
    bytes: z.int(),
    diskMb: z.int(),
    entities: z.array(MirroredEntity),
  }),
});
