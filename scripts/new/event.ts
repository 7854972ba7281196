/** `npm run new -- event <area>/<name>`: a message that the server pushes to open screens. */
import type { Area } from "./feature.ts";
import type { Names, Scaffold } from "./scaffold.ts";

export function eventScaffold(area: Area, { kebab, camel, title }: Names): Scaffold {
  return {
    files: {
      [`packages/contracts/src/${area}/${kebab}.ts`]: `/** ${title}: say here who needs it, and when it is sent. */
import { z } from "zod";
import { event } from "../event.ts";

export const ${camel} = event({
  name: "${camel}",
  channel: "instance",
  access: "signedIn",
  payload: z.strictObject({}),
});
`,
    },
    lines: [],
    next: [
      "Say in `access` who may read what it is about, and put into `payload` no more than what to read again.",
      `Send it after the commit: \`deps.realtime.publish(instanceId, ${camel}, {…})\`.`,
      `Listen beside the query that it makes stale: \`refreshOn(${camel}, [listThings])\`, or \`onEvent(${camel}, …)\`.`,
    ],
  };
}
