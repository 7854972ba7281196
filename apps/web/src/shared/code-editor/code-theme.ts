/** Colours of code in editors, all of them tokens: they follow the colour scheme. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const theme = EditorView.theme({
  "&": { fontSize: "13px", color: "var(--ac-text)", backgroundColor: "var(--ac-surface)" },
  "&.cm-focused": { outline: "2px solid var(--ac-brand)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--ac-mono)", lineHeight: "1.55", minHeight: "180px", maxHeight: "52vh" },
  ".cm-content": { caretColor: "var(--ac-text)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ac-text)" },
  ".cm-gutters": {
    color: "var(--ac-text-3)",
    backgroundColor: "var(--ac-raised)",
    borderRight: "1px solid var(--ac-hairline)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--ac-row-hover)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--ac-info-soft)",
  },
  ".cm-placeholder": { color: "var(--ac-text-3)" },
  ".cm-tooltip": {
    color: "var(--ac-text)",
    backgroundColor: "var(--ac-surface)",
    border: "1px solid var(--ac-hairline)",
    borderRadius: "8px",
    boxShadow: "var(--ac-shadow-pop)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--ac-mono)", fontSize: "12px", maxHeight: "260px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--ac-text)", backgroundColor: "var(--ac-brand-soft)" },
  ".cm-completionDetail": { color: "var(--ac-text-3)", fontStyle: "normal" },
  ".cm-completionInfo": { padding: "8px 10px", fontFamily: "var(--ac-font)", fontSize: "12px" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--ac-error)" },
  ".cm-diagnostic": { padding: "6px 10px", fontFamily: "var(--ac-font)", fontSize: "12px" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--ac-error)",
    textUnderlineOffset: "3px",
  },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--ac-brand)", fontWeight: "620" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--ac-ok)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--ac-info)" },
  { tag: [tags.lineComment, tags.blockComment], color: "var(--ac-text-3)", fontStyle: "italic" },
  { tag: [tags.typeName, tags.standard(tags.name)], color: "var(--ac-ember)" },
]);

export const codeTheme = [theme, syntaxHighlighting(colours)];
