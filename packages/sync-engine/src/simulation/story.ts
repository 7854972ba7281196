/** What a history is about, beside edits and misfortunes: drawn from the seed apart, so that it changes nothing else. */
import type { AUTHORITIES } from "@accord/contracts/sync/matching";
import { type Chance, makeChance } from "./chance.ts";
import { type Drift, drawDrift, drawRename } from "./drift.ts";
import { type Edition, editionOf, isSince } from "./found-seeds.ts";
import { drawNeighbours, type Neighbours } from "./neighbours.ts";
import { drawNewField, type NewField } from "./new-fields.ts";
import { EDITED_FIELDS } from "./scenario-fields.ts";
import { generateTexts, isIgnored, type TextOptions } from "./text-rewriting.ts";
import { goesBack } from "./system-clock.ts";
import { BUSY_MS } from "./timeline.ts";
import { drawTypeChange, type TypeChange } from "./type-changes.ts";
import { generateOptions, MAX_SYSTEMS, NO_OPTIONS, type ScenarioOptions } from "./scenario-options.ts";

export type DrawnAuthority = Exclude<(typeof AUTHORITIES)[number], "SELECTED">;

/** How duplicates are dealt with. */
export interface Duplicates {
  reportOnly: boolean;
  /** More of them are only reported. */
  most: number;
  /** Whether outside records that lost are deleted, or live on as second ones of the same thing. */
  deletesLosers: boolean;
  winner: "oldest" | "newest" | "mostComplete";
}

/** Roads wait for answers and have things done; the receiver knows an action again, or it doesn't. */
export interface Errand {
  isRepeatable: boolean;
}

export interface Story extends ScenarioOptions {
  /** Null: as ever, drawn with the systems. */
  authority: DrawnAuthority | null;
  /** Null: nobody looks for duplicates, and nobody makes any. */
  duplicates: Duplicates | null;
  /** Contacts name other contacts. */
  hasReferences: boolean;
  /** A third system that is only written. */
  hasWriteOnly: boolean;
  /** Sources give one page a cycle. */
  readsSinglePages: boolean;
  /** Resyncs are of some sources, and of a span of time. */
  hasPartialResyncs: boolean;
  /** Systems, by index, in which nothing is deleted on account of others; and whether they get back what they lost. */
  keepers: readonly { system: number; recreates: boolean }[];
  /** Milliseconds that a system's clock is ahead, by index. */
  skews: readonly number[];
  errand: Errand | null;
  /** Contacts without an e-mail: nothing to find them by. */
  hasNameless: boolean;
  /** Now and then somebody enters more than a record may hold. */
  hasGiants: boolean;
  /** Texts that systems store in ways of their own; null: as they are. */
  texts: TextOptions | null;
  /** Systems whose changes are listed on numbered pages, by index. */
  hasNumberedLists: readonly boolean[];
  /** Null: no other pipelines are there. */
  neighbours: Neighbours | null;
  /** A field that a system does not have for a while, or under another name. */
  drift: Drift | null;
  /** A field that is added to a system, and that nobody maps. */
  newField: NewField | null;
  /** A column whose type changes. */
  typeChange: TypeChange | null;
}

const PLAIN: Story = {
  ...NO_OPTIONS,
  authority: null,
  duplicates: null,
  hasReferences: false,
  hasWriteOnly: false,
  readsSinglePages: false,
  hasPartialResyncs: false,
  keepers: [],
  skews: [],
  errand: null,
  hasNameless: false,
  hasGiants: false,
  texts: null,
  hasNumberedLists: [],
  neighbours: null,
  drift: null,
  newField: null,
  typeChange: null,
};

const SKEW = 3_600_000;

export function drawStory(seed: number, edition = editionOf(seed)): Story {
  const story = earlierStory(seed, edition);
  if (!isSince("fourth", edition)) return story;
  const hasNumberedLists = isSince("fifth", edition) ? numberedLists(makeChance(seed ^ 0x1_73_20_50), story) : [];
  const neighbours = isSince("sixth", edition) ? drawNeighbours(makeChance(seed ^ 0x2_23_60_67)) : null;
  const all = { ...story, ...latest(makeChance(seed ^ 0x1_41_42_13), story), hasNumberedLists, neighbours };
  if (!isSince("seventh", edition)) return all;
  const drift = driftOf(drawDrift(makeChance(seed ^ 0x2_64_57_51), EDITED_FIELDS, BUSY_MS), all);
  if (edition === "seventh") return { ...all, drift };
  const renamed = drawRename(makeChance(seed ^ 0x3_16_22_77), EDITED_FIELDS, BUSY_MS);
  return {
    ...all,
    drift: drift ?? driftOf(renamed, all),
    newField: all.types?.isFirstLoad ? null : drawNewField(makeChance(seed ^ 0x3_31_66_24), BUSY_MS),
    typeChange: typeChangeOf(makeChance(seed ^ 0x3_60_55_51), { ...all, drift: drift ?? renamed }),
  };
}

