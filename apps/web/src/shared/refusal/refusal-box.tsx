/** A refused or failed call in place: what happened, why, which field, and what to do. */
import { ErrorBox, type ErrorBoxProps } from "@accord/ui";
import { explain } from "../../app/api-error.ts";
import { useWords } from "../../app/words.ts";
import "./refusal-box.css";

export interface RefusalBoxProps extends Pick<ErrorBoxProps, "tone" | "title" | "actions" | "onRetry"> {
  error: unknown;
  /** What follows from it here, below the reasons. */
  children?: ErrorBoxProps["message"];
}

/** `title`: says what was tried; without it the refusal's own words come first. */
export function RefusalBox({ error, title, children, ...rest }: RefusalBoxProps) {
  const { t } = useWords();
  const said = explain(error);
  const hasReasons = said.reasons.length > 0 || Boolean(children);
  return (
    <ErrorBox
      {...rest}
      {...(title ? { title } : hasReasons ? { title: said.title } : {})}
      message={
        hasReasons ? (
          <>
            {title ? <p className="ac-refusal__line">{said.title}</p> : null}
            {said.reasons.map((reason) => (
              <p key={reason} className="ac-refusal__line">
                {reason}
              </p>
            ))}
            {children}
          </>
        ) : (
          said.title
        )
      }
      requestId={said.requestId}
      requestLabel={t("error.requestLabel")}
    />
  );
}
