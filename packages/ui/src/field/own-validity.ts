/** What a browser finds wrong with a form, said in the form itself and in our words, instead of in the browser's bubble. */

/** `{{label}}` is replaced by the field's label. */
export interface ValidityWords {
  missing: string;
  notAnEmail: string;
  notAnAddress: string;
  tooShort: string;
  notANumber: string;
  wrong: string;
}

export const ENGLISH_VALIDITY: ValidityWords = {
  missing: "{{label}} is needed.",
  notAnEmail: "{{label}} is no e-mail address: it looks like name@company.com.",
  notAnAddress: "{{label}} is no web address: it starts with https://.",
  tooShort: "{{label}} is too short.",
  notANumber: "{{label}} is not a number.",
  wrong: "{{label}} can't be used like this.",
};

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isControl = (target: EventTarget | null): target is Control =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

/** The label without its asterisk. */
const labelOf = (control: Control): string =>
  (control.labels?.[0]?.textContent ?? control.getAttribute("aria-label") ?? control.name).replace(/\s*\*\s*$/, "");

function problemOf(control: Control, words: ValidityWords): string {
  const { validity } = control;
  if (validity.valueMissing) return words.missing;
  if (validity.typeMismatch) return control.type === "email" ? words.notAnEmail : words.notAnAddress;
  if (validity.tooShort) return words.tooShort;
  return validity.badInput ? words.notANumber : words.wrong;
}

/** Puts the words below the control until it is changed. */
function say(control: Control, text: string): void {
  const place = control.closest(".mantine-InputWrapper-root") ?? control.parentElement;
  if (!place || place.querySelector(":scope > .ac-invalid, :scope > .mantine-InputWrapper-error")) return;
  const note = document.createElement("p");
  note.className = "ac-invalid mantine-InputWrapper-error";
  note.id = `${control.id}-invalid`;
  note.textContent = text;
  place.append(note);
  const described = control.getAttribute("aria-describedby");
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", [described, note.id].filter(Boolean).join(" "));
  const clear = () => {
    note.remove();
    control.removeAttribute("aria-invalid");
    if (described === null) control.removeAttribute("aria-describedby");
    else control.setAttribute("aria-describedby", described);
  };
  control.addEventListener("input", clear, { once: true });
}

/** Listens on the whole page, from now on until the function it returns is called. */
export function applyCustomValidity(words: ValidityWords = ENGLISH_VALIDITY): () => void {
  const onInvalid = (event: Event) => {
    if (!isControl(event.target)) return;
    event.preventDefault();
    const control = event.target;
    say(control, problemOf(control, words).replace("{{label}}", labelOf(control)));
    // The browser tells the first field first; the focus goes there, as it would have.
    if (control.form?.querySelector(":invalid:is(input, textarea, select)") === control) control.focus();
  };
  document.addEventListener("invalid", onInvalid, true);
  return () => document.removeEventListener("invalid", onInvalid, true);
}
