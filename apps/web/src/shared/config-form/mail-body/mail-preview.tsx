/** How the body of a mail reads, with the values of the record that is tried. Built element by element: nothing of it runs or is fetched. */
import { createElement, useMemo, type ReactNode } from "react";
import { withLineBreaks } from "@accord/contracts/sync/mail-body";
import { readTemplate, textOf } from "@accord/expressions";
import { useWords } from "../../../app/words.ts";
import { useTokenSamples } from "../../token-picker/token-samples.tsx";
import type { SampleOf } from "../../token-picker/token-text.model.ts";

const SHOWN = new Set(
  "a b blockquote br code div em h1 h2 h3 h4 h5 h6 hr i li ol p pre s small span strong sub sup table tbody td th thead tr u ul".split(
    " ",
  ),
);
const DROPPED = new Set(["script", "style", "head", "title", "template", "iframe", "object"]);

interface MailPreviewProps {
  text: string;
  isFormatted: boolean;
}

export function MailPreview({ text, isFormatted }: MailPreviewProps) {
  const { t } = useWords("builder");
  const samples = useTokenSamples();
  const sampleOf = samples?.sampleOf;
  const shown = useMemo(
    () => (isFormatted ? elementsOf(withLineBreaks(text), sampleOf) : filled(text, sampleOf)),
    [text, isFormatted, sampleOf],
  );
  return (
    <>
      <div
        className="ac-mail__page"
        data-plain={!isFormatted || undefined}
        role="document"
        aria-label={t("mail.preview")}
      >
        {text.trim() === "" ? <em>{t("mail.blank")}</em> : shown}
      </div>
      <p className="ac-mail__note">
        {samples ? t("mail.with", { record: samples.record }) : t("mail.withNone")}{" "}
        {isFormatted && /<img\b|\sstyle\s*=|<style\b/i.test(text) ? t("mail.simplified") : null}
      </p>
    </>
  );
}

/** What a token brings is text, never markup. */
function filled(text: string, sampleOf: SampleOf | undefined): ReactNode[] {
  return readTemplate(text).map((part, index) => {
    if ("text" in part) return part.text;
    const value = sampleOf?.(part.token);
    return value === undefined ? <mark key={index}>{`{{${part.token}}}`}</mark> : textOf(value);
  });
}

function elementsOf(html: string, sampleOf: SampleOf | undefined): ReactNode[] {
  // A document of its own, which fetches and runs nothing. Styles go before: the page's policy would report each.
  const inert = html.replaceAll(/\sstyle\s*=/gi, " data-style=");
  return childrenOf(new DOMParser().parseFromString(inert, "text/html").body, sampleOf);
}

const childrenOf = (parent: Node, sampleOf: SampleOf | undefined): ReactNode[] =>
  [...parent.childNodes].map((child, index) => elementOf(child, index, sampleOf));

function elementOf(node: Node, key: number, sampleOf: SampleOf | undefined): ReactNode {
  if (node.nodeType === Node.TEXT_NODE)
    return createElement("span", { key }, ...filled(node.textContent ?? "", sampleOf));
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  if (DROPPED.has(name)) return null;
  if (name === "img") return createElement("span", { key }, `[${node.getAttribute("alt") ?? ""}]`);
  const children = childrenOf(node, sampleOf);
  if (!SHOWN.has(name)) return createElement("span", { key }, ...children);
  // Links lead nowhere from here; where they will lead is their tooltip.
  return createElement(name, { key, title: node.getAttribute("href") ?? undefined }, ...(isVoid(name) ? [] : children));
}

const isVoid = (name: string): boolean => name === "br" || name === "hr";
