/** What Mailchimp answers of a member, read where its reference shows it. */
import { connectTo, entityNamed } from "@accord/connector-sdk/test-kit";
import { expect, test } from "vitest";
import { startVendor } from "../../../test-systems/vendors/server.ts";
import { mailchimp } from "./index.ts";

test("tags are read by their names, merge fields by their tags", async () => {
  const member = { id: "a1", contact_id: "a1", tags: [{ id: 1, name: "Press" }], merge_fields: { FNAME: "Ada" } };
  const merge_fields = [{ tag: "FNAME", name: "First name", type: "text" }];
  const server = await startVendor(({ path }) => ({
    status: 200,
    body: path.endsWith("/merge-fields") ? { merge_fields } : member,
  }));
  try {
    const connection = connectTo(mailchimp, {
      config: { dataCenter: "us21", audienceId: "a1b2c3d4e5", baseUrl: server.url },
      authType: "apiKey",
      credentials: { apiKey: "key-us21" },
    });
    const entity = await entityNamed(connection, "members");
    const fields = ["tags", "merge_fields.FNAME"];
    const [record] = (await connection.getByIds?.({ entity, fields, ids: ["a1"] })) ?? [];
    expect(record?.values).toMatchObject({ tags: ["Press"], "merge_fields.FNAME": "Ada" });
  } finally {
    await server.stop();
  }
});
