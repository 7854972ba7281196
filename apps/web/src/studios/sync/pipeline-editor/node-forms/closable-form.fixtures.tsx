/** The form of a graph's first node with a button that closes and opens it: for tests of what stays as it was typed. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { changeNode } from "@accord/sync-engine/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { page } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { ENTITY } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider, useEditor, useEditorStore } from "../editor-context.tsx";
import type { EditorStore } from "../editor.model.ts";
import type { NodeFormProps } from "./node-form-props.ts";

type Form = (props: NodeFormProps, node: GraphNode) => ReactNode;

function ClosableForm({ form }: { form: Form }) {
  const store = useEditorStore();
  const node = useEditor((state) => state.graph.nodes[0]);
  const [isOpen, setOpen] = useState(true);
  if (!node) return null;
  const props: NodeFormProps = {
    entityId: ENTITY,
    node,
    configuration: node.configuration,
    readOnly: false,
    onChange: (configuration, about) =>
      store.getState().edit((graph) => changeNode(graph, node.id, { configuration }), about?.field),
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        Open or close
      </button>
      {isOpen ? form(props, node) : null}
    </>
  );
}

export function showForm(store: EditorStore, form: Form): void {
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <ClosableForm form={form} />
      </EditorProvider>
    </QueryClientProvider>,
  );
}

export async function reopen(): Promise<void> {
  const openOrClose = page.getByRole("button", { name: "Open or close" });
  await openOrClose.click();
  await openOrClose.click();
}
