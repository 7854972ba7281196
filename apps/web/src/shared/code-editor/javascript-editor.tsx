/** JavaScript in CodeMirror. Loaded when it is needed. */
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentUnit, StreamLanguage } from "@codemirror/language";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { type RefObject, useEffect } from "react";
import { cspNonce } from "../../app/nonce.ts";
import { insertOverSelection } from "./insert-over-selection.ts";
import { codeTheme } from "./code-theme.ts";
import { javascriptWords } from "./javascript-words.ts";
import { useCodeView } from "./use-code-view.ts";

export interface JavascriptEditorProps {
  value: string;
  label: string;
  readOnly: boolean;
  isInvalid: boolean;
  /** Ids of what is said about it. */
  describedBy: string;
  onChange: (value: string) => void;
  onBlur: () => void;
}

/** What changes in an editor that is there. */
const changing = new Compartment();

export function JavascriptEditor(props: JavascriptEditorProps) {
  const { host, view } = useCodeView(props, stateOf);
  const { label, readOnly, isInvalid, describedBy } = props;
  useEffect(() => {
    const effects = changing.reconfigure(attributes({ label, readOnly, isInvalid, describedBy }));
    view.current?.dispatch({ effects });
  }, [view, label, readOnly, isInvalid, describedBy]);
  return <div ref={host} className="ac-javascript" data-error={isInvalid || undefined} />;
}

type Attributes = Pick<JavascriptEditorProps, "label" | "readOnly" | "isInvalid" | "describedBy">;

const attributes = ({ label, readOnly, isInvalid, describedBy }: Attributes) => [
  EditorState.readOnly.of(readOnly),
  EditorView.editable.of(!readOnly),
  EditorView.contentAttributes.of({
    "aria-label": label,
    "aria-invalid": String(isInvalid),
    "aria-readonly": String(readOnly),
    spellcheck: "false",
    ...(describedBy === "" ? {} : { "aria-describedby": describedBy }),
    ...(readOnly ? { tabindex: "0" } : {}),
  }),
];

const stateOf = (latest: RefObject<JavascriptEditorProps>): EditorState =>
  EditorState.create({
    doc: latest.current.value,
    extensions: [
      EditorView.cspNonce.of(cspNonce()),
      lineNumbers(),
      highlightActiveLine(),
      history(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      insertOverSelection,
      indentUnit.of("  "),
      EditorView.lineWrapping,
      StreamLanguage.define(javascriptWords),
      // Tab is left to the page, so that nobody is caught in here.
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
      changing.of(attributes(latest.current)),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange(update.state.doc.toString());
        if (update.focusChanged && !update.view.hasFocus) latest.current.onBlur();
      }),
      codeTheme,
    ],
  });
