/**
 * Plays one simulated history: the worlds of its pipelines, in virtual time. Everything that happens follows from the
 * seed.
 */
import type { History, RecordedHistory, Trace } from "./history.ts";
import { Neighbourhood } from "./neighbourhood.ts";
import type { Plant } from "./plant.ts";
import { drawStory } from "./story.ts";
import { World } from "./world.ts";

/** Plays one history to its end and judges it. */
export function play(seed: number, plant: Plant = {}, trace?: Trace): History {
  const story = drawStory(seed);
  if (story.neighbours) return new Neighbourhood(seed, plant, { ...story, neighbours: story.neighbours }, trace).play();
  const world = new World(seed, plant, { story, trace });
  world.begin();
  return world.conclude();
}

/** Plays one history, of one pipeline alone, and writes down what its storage was asked. */
export function record(seed: number): RecordedHistory {
  const world = new World(seed, {}, { story: { ...drawStory(seed), neighbours: null }, isRecorded: true });
  world.begin();
  world.conclude();
  return world.recorded();
}
