/** A CodeMirror view in an element: made once, its text follows `value`. Loaded with the editors. */
import type { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type RefObject, useEffect, useRef } from "react";

/**
 * `latest`: the props as they are now, for what the view calls later. `attach` hands the view to others once it is made, and
 * answers how they let go of it.
 */
export function useCodeView<Props extends { value: string }>(
  props: Props,
  stateOf: (latest: RefObject<Props>) => EditorState,
  attach?: (editor: EditorView, props: Props) => () => void,
) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const editor = new EditorView({ parent, state: stateOf(latest) });
    view.current = editor;
    const detach = attach?.(editor, latest.current);
    return () => {
      editor.destroy();
      view.current = null;
      detach?.();
    };
  }, [stateOf, attach]);
  const { value } = props;
  useEffect(() => {
    const editor = view.current;
    const text = editor?.state.doc.toString();
    if (editor && text !== value) editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return { host, view };
}
