/** One column of the mapper: fields with types and values, searched, gone through with the arrows. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import { SearchBox } from "@accord/ui";
import { memo, type RefObject } from "react";
import { useWords } from "../../../../app/words.ts";
import { useTypeWords } from "../../../../shared/words/type-words.ts";
import { nameOf, type Side } from "./use-drawing.ts";

interface Props {
  side: Side;
  title: string;
  fields: readonly FieldSchema[];
  text: string;
  /** The field that Tab leads to, and whose lines are shown. */
  current: string | undefined;
  /** What a line is being drawn from. */
  picked: string | undefined;
  /** What each field is mapped to, in words. */
  mapped: ReadonlyMap<string, string>;
  samples: ReadonlyMap<string, string>;
  listRef: RefObject<HTMLDivElement | null>;
  onText: (text: string) => void;
  onScroll: () => void;
}

export function FieldColumn(props: Props) {
  const { t } = useWords("sync");
  const { side, title, fields, text, current, picked, mapped, samples, listRef } = props;
  const reached = fields.some(({ apiName }) => apiName === current) ? current : fields[0]?.apiName;
  return (
    <section className="ac-mapper__column" data-side={side} aria-label={title}>
      <header>
        <h3>{title}</h3>
        <SearchBox value={text} onChange={props.onText} placeholder={t("mapper.search", { column: title })} />
      </header>
      <div ref={listRef} className="ac-mapper__list" role="listbox" aria-label={title} onScroll={props.onScroll}>
        {fields.map((field) => (
          <FieldRow
            key={field.apiName}
            side={side}
            field={field}
            isReached={field.apiName === reached}
            isCurrent={field.apiName === current}
            isPicked={field.apiName === picked}
            mappedTo={mapped.get(field.apiName)}
            sample={samples.get(field.apiName)}
          />
        ))}
      </div>
      {fields.length === 0 ? <p className="ac-mapper__none">{t("mapper.noField", { text })}</p> : null}
    </section>
  );
}

interface RowProps {
  side: Side;
  field: FieldSchema;
  isReached: boolean;
  isCurrent: boolean;
  isPicked: boolean;
  mappedTo: string | undefined;
  sample: string | undefined;
}

/** Drawn again only where something of it changed: there may be hundreds. Keys and presses are handled by the board. */
const FieldRow = memo(function FieldRow(props: RowProps) {
  const { t } = useWords("sync");
  const typeWord = useTypeWords();
  const { field, side, isReached, isCurrent, isPicked, mappedTo, sample } = props;
  const isWritten = !field.calculated && (field.updateable || field.initializable);
  const marks = [
    field.status !== "ACTIVE" && t("mapper.gone"),
    field.isIdField && t("mapper.key"),
    field.unique && !field.isIdField && t("mapper.unique"),
    side === "system" && !field.nillable && !field.isIdField && t("mapper.required"),
    side === "system" && !isWritten && t("mapper.readOnly"),
  ].filter((mark) => mark !== false);
  return (
    <div
      role="option"
      className="ac-mapper__field"
      data-field={field.apiName}
      data-current={isCurrent || undefined}
      data-picked={isPicked || undefined}
      data-mapped={mappedTo !== undefined || undefined}
      aria-selected={isPicked}
      tabIndex={isReached ? 0 : -1}
    >
      <span className="ac-mapper__name">
        <strong>{nameOf(field, field.apiName)}</strong>
        <small>{typeWord(field.dataType)}</small>
        {marks.map((mark) => (
          <em key={mark}>{mark}</em>
        ))}
      </span>
      <span className="ac-mapper__sample" title={sample}>
        {sample || field.apiName}
      </span>
      <span className="ac-mapper__hidden">{mappedTo ?? t("mapper.noLine")}</span>
      <span className="ac-mapper__dot" aria-hidden />
    </div>
  );
});