/** A column whose type changes, of a field that nothing else happens to. */
function typeChangeOf(chance: Chance, { types, texts, drift, hasNameless, outages }: Story): TypeChange | null {
  // What is refused for its type waits for a person, and nobody mends after an outage.
  if (types || texts || drift || hasNameless || outages.length > 0) return null;
  return drawTypeChange(chance, BUSY_MS);
}

/** A field that vanishes from a system which is read, and in which people edit it. */
function driftOf(drift: Drift | null, story: Story): Drift | null {
  const { types, texts, hasWriteOnly, hasGiants, hasNameless, reading, outages } = story;
  if (!drift || types?.isFirstLoad || isIgnored(texts, drift.system, drift.field)) return null;
  // Nobody reads between a write and the return of its field while the system is down for hours.
  if (outages.some(({ system }) => system === drift.system)) return null;
  // What is too large is taken out again when the busy time ends, whatever a system lacks then.
  if ((hasWriteOnly && drift.system === 2) || (hasGiants && drift.field === "note")) return null;
  // Where a tool wrote an old time of change, only a reading of changes tells what it wrote.
  // What has nothing to find it by is known by all that it holds.
  if (hasNameless && drift.comesBack === "empty") return null;
  const hasOldTimes = reading?.hasImports === true || reading?.clocks.some(goesBack) === true;
  const touchesRows = drift.touchesRows || hasOldTimes;
  // A creation that is refused without a word of the field waits for a person, and nobody mends after an outage.
  return { ...drift, touchesRows, writes: outages.length > 0 ? "refused" : drift.writes };
}

/** Systems that are read page by numbered page, in some stories whose systems would all have feeds of changes. */
const numberedLists = (chance: Chance, { reading, types }: Story): boolean[] =>
  reading || types?.isFirstLoad || chance.happens(0.7)
    ? []
    : Array.from({ length: MAX_SYSTEMS }, () => chance.happens(0.6));

/** What may come with any story since the third edition; half of them have none of it. */
function latest(chance: Chance, { types, hasGiants, hasNameless }: Story): Partial<Story> {
  if (chance.happens(0.5)) return {};
  const texts = chance.happens(0.5) ? generateTexts(chance, MAX_SYSTEMS) : null;
  // What has no key is known as ours only where it looks as we sent it.
  return { texts: types || hasGiants || hasNameless ? null : texts };
}

function earlierStory(seed: number, edition: Edition): Story {
  const hasOptions = isSince("third", edition);
  const options = hasOptions ? generateOptions(makeChance(seed ^ 0x1_61_80_33)) : null;
  if (options) return { ...PLAIN, ...options };
  const story = firstStory(seed, edition);
  return isSince("second", edition) ? { ...story, ...company(makeChance(seed ^ 0x2_71_82_81)) } : story;
}

/** What may come with any story; half of them have none of it. */
function company(chance: Chance): Partial<Story> {
  if (chance.happens(0.5)) return {};
  return {
    errand: chance.happens(0.5) ? { isRepeatable: chance.happens(0.5) } : null,
    hasNameless: chance.happens(0.3),
    hasGiants: chance.happens(0.3),
  };
}

function firstStory(seed: number, edition: Edition): Story {
  const chance = makeChance(seed ^ 0x5_70_12_34);
  const kind = chance.next();
  if (kind < 0.4 || edition === "none") return PLAIN;
  if (kind < 0.75) return family(chance);
  return places(chance);
}

/** Records that are one thing twice, and records that name each other. */
function family(chance: Chance): Story {
  const authority = chance.pick(["NONE", "RANKED", "LATEST"] as const);
  const hasReferences = chance.happens(0.6);
  const duplicates =
    !hasReferences || chance.happens(0.7)
      ? {
          reportOnly: chance.happens(0.15),
          most: chance.happens(0.2) ? 1 : 5,
          deletesLosers: chance.happens(0.7),
          winner: chance.pick(["oldest", "newest", "mostComplete"] as const),
        }
      : null;
  return { ...PLAIN, authority, duplicates, hasReferences, hasPartialResyncs: chance.happens(0.3) };
}

/** Systems that are used otherwise than both ways, all at once. */
function places(chance: Chance): Story {
  const keepers = [0, 1].flatMap((system) => (chance.happens(0.4) ? [{ system, recreates: chance.happens(0.5) }] : []));
  const skews = chance.happens(0.5) ? [0, 1, 2].map(() => chance.pick([0, SKEW, -SKEW])) : [];
  return {
    ...PLAIN,
    authority: chance.happens(0.5) ? chance.pick(["RANKED", "LATEST"] as const) : null,
    hasWriteOnly: chance.happens(0.4),
    readsSinglePages: chance.happens(0.4),
    hasPartialResyncs: chance.happens(0.5),
    keepers,
    skews,
  };
}
