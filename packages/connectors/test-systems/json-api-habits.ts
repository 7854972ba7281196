/** What the register of companies holds, and how it may behave. */
export interface Company {
  id: number;
  name: string;
  email: string | null;
  size: number | null;
  active: boolean;
  tags: string[];
  address: { city: string | null };
  updated_at: string;
  /** Counts its changes. */
  version: number;
}

/** How the register behaves; may be changed at any time. */
export interface Habits {
  /** Single records come with an `ETag`, and `If-Match` is minded. */
  etags?: boolean;
  /** A change must name the version it is based on, in its body or as parameter `version`. */
  versions?: boolean;
  /** Writes are answered without a body; creations tell where the record is. */
  quiet?: boolean;
  /** What writes are answered with: the record as it stands by default, or was sent; changes also as it was, or `ok`. */
  answers?: "ok" | "asSent" | "asBefore";
  /** How long each change waits, once it is made, before it is answered, milliseconds. */
  answersAfterMs?: number;
  /** How the register spells what it is given. */
  spell?: (values: Partial<Company>) => Partial<Company>;
  /** The order of lists; by id unless told. */
  order?: (left: Company, right: Company) => number;
  /** What a creation with an e-mail address that a company has already does: nothing, or it updates that company. */
  sameEmail?: "leaves" | "updates";
  /** Records of the largest page it gives, whatever is asked for. */
  largestPage?: number;
  /** What it answers for a page or offset after the last record: an empty list unless told. */
  pastEnd?: "sameAgain" | { status: number };
  /** What it answers instead of a list. */
  change?: (list: unknown) => unknown;
  /** How far the register's clock is from ours. */
  clockOffsetMs?: number;
  /** How late reads show a change, milliseconds. */
  lagMs?: number;
  /** Its answers name no time. */
  isTimeless?: boolean;
  /** The last record that its searches answer, counted from the first: asking for more is refused. */
  searchEnds?: number;
  /** What a record that is sent stands in: `{ "company": { … } }`. */
  envelope?: string;
  /** Called before each request is handled (`PATCH /page/companies/3`); may answer in the register's place. */
  beforeCall?: (call: string) => Fault | undefined | void | Promise<Fault | undefined | void>;
  /** Called when a request was handled, before it is answered. */
  afterCall?: (call: string) => Fault | undefined | void;
}

/** `reset`: the connection breaks off. Else an answer as it is. */
export type Fault = "reset" | { status: number; text?: string; headers?: Record<string, string> };
