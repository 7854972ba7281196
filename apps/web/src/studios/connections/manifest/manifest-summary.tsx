/** What a manifest is made of: how many of its streams run, why the others can't, and its component types. */
import type { ManifestFacts } from "@accord/contracts/connections/manifest-facts";
import { Card, StatusTag } from "@accord/ui";
import { UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { useWords } from "../../../app/words.ts";
import "./manifest-summary.css";

/** Streams that are named with their problems; a manifest may have hundreds. */
const SHOWN_STREAMS = 20;

export function ManifestSummary({ facts }: { facts: ManifestFacts }) {
  const { t } = useWords("manifests");
  const { streams, types, description, licence, version } = facts;
  const failing = streams.filter(({ problems }) => problems.length > 0);
  const running = streams.length - failing.length;
  const origin = [
    licence === null ? null : t("licence", { licence }),
    version === null ? null : t("format", { version }),
  ].filter((part) => part !== null);
  return (
    <Card className="ac-manifest">
      <p className="ac-manifest__head" role="status">
        <StatusTag tone={failing.length === 0 ? "ok" : running > 0 ? "warn" : "error"}>
          {t("running", { running, count: streams.length })}
        </StatusTag>
        {origin.length > 0 ? <span>{origin.join(" · ")}</span> : null}
      </p>
      {description ? <p className="ac-manifest__description">{description}</p> : null}
      {failing.length > 0 ? (
        <ul className="ac-manifest__problems" aria-label={t("problems")}>
          {failing.slice(0, SHOWN_STREAMS).map(({ name, problems }) => (
            <li key={name}>{problems.join(" ")}</li>
          ))}
          {failing.length > SHOWN_STREAMS ? (
            <li>{t("moreStreams", { count: failing.length - SHOWN_STREAMS })}</li>
          ) : null}
        </ul>
      ) : null}
      <TypeTable types={types} />
    </Card>
  );
}

function TypeTable({ types }: Pick<ManifestFacts, "types">) {
  const { t } = useWords("manifests");
  const [isOpen, setOpen] = useState(false);
  const supportWords = (isSupported: boolean, streams: readonly string[]): string => {
    if (isSupported) return t("supported");
    return streams.length > 0 ? t("neededBy", { streams: streams.join(", ") }) : t("neededByManifest");
  };
  const missing = types.filter(({ isSupported }) => !isSupported).length;
  return (
    <section>
      <UnstyledButton className="ac-config__title" aria-expanded={isOpen} onClick={() => setOpen((old) => !old)}>
        <IconChevronRight size={14} aria-hidden />
        {t("types", { count: types.length })}
        {missing > 0 ? ` · ${t("missingTypes", { count: missing })}` : ""}
      </UnstyledButton>
      {isOpen ? (
        // Focusable, so that it can be scrolled with the keyboard.
        <div className="ac-manifest__types" role="region" aria-label={t("types", { count: types.length })} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("type")}</th>
                <th scope="col">{t("used")}</th>
                <th scope="col">{t("support")}</th>
              </tr>
            </thead>
            <tbody>
              {types.map(({ type, count, isSupported, streams }) => (
                <tr key={type}>
                  <td>{type}</td>
                  <td>{count}</td>
                  <td>{supportWords(isSupported, streams)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </section>
  );
}
