/** Offers the records behind a mark of a card, as a dialog where the mark is; or says why they can't be listed. */
import type { CardMark, MarkRecords } from "@accord/contracts/insights/mark-records";
import type { MarkTarget } from "@accord/cards/views";
import { formatNumber } from "@accord/cards/definitions";
import { ErrorBox } from "@accord/ui";
import { CloseButton, Popover, Portal } from "@mantine/core";
import { type UndefinedInitialDataOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useRef } from "react";
import { wordsOf } from "../../../app/api-error.ts";
import { useWords } from "../../../app/words.ts";

/** Asks for the records behind a mark, with the values that the card's variables have where it is shown. */
export type RecordsOf = (mark: CardMark) => UndefinedInitialDataOptions<MarkRecords, Error>;

export interface ChosenMark extends MarkTarget {
  at: { x: number; y: number; height: number };
  /** What had the focus, and gets it back. */
  from: Element | null;
}

export function MarkRecordsOffer({
  chosen,
  recordsOf,
  onClose,
}: {
  chosen: ChosenMark;
  recordsOf: RecordsOf;
  onClose: () => void;
}) {
  const { t } = useWords("insights");
  const title = useId();
  const { x, y, height } = chosen.at;
  const dialog = useRef<HTMLDivElement>(null);
  const close = (): void => {
    const hasFocus = dialog.current?.contains(document.activeElement) ?? false;
    onClose();
    if (hasFocus && chosen.from instanceof HTMLElement) chosen.from.focus();
  };
  return (
    // Inside a card that can be dragged, fixed positions are relative to the card instead of the screen.
    <Portal>
      <Popover opened onChange={(opened) => !opened && close()} trapFocus withArrow withRoles={false}>
        <Popover.Target>
          <span className="ac-mark-place" style={{ left: x, top: y, height }} />
        </Popover.Target>
        <Popover.Dropdown ref={dialog} className="ac-mark-offer" role="dialog" aria-labelledby={title}>
          <div className="ac-mark-offer__head">
            <strong id={title}>{chosen.label}</strong>
            <CloseButton size="sm" aria-label={t("records.close")} onClick={close} />
          </div>
          <Found query={recordsOf(chosen.mark)} />
        </Popover.Dropdown>
      </Popover>
    </Portal>
  );
}

/** What was found can be followed by Enter at once. */
const takeFocus = (link: HTMLAnchorElement | null): void => link?.focus();

function Found({ query: options }: { query: ReturnType<RecordsOf> }) {
  const { t } = useWords("insights");
  const query = useQuery({ ...options, retry: false });
  if (query.isError) return <ErrorBox message={wordsOf(query.error)} />;
  if (!query.data) return <p aria-busy="true">{t("records.searching")}</p>;
  const found = query.data;
  if (found.kind === "none") return <p role="status">{t(`noRecords.${found.reason}`, { name: found.name })}</p>;
  if (found.count === 0) return <p role="status">{t("records.none")}</p>;
  return (
    <Link
      ref={takeFocus}
      className="ac-mark-offer__link"
      to="/data-studio/entity/$entityId"
      params={{ entityId: found.entityId }}
      search={found.predicate === null ? {} : { where: JSON.stringify(found.predicate) }}
    >
      {t("records.show", { count: found.count, number: formatNumber(found.count) })}
    </Link>
  );
}
