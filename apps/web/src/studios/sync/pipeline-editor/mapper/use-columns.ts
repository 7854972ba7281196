/** Where the two columns stand: what is scrolled how far, so that lines follow. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import { useCallback, useLayoutEffect, useState, type RefObject } from "react";
import type { Column } from "./mapper.model.ts";

interface Measures {
  system: { scrollTop: number; height: number };
  core: { scrollTop: number; height: number };
  /** Of the space between the columns. */
  width: number;
}

const NOWHERE = { scrollTop: 0, height: 0 };

const placesOf = (fields: readonly FieldSchema[]): Map<string, number> =>
  new Map(fields.map(({ apiName }, place) => [apiName, place]));

interface Areas {
  systemRef: RefObject<HTMLElement | null>;
  coreRef: RefObject<HTMLElement | null>;
  /** Between the columns. */
  gapRef: RefObject<HTMLElement | null>;
}

export function useColumns(
  { systemRef, coreRef, gapRef }: Areas,
  systemFields: readonly FieldSchema[],
  coreFields: readonly FieldSchema[],
) {
  const [measures, setMeasures] = useState<Measures>({ system: NOWHERE, core: NOWHERE, width: 0 });
  const measure = useCallback(() => {
    const of = ({ current }: RefObject<HTMLElement | null>) =>
      current ? { scrollTop: current.scrollTop, height: current.clientHeight } : NOWHERE;
    setMeasures({ system: of(systemRef), core: of(coreRef), width: gapRef.current?.clientWidth ?? 0 });
  }, [systemRef, coreRef, gapRef]);
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    for (const { current } of [systemRef, coreRef, gapRef]) if (current) observer.observe(current);
    return () => observer.disconnect();
  }, [measure, systemRef, coreRef, gapRef, systemFields, coreFields]);
  const system: Column = { ...measures.system, rows: placesOf(systemFields) };
  const core: Column = { ...measures.core, rows: placesOf(coreFields) };
  return { system, core, width: measures.width, measure };
}
