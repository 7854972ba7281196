/** Text typed over a selection is put in by the editor, not by the browser. Loaded with the editors. */
import { Prec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/**
 * The browser gives text that it puts in place of coloured words their colour, as a style in the element: the page's
 * content security policy forbids that, and the console says so each time. Brackets and what is offered go on as ever,
 * since the same handlers are asked. Compositions are left to the browser.
 */
export const insertOverSelection = Prec.lowest(
  EditorView.domEventHandlers({
    beforeinput(event, view) {
      const { data, inputType, isComposing } = event;
      const { ranges, main } = view.state.selection;
      if (inputType !== "insertText" || !data || isComposing || view.composing) return false;
      if (ranges.length !== 1 || main.empty || view.state.readOnly) return false;
      const insert = () =>
        view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
      const isHandled = view.state
        .facet(EditorView.inputHandler)
        .some((handle) => handle(view, main.from, main.to, data, insert));
      if (!isHandled) view.dispatch(insert());
      event.preventDefault();
      return true;
    },
  }),
);
