/** Where the focus goes when a form can't be sent. */

/** Focuses the first input that is marked as wrong, once it is drawn, so that nobody has to look for it. */
export function focusFirstProblem(form: HTMLElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>("[aria-invalid=true], [data-error] input")?.focus());
}
