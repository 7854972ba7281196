/** Facts about one object: names left, values right. */
import type { ReactNode } from "react";
import "./key-value.css";

export interface Fact {
  key: string;
  value: ReactNode;
  /** Small explanation under the name. */
  hint?: string;
}

export function KeyValueList({
  facts,
  stacked = false,
}: {
  facts: readonly (Fact | undefined | false)[];
  stacked?: boolean;
}) {
  return (
    <dl className="ac-facts" data-stacked={stacked || undefined}>
      {facts.map((fact) =>
        fact ? (
          <div key={fact.key}>
            <dt>
              {fact.key}
              {fact.hint ? <small>{fact.hint}</small> : null}
            </dt>
            <dd>{fact.value ?? <span className="ac-facts__none">–</span>}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
