/** The list of tokens at the caret: by node, with type and the value that each has for the record that is tried. */
import { Popover } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useWords } from "../../app/words.ts";
import { useTokenSamples } from "./token-samples.tsx";
import { sampleText, type PickableToken } from "./token-text.model.ts";
import type { Completion } from "./use-token-completion.ts";

interface TokenListProps {
  completion: Completion;
  label: string;
  /** Nothing is offered at all. */
  isEmpty: boolean;
}

/** Stands in the text where the token will be. */
export function TokenList({ completion, label, isEmpty }: TokenListProps) {
  const { t } = useWords("builder");
  const { sections, active, listId, optionId } = completion;
  const starts = sections.map((_, index) =>
    sections.slice(0, index).reduce((count, section) => count + section.tokens.length, 0),
  );
  return (
    <Popover
      opened
      position="bottom-start"
      width={360}
      trapFocus={false}
      returnFocus={false}
      withRoles={false}
      middlewares={{ shift: true, flip: { crossAxis: false } }}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Popover.Target>
        <span className="ac-token-text__place" />
      </Popover.Target>
      <Popover.Dropdown p={0}>
        {/* A press leaves the focus in the text. */}
        <div className="ac-tokens" onMouseDown={(event) => event.preventDefault()} role="presentation">
          <div className="ac-tokens__list" role="listbox" id={listId} aria-label={`${t("token.insert")}: ${label}`}>
            {sections.map(({ title, tokens }, at) => (
              <div key={title} role="group" aria-label={title}>
                <h4 aria-hidden>{title}</h4>
                {tokens.map((token, index) => (
                  <TokenOption
                    key={token.token}
                    id={optionId((starts[at] ?? 0) + index)}
                    token={token}
                    isActive={active === (starts[at] ?? 0) + index}
                    onPick={() => completion.pick(token)}
                    onPoint={() => completion.setActive((starts[at] ?? 0) + index)}
                  />
                ))}
              </div>
            ))}
          </div>
          {sections.length === 0 ? <p role="status">{t(isEmpty ? "token.noneYet" : "token.none")}</p> : null}
          <footer>
            {completion.isCut ? `${t("token.more")} · ` : null}
            {t("token.keys")}
          </footer>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

interface TokenOptionProps {
  id: string;
  token: PickableToken;
  isActive: boolean;
  onPick: () => void;
  onPoint: () => void;
}

function TokenOption({ id, token, isActive, onPick, onPoint }: TokenOptionProps) {
  const { t } = useWords("builder");
  const option = useRef<HTMLDivElement>(null);
  const value = useTokenSamples()?.sampleOf(token.token);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className="ac-tokens__token"
      onClick={onPick}
      onMouseMove={onPoint}
    >
      <span className="ac-tokens__name">{token.shortLabel}</span>
      <small>{token.datatype}</small>
      <code>{token.token}</code>
      {value === undefined ? null : (
        <span className="ac-tokens__sample">
          {value === null || value === "" ? t("token.sampleEmpty") : sampleText(value)}
        </span>
      )}
    </div>
  );
}
