/** Words of signing in at a connected system by OAuth 2: the settings, the sign-in itself, and the page a person comes back to. */
export const systemSignIn = {
  redirect: {
    label: "Redirect address of this synapse",
    lead: "Enter it in the system, in the settings of the app whose client id you use. It has to be exactly this one.",
    copy: "Copy address",
    copied: "Copied",
    moving:
      "These settings sign in at another system than the saved ones. Once they are saved, the synapse has another redirect address: enter that one in the app.",
    shared:
      "Other synapses share this address, as all did in earlier versions: the answer of one system could be taken for another's. With an address of its own, what was granted goes on; before the next sign-in, the new address has to be entered in the app.",
    own: "Use an address of its own",
    ownDone: "The synapse has a redirect address of its own. Enter it in the app before the next sign-in.",
    elsewhere: "Open Accord at {{origin}} to sign in: that is where the system sends you back to.",
  },
  action: {
    signIn: "Sign in at {{host}}",
    again: "Sign in again at {{host}}",
    saveFirst: "Save and sign in at {{host}}",
    create: "Create and sign in at {{host}}",
    describe: "Describe an entity",
    close: "Close this window",
    open: "Open the synapse",
    list: "Go to synapses",
  },
  afterCreate: "Accord opens the system's page once the synapse is created. You can test it when you have signed in.",
  state: {
    label: "Sign-in at the system",
    none: "Nobody has signed in yet.",
    by: "Signed in by {{name}}",
    account: "Account: {{name}}",
    accountWithId: "Account: {{name}} ({{id}})",
    renewed: "The access token is renewed by itself.",
    renewedUntil: "The access token is renewed by itself; the present one holds until {{until}}.",
    until:
      "The access token holds until {{until}}. The system gave nothing to renew it with: somebody has to sign in again then.",
    noEnd: "The system does not say when the access token ends.",
    outdated: "These settings are not the ones that {{name}} signed in with. Sign in again.",
    refused: "The system does not renew the access token",
  },
  attempt: {
    waiting: "Waiting for you to sign in at {{host}} in the other window…",
    failed: "The sign-in failed",
    stays: "The sign-in before it still counts.",
    otherLead:
      "Records of the other account would be taken for records of the former one: what is missing there counts as deleted, and records with the same id are overwritten.",
    useOther: "Sign in again and use account {{name}}",
    useUnnamed: "Sign in again and use the account that is not named",
  },
  opening: "Opening the page of the system…",
  readOnly: "To sign in, ask for the right to edit synapses.",
  result: {
    title: "Sign-in at the system",
    done: "You are signed in at {{host}}",
    doneBody: "You can close this window. Accord goes on in the other one.",
    failed: "The sign-in failed",
    waiting: "The sign-in is not finished",
    waitingBody: "Go on in the window of the system.",
    state: "This sign-in is not known",
    stateBody:
      "It was finished already, it took longer than {{minutes}} minutes, or it did not begin here. Begin again from the synapse.",
    session: "This sign-in belongs to another session",
    sessionBody: "Begin again from the synapse, in the browser and the instance where you are signed in to Accord.",
  },
} as const;
