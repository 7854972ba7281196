/** Mails the product writes. `{{name}}` is filled in. Plain text first: it is what every mail program shows. */
export const mails = {
  invitation: {
    subject: "{{inviter}} invites you to Accord",
    text: `Hello {{firstName}},

{{inviter}} invites you to work with them in Accord.

Set your password here, then sign in:
{{link}}

The link works once, for {{days}} days. If you did not expect this mail, you can ignore it.`,
  },
  passwordReset: {
    subject: "Set a new password for Accord",
    text: `Hello {{firstName}},

somebody, hopefully you, asked for a new password. Set it here:
{{link}}

The link works once, for {{minutes}} minutes. If it wasn't you, ignore this mail: your password stays as it is.`,
  },
} as const;
