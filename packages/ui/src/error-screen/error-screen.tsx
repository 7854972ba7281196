/** A whole page that says what went wrong and offers the way on. */
import type { ReactNode } from "react";
import "./error-screen.css";

export interface ErrorScreenProps {
  title: string;
  body: ReactNode;
  /** Big number above the title: "404". */
  code?: string;
  actions: ReactNode;
  /** Technical text in a fold. */
  details?: string;
  detailsLabel?: string;
  /** What to quote to support. */
  reference?: ReactNode;
}

export function ErrorScreen({ title, body, code, actions, details, detailsLabel, reference }: ErrorScreenProps) {
  return (
    <main className="ac-error-screen">
      <div className="ac-error-screen__box">
        {code ? <p className="ac-error-screen__code">{code}</p> : null}
        <h1 className="ac-error-screen__title">{title}</h1>
        <p className="ac-error-screen__body">{body}</p>
        <div className="ac-error-screen__actions">{actions}</div>
        {details ? (
          <details className="ac-error-screen__details">
            <summary>{detailsLabel}</summary>
            <pre>{details}</pre>
          </details>
        ) : null}
        {reference ? <div className="ac-error-screen__reference">{reference}</div> : null}
      </div>
    </main>
  );
}
