/** The stored state that a dry run of an unpublished graph meets: places by their numbers, records and links, read only. */
import type { Id } from "@accord/contracts";
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Value, Values } from "@accord/contracts/data/values";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { SecretFields } from "@accord/expressions";
import {
  type EndpointFields,
  fieldOf,
  isKnown,
  offsetOf,
  type SinkMapping,
  type StoredLink,
  type StoredRecord,
} from "@accord/sync-engine/run";
import type { Pool } from "../../../../platform/db/db.ts";
import { runStorage } from "../storage/run-storage.store.ts";
import type { CompiledPipeline } from "../worker/plans.ts";
import type { DryPipeline } from "./dry-run.ts";
import { explainStore } from "./explain.store.ts";
import { type ChosenKey, type ChosenOrder, type NumberedPlace, storedStateStore } from "./stored-state.store.ts";

type Storage = DryPipeline["storage"] & { readRecords(recordIds: readonly string[]): Promise<StoredRecord[]> };
type Mapping = Pick<SinkMapping, "reference" | "coreField">;
type References = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Numbers of places that no version has yet count down from here: storage gives out positive ones, and finds none under these. */
const FIRST_NEW_NUMBER = -1;

export class StoredState {
  readonly #pool: Pool;
  readonly #instanceId: Id<"instance">;
  /** As published: what has a table. */
  readonly #entity: CoreEntity;
  readonly #places: readonly NumberedPlace[];

  private constructor(pool: Pool, instanceId: Id<"instance">, entity: CoreEntity, places: readonly NumberedPlace[]) {
    this.#pool = pool;
    this.#instanceId = instanceId;
    this.#entity = entity;
    this.#places = places;
  }

  /** `pool`: one that only reads. `entity`: as it is published. */
  static async read(pool: Pool, instanceId: Id<"instance">, entity: CoreEntity): Promise<StoredState> {
    return new StoredState(pool, instanceId, entity, await storedStateStore(pool).places(instanceId, entity.id));
  }

  /** Number and fields that storage would give a place of another graph: those it has, and what is new behind them. */
  numbered(place: EndpointFields, index: number): NumberedPlace {
    const known = this.placeOf(place);
    return {
      ...place,
      id: known?.id ?? FIRST_NEW_NUMBER - index,
      readFields: [...new Set([...(known?.readFields ?? []), ...place.readFields])],
      writeFields: [...new Set([...(known?.writeFields ?? []), ...place.writeFields])],
    };
  }

  placeOf({ connectorId, entity }: { connectorId: string; entity: string }): NumberedPlace | undefined {
    return this.#places.find((one) => one.connectorId === connectorId && one.entity === entity);
  }

  /** Values of secret fields are never opened: the mask stands for each of them. */
  storage(secretNames: Iterable<string>): Storage {
    const secrets = SecretFields.named(secretNames);
    const fields = this.#entity.fields.filter(({ status }) => status === "ACTIVE");
    return runStorage(this.#pool, {
      instanceId: this.#instanceId,
      pipelineId: this.#entity.id,
      // Only what is written needs one.
      entityNumber: 0,
      entity: { apiName: this.#entity.apiName, fields },
      referrers: async () => [],
      opened: (values) => secrets.values(values),
    });
  }

  links(recordId: string): Promise<Map<number, StoredLink>> {
    return storedStateStore(this.#pool).linksOfRecord(this.#instanceId, this.#entity.id, recordId);
  }

  async maskedLinks(
    recordId: string,
    pipeline: Pick<CompiledPipeline, "plan" | "secrets">,
  ): Promise<Map<number, StoredLink>> {
    return maskedLinks(await this.links(recordId), pipeline);
  }

  /** Live records after a key: the one changed last first, or spread over all of them. */
  choose(chosen: { order: ChosenOrder; after: ChosenKey | null; count: number }) {
    const fields = this.#entity.fields.filter(({ status }) => status === "ACTIVE");
    return storedStateStore(this.#pool).choose(this.#instanceId, { apiName: this.#entity.apiName, fields }, chosen);
  }

  /** Values that authority kept out of a record, by place and core field. */
  keptOut(recordId: string): Promise<Map<number, Map<string, Value[]>>> {
    return storedStateStore(this.#pool).keptOut(this.#instanceId, recordId);
  }

  linkAt(placeId: number, externalId: string): Promise<StoredLink | null> {
    return storedStateStore(this.#pool).linkAt(this.#instanceId, placeId, externalId);
  }

  quarantined(placeId: number, externalId: string): Promise<Values | null> {
    return storedStateStore(this.#pool).quarantined(this.#instanceId, placeId, externalId);
  }

  /** External ids of the records that these values refer to, for a source or destination with these mappings. */
  references({ mappings }: { mappings: readonly Mapping[] }, values: Values): Promise<References> {
    const wanted = mappings.flatMap(({ reference, coreField }) => {
      const recordId = values[coreField];
      return reference && typeof recordId === "string" ? [{ ...reference, recordId }] : [];
    });
    return explainStore(this.#pool).outsideIds(this.#instanceId, wanted);
  }
}

/** Links whose destinations hold the mask where they hold a secret: as the records do that `storage` answers. */
export const maskedLinks = (
  links: ReadonlyMap<number, StoredLink>,
  { plan, secrets }: Pick<CompiledPipeline, "plan" | "secrets">,
): Map<number, StoredLink> =>
  new Map(
    [...links].map(([placeId, link]): [number, StoredLink] => {
      const writeFields = plan.places.get(placeId)?.writeFields ?? [];
      return [
        placeId,
        { ...link, lastWritten: link.lastWritten && withMasks(link.lastWritten, writeFields, secrets.at(placeId)) },
      ];
    }),
  );

/** A fingerprint of these fields; what is not known of one stays so. */
function withMasks(fingerprint: string, fields: readonly string[], secrets: SecretFields): string {
  const mask = hashValue(PASSWORD_MASK);
  return fields.reduce((text, field, index) => {
    const isHeld = secrets.has(field) && isKnown(fieldOf(text, index));
    return isHeld ? text.slice(0, offsetOf(index)) + mask + text.slice(offsetOf(index + 1)) : text;
  }, fingerprint);
}
