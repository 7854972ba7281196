/** The text of a statement in CodeMirror: completion, problems at their place, running by keys. Loaded when it is needed. */
import { autocompletion, type CompletionContext, completionKeymap, closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { PostgreSQL, sql } from "@codemirror/lang-sql";
import { bracketMatching } from "@codemirror/language";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import type { SqlProblem } from "@accord/contracts/insights/dataset-sql";
import { type RefObject, useEffect } from "react";
import { cspNonce } from "../../../app/nonce.ts";
import { insertOverSelection } from "../../../shared/code-editor/insert-over-selection.ts";
import { codeTheme } from "../../../shared/code-editor/code-theme.ts";
import { useCodeView } from "../../../shared/code-editor/use-code-view.ts";
import { completionsAt, type SqlVocabulary } from "./completions.ts";

/** What is done with the editor from around it. */
export interface CodeActions {
  /** Writes at the cursor. */
  insert: (text: string) => void;
  /** Puts the cursor there. */
  goTo: (at: number) => void;
}

export interface CodeEditorProps {
  value: string;
  onChange: (value: string) => void;
  onRun: () => void;
  label: string;
  hint: string;
  vocabulary: SqlVocabulary;
  problems: readonly SqlProblem[];
  actions: RefObject<CodeActions | null>;
  /** Where the cursor was asked for before the editor was there. */
  startAt: RefObject<number | null>;
}

export function CodeEditor(props: CodeEditorProps) {
  const { host, view } = useCodeView(props, stateOf, attachActions);
  const { problems } = props;
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const end = editor.state.doc.length;
    const diagnostics = problems.map(({ from, to, message }) => ({
      ...{ from: Math.min(from, end), to: Math.min(Math.max(from, to), end), message },
      severity: "error" as const,
    }));
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [view, problems]);
  return <div ref={host} className="ac-code" />;
}

function attachActions(editor: EditorView, { actions, startAt }: CodeEditorProps): () => void {
  actions.current = actionsOf(editor);
  if (startAt.current !== null) actions.current.goTo(startAt.current);
  startAt.current = null;
  return () => {
    actions.current = null;
  };
}

const stateOf = (latest: RefObject<CodeEditorProps>): EditorState => {
  const { value, label, hint } = latest.current;
  const run = (): boolean => {
    latest.current.onRun();
    return true;
  };
  return EditorState.create({
    doc: value,
    extensions: [
      EditorView.cspNonce.of(cspNonce()),
      Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
      lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      history(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      insertOverSelection,
      EditorView.lineWrapping,
      sql({ dialect: PostgreSQL }),
      autocompletion({ override: [(context) => offered(context, latest.current.vocabulary)] }),
      // Tab is left to the page, so that nobody is caught in here.
      keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
      placeholder(hint),
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange(update.state.doc.toString());
      }),
      codeTheme,
    ],
  });
};

function offered(context: CompletionContext, vocabulary: SqlVocabulary) {
  const found = completionsAt(context.state.doc.toString(), context.pos, vocabulary, context.explicit);
  return found && { ...found, validFor: /^[\w"{}]*$/ };
}

const actionsOf = (editor: EditorView): CodeActions => ({
  insert(text) {
    editor.dispatch(editor.state.replaceSelection(text), { scrollIntoView: true });
    editor.focus();
  },
  goTo(at) {
    const anchor = Math.min(at, editor.state.doc.length);
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    editor.focus();
  },
});
