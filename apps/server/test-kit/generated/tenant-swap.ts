/** Calls an endpoint with the id of another tenant's object at one place of an otherwise valid input. */
import type { AnyEndpoint } from "@accord/contracts";
import { ENDPOINTS } from "@accord/contracts/endpoints";
import type { Answer, Caller } from "../caller.ts";
import { exceptionFor, fixtureOf } from "../fixtures/index.ts";
import type { Place, TestApp } from "../test-app.ts";
import { idPlaces, makeOnce, validInput, type IdPlace, type Made } from "./inputs.ts";

/** Endpoints whose input holds ids that a session's instance or organisation has to answer for. */
export const SWAPPABLE = ENDPOINTS.filter(
  (endpoint) => endpoint.access !== "public" && endpoint.access !== "shareViewer" && idPlaces(endpoint).length > 0,
);

export interface SwapWorld {
  t: TestApp;
  own: Place;
  /** A second instance of the same organisation, which the caller could switch to, but is not in. */
  sibling: Place;
  /** Another organisation altogether. */
  stranger: Place;
  caller: Caller;
  /** Refused calls change nothing, so that the same objects serve them all. */
  made: Made;
}

/** Where an object must not be found: within the organisation only what belongs to an instance. */
export const foreignPlaces = ({ sibling, stranger }: SwapWorld, endpoint: AnyEndpoint): Place[] =>
  endpoint.scope === "instance" ? [sibling, stranger] : [stranger];

export async function callWithForeignId(
  world: SwapWorld,
  endpoint: AnyEndpoint,
  place: IdPlace,
  foreign: Place,
): Promise<{ send: () => Promise<Answer>; expected: number; isAllowed: boolean }> {
  const { t, own, made, caller } = world;
  const value = await makeOnce(made, `${place.kind} ${foreign.instanceId}`, () => fixtureOf(place.kind)(t, foreign));
  const input = await validInput(t, endpoint, own, { swap: { place, value }, made });
  const exception = exceptionFor(endpoint.name, place.text);
  const isMeant = !exception?.withinOrganisation || foreign.organisationId === own.organisationId;
  const expected = (isMeant ? exception?.status : undefined) ?? 404;
  const isAllowed = exception?.withinOrganisation === true && isMeant;
  return { send: () => caller.send(endpoint, input), expected, isAllowed };
}
