/** Mails the product writes. `{{name}}` is filled in. Plain text first: it is what every mail program shows. */
export const mails = {
  /** In the outbox, in the place of what lets somebody in. */
  hidden: {
    link: "[one-time link: only in the mail itself]",
    code: "[code: only in the mail itself]",
    text: "[hidden: it may hold values of password fields]",
  },
  invitation: {
    subject: "{{inviter}} invites you to Accord",
    text: `Hello {{firstName}},

{{inviter}} invites you to work with them in Accord.

Set your password here, then sign in. If you work in Accord with this address already, enter the password that you have: both then belong together.
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
  oneTimeLink: {
    subject: "An administrator made a sign-in link for you",
    text: `Hello {{firstName}},

{{administrator}} made a one-time link to set a new password for your account, to hand it over to you. It works for {{minutes}} minutes.

If you did not ask for it, talk to them: whoever has the link can sign in as you.`,
  },
  wrongPasswords: {
    subject: "Wrong passwords for your Accord account",
    text: `Hello {{firstName}},

somebody entered ten wrong passwords for your account within an hour, the last one from the address {{address}}. Nobody got in, and your account is not locked: further attempts are slowed down.

If it was you, set a new password here:
{{link}}

If it wasn't you, nothing needs to be done as long as your password is hard to guess and used nowhere else. You get this mail once a day at most.`,
  },
} as const;
