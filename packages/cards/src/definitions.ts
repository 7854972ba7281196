/** What is known of cards without drawing them: for the server, and for forms. */
export { CARD_DEFINITIONS, problemsOfCard } from "./card-list.ts";
export * from "./card-problems.ts";
export * from "./column-types.ts";
export * from "./definition.ts";
export * from "./format.ts";
export { changeType, unplacedFields, keepSetup, type KeptSetup } from "./kept-setup/kept-setup.ts";
export * from "./ranges.ts";
export {
  isWatchOf,
  judgeValues,
  labelKept,
  type Verdict,
  type Watchable,
  type Watched,
  type WatchableSeries,
  watchableOf,
  watchedValues,
  type WatchProblem,
} from "./alerts/watched.ts";
