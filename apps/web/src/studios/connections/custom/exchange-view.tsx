/** Requests as they were sent, secrets masked, and what was answered. */
import type { SynapseExchange } from "@accord/contracts/connections/http-synapse-tests";
import { StatusTag } from "@accord/ui";
import { Code } from "@mantine/core";
import { memo } from "react";
import { useWords } from "../../../app/words.ts";
import { indentedJson } from "../../../shared/indented-json.ts";

interface ExchangeListProps {
  /** The first and the last, where there were many. */
  exchanges: readonly SynapseExchange[];
  /** How many there were. */
  count: number;
}

/** Drawn once for each answer: it stands beside inputs that are typed in. */
export const ExchangeList = memo(function ExchangeList({ exchanges, count }: ExchangeListProps) {
  const { t } = useWords("customSynapses");
  return (
    <>
      {count > exchanges.length ? (
        <p className="ac-form__lead">{t("trial.callsShown", { shown: exchanges.length, count })}</p>
      ) : null}
      {exchanges.map((exchange, at) => (
        <Exchange
          key={exchange.number}
          exchange={exchange}
          isOpen={at === exchanges.length - 1}
          isOneOfMany={count > 1}
        />
      ))}
    </>
  );
});

interface ExchangeProps {
  exchange: SynapseExchange;
  isOpen: boolean;
  isOneOfMany: boolean;
}

function Exchange({ exchange, isOpen, isOneOfMany }: ExchangeProps) {
  const { t } = useWords("customSynapses");
  return (
    <details className="ac-exchange" open={isOpen}>
      <summary>
        {isOneOfMany ? <span>{t("trial.call", { number: exchange.number })}</span> : null}
        <code>
          {exchange.request.method} {exchange.request.url}
        </code>
        <Status exchange={exchange} />
      </summary>
      <h4>{t("trial.request")}</h4>
      <Headers headers={exchange.request.headers} />
      {exchange.request.body ? <Body text={exchange.request.body} label={t("trial.request")} /> : null}
      <h4>{t("trial.answer")}</h4>
      {exchange.answer ? (
        <>
          <Headers headers={exchange.answer.headers} />
          <Body text={exchange.answer.body} label={t("trial.answer")} />
          {exchange.answer.isShortened ? <p className="ac-form__lead">{t("trial.shortened")}</p> : null}
        </>
      ) : (
        <p className="ac-form__lead">{t("trial.noAnswer")}</p>
      )}
    </details>
  );
}

function Status({ exchange: { answer, durationMs } }: { exchange: SynapseExchange }) {
  const { t } = useWords("customSynapses");
  if (!answer) return <StatusTag tone="error">{t("trial.none", { ms: durationMs })}</StatusTag>;
  const { status, bytes } = answer;
  return (
    <StatusTag tone={status < 300 ? "ok" : status < 400 ? "warn" : "error"}>
      {t("trial.status", { status, ms: durationMs, bytes })}
    </StatusTag>
  );
}

const Headers = ({ headers }: { headers: readonly { name: string; value: string }[] }) => (
  <dl className="ac-exchange__headers">
    {headers.map(({ name, value }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** JSON is laid out; anything else stands as it came. */
function Body({ text, label }: { text: string; label: string }) {
  return (
    <Code block className="ac-http__raw" tabIndex={0} aria-label={label}>
      {indentedJson(text)}
    </Code>
  );
}
