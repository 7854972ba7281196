/** The types of chart, as a group of radios. */
import { VIZ_TYPES, type VizType } from "@accord/contracts/insights/cards";
import { type KeyboardEvent, useRef } from "react";
import { useWords } from "../../../app/words.ts";
import { CardIcon } from "../cards/card-icon.tsx";

/** The arrow keys move through the types and choose, as in any group of radios. */
export function TypeChoice({
  chosen,
  onChoose,
}: {
  /** Undefined before the first choice. */
  chosen: VizType | undefined;
  onChoose: (type: VizType) => void;
}) {
  const { t } = useWords("insights");
  const group = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent, at: number): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (at + step + VIZ_TYPES.length) % VIZ_TYPES.length;
    const type = VIZ_TYPES[next];
    if (type) onChoose(type);
    group.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div ref={group} className="ac-card-types" role="radiogroup" aria-label={t("wizard.vizType")}>
      {VIZ_TYPES.map((type, at) => (
        <button
          key={type}
          type="button"
          role="radio"
          aria-checked={chosen === type}
          tabIndex={type === (chosen ?? VIZ_TYPES[0]) ? 0 : -1}
          title={t(`cardType.${type}.help`)}
          onClick={() => onChoose(type)}
          onKeyDown={(event) => move(event, at)}
        >
          <CardIcon type={type} size={20} />
          {t(`cardType.${type}.name`)}
        </button>
      ))}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
