/** One value as its type deserves: numbers aligned, choices as tags, references and addresses as links. */
import type { CoreField } from "@accord/contracts/data/entities";
import type { Value } from "@accord/contracts/data/values";
import { IconCheck, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { isEmpty, textOf, type References } from "../value.model.ts";
import "./value-view.css";
import "../../../shared/text/text.css";

export interface ValueViewProps {
  field: CoreField;
  value: Value | undefined;
  references: References;
  /** In a table: one line, no links that would catch a press on the row. */
  compact?: boolean;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const WEB = /^https?:\/\/[^\s]+$/i;

export function ValueView({ field, value, references, compact = false }: ValueViewProps) {
  if (isEmpty(value))
    return (
      <span className="ac-value" data-empty aria-label="empty">
        –
      </span>
    );
  if (Array.isArray(value))
    return (
      <span className="ac-value ac-value__list" data-compact={compact || undefined}>
        {value.map((item, index) => (
          <span key={index} className="ac-value__chip">
            {textOf(field, item, references)}
          </span>
        ))}
      </span>
    );
  const text = textOf(field, value, references);
  switch (field.dataType) {
    case "boolean":
      return (
        <span className="ac-value ac-value__flag" data-on={value === true || undefined}>
          {value === true ? <IconCheck size={14} aria-hidden /> : <IconX size={14} aria-hidden />}
          {text}
        </span>
      );
    case "picklist":
      return <span className="ac-value ac-value__chip">{text}</span>;
    case "reference": {
      const target = references[String(value)];
      if (!target) return <span className="ac-value ac-value__code">{text}</span>;
      return (
        <Link
          className="ac-value ac-link"
          to="/data-studio/entity/$entityId/record/$recordId/fields"
          params={{ entityId: target.entityId, recordId: String(value) }}
        >
          {text}
        </Link>
      );
    }
    case "object":
    case "child":
    case "complex":
      return compact ? (
        <span className="ac-value ac-value__code">{text}</span>
      ) : (
        <pre className="ac-value ac-value__json">{JSON.stringify(value, null, 2)}</pre>
      );
    case "string":
      return <TextView text={text} compact={compact} />;
    default:
      return (
        <span className="ac-value" title={compact ? text : undefined}>
          {text}
        </span>
      );
  }
}

function TextView({ text, compact }: { text: string; compact: boolean }) {
  if (!compact && EMAIL.test(text))
    return (
      <a className="ac-value ac-link" href={`mailto:${text}`}>
        {text}
      </a>
    );
  if (!compact && WEB.test(text))
    return (
      <a className="ac-value ac-link" href={text} target="_blank" rel="noreferrer noopener">
        {text}
      </a>
    );
  return (
    <span className="ac-value" data-lines={!compact || undefined} title={compact ? text : undefined}>
      {text}
    </span>
  );
}
