/** `npm run new -- feature <area>/<name>`: endpoint, server module, test and screen, under one name. */
import { type Names, namesOf, type Scaffold } from "./scaffold.ts";

export const AREAS = ["identity", "connections", "data", "sync", "insights", "operations"] as const;
export type Area = (typeof AREAS)[number];

export function featureScaffold(area: Area, names: Names): Scaffold {
  const { kebab, camel, pascal, title } = names;
  const studio = area === "identity" || area === "operations" ? "admin" : area;
  const one = namesOf(kebab.replace(/s$/, ""));
  const server = `apps/server/src/modules/${area}/${kebab}`;
  const web = `apps/web/src/studios/${studio}/${kebab}`;
  return {
    files: {
      [`packages/contracts/src/${area}/${kebab}.ts`]: contract(names, one),
      [`${server}/index.ts`]: moduleIndex(area, names),
      [`${server}/${kebab}.routes.ts`]: routes(area, names),
      [`${server}/${kebab}.service.ts`]: service(area, names, one),
      [`${server}/${kebab}.store.ts`]: store(area, names, one),
      [`${server}/${kebab}.int.test.ts`]: serverTest(area, names),
      [`${web}/routes.tsx`]: webRoutes(names),
      [`${web}/${kebab}-screen.tsx`]: screen(area, names),
    },
    lines: [
      {
        file: "packages/contracts/src/endpoints.ts",
        after: /^import \* as /,
        line: `import * as ${camel} from "./${area}/${kebab}.ts";`,
      },
      { file: "packages/contracts/src/endpoints.ts", after: /^ {2}\w+,$/, line: `  ${camel},` },
      {
        file: "apps/server/src/app.ts",
        after: /^import \{.*\} from "\.\/modules\//,
        line: `import { ${camel}Module } from "./modules/${area}/${kebab}/index.ts";`,
      },
      { file: "apps/server/src/app.ts", after: /^ {4}healthModule\(deps\),$/, line: `    ${camel}Module(deps),` },
      {
        file: "apps/web/src/router.tsx",
        after: /^import \{.*\} from "\.\/studios\//,
        line: `import { ${camel}Routes } from "./studios/${studio}/${kebab}/routes.tsx";`,
      },
      { file: "apps/web/src/router.tsx", after: /^ {4}\.\.\.settingsRoutes,$/, line: `    ...${camel}Routes,` },
    ],
    next: [
      `Say in packages/contracts/src/${area}/${kebab}.ts what a ${one.title.toLowerCase()} is and who may call what.`,
      `Write apps/server/migrations/app/NNNN-${kebab}.sql with the table ${one.snake} (instance_id and id, both text).`,
      `Write ${pascal}Screen; its words go to packages/contracts/src/messages/en, not into the screen.`,
      `npm run golden -- --update shows who may call the new endpoints; npm test -- ${kebab}`,
      `Add a line for ${title} to docs/ARCHITECTURE.md if it is a new idea.`,
    ],
  };
}

const contract = (
  { camel, kebab, pascal, title }: Names,
  one: Names,
): string => `/** ${title}: what they are, and the calls that list them. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";

export const ${one.pascal} = z.strictObject({ id: z.string(), name: z.string() });
export type ${one.pascal} = z.infer<typeof ${one.pascal}>;

export const list${pascal} = endpoint({
  name: "list${pascal}",
  method: "GET",
  path: "/${kebab}",
  access: "signedIn",
  scope: "instance",
  summary: "All ${title.toLowerCase()} of the instance, by name.",
  reply: z.strictObject({ ${camel}: z.array(${one.pascal}) }),
});
`;

const moduleIndex = (area: Area, { kebab, camel, title }: Names): string => `/** ${title}: the module. */
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import { ${camel}Routes } from "./${kebab}.routes.ts";
import { ${camel}Service } from "./${kebab}.service.ts";

export function ${camel}Module(deps: Deps): Module {
  return { name: "${area}/${kebab}", routes: ${camel}Routes(${camel}Service(deps)) };
}
`;

const routes = (
  area: Area,
  { kebab, camel, pascal, title }: Names,
): string => `/** Endpoints of ${title.toLowerCase()}. */
import { list${pascal} } from "@accord/contracts/${area}/${kebab}";
import { type Route, route } from "../../../platform/module.ts";
import type { ${pascal}Service } from "./${kebab}.service.ts";

export const ${camel}Routes = (service: ${pascal}Service): Route[] => [
  route(list${pascal}, async (ctx) => ({ ${camel}: await service.list(ctx) })),
];
`;

const service = (
  area: Area,
  { kebab, camel, pascal, title }: Names,
  one: Names,
): string => `/** What can be done with ${title.toLowerCase()}. */
import type { ${one.pascal} } from "@accord/contracts/${area}/${kebab}";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { list${pascal} } from "./${kebab}.store.ts";

export type ${pascal}Service = ReturnType<typeof ${camel}Service>;

export function ${camel}Service({ appDb }: Deps) {
  return {
    list: (ctx: Ctx): Promise<${one.pascal}[]> => list${pascal}(appDb, ctx.instanceId),
  };
}
`;

const store = (area: Area, { kebab, pascal, title }: Names, one: Names): string => `/** ${title} in the database. */
import type { Id } from "@accord/contracts";
import type { ${one.pascal} } from "@accord/contracts/${area}/${kebab}";
import type { Db } from "../../../platform/db/db.ts";

type Tables = { ${one.snake}: { id: string; instance_id: string; name: string } };

export const list${pascal} = (db: Db, at: Id<"instance">): Promise<${one.pascal}[]> =>
  db
    .withTables<Tables>()
    .selectFrom("${one.snake}")
    .select(["id", "name"])
    .where("instance_id", "=", at)
    .orderBy("name")
    .execute();
`;

const serverTest = (area: Area, { kebab, camel, pascal, title }: Names): string => `/** ${title}, through the API. */
import { list${pascal} } from "@accord/contracts/${area}/${kebab}";
import { expect, test } from "vitest";
import { testApp } from "../../../../test-kit/index.ts";

const t = await testApp();

test("a new instance has no ${title.toLowerCase()}", async () => {
  expect(await t.as("VIEWER").call(list${pascal})).toEqual({ ${camel}: [] });
});
`;

const webRoutes = ({ kebab, camel, pascal, title }: Names): string => `/** ${title}: where they are in the address. */
import { createRoute } from "@tanstack/react-router";
import { lazyScreen } from "../../../app/lazy-screen.ts";
import { signedInRoute } from "../../../frame/root-routes.tsx";

const ${camel}Route = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/${kebab}",
  component: lazyScreen(() => import("./${kebab}-screen.tsx"), "${pascal}Screen"),
});

export const ${camel}Routes = [${camel}Route] as const;
`;

const screen = (area: Area, { kebab, camel, pascal, title }: Names): string => `/** ${title}: the list. */
import { list${pascal} } from "@accord/contracts/${area}/${kebab}";
import { PageBody, TableSkeleton } from "@accord/ui";
import { useEndpoint } from "../../../app/queries.ts";
import { QueryView } from "../../../shared/query-view.tsx";

export function ${pascal}Screen() {
  const ${camel} = useEndpoint(list${pascal}, {});
  return (
    <PageBody>
      <QueryView query={${camel}} skeleton={<TableSkeleton />}>
        {(found) => (
          <ul>
            {found.${camel}.map((one) => (
              <li key={one.id}>{one.name}</li>
            ))}
          </ul>
        )}
      </QueryView>
    </PageBody>
  );
}
`;
