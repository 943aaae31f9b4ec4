import assert from "node:assert/strict";
import { type Logger, silentLog } from "#kernel";
import { bootAdmin } from "../../support/sites/admin-site.js";

describe("system.debug", () => {
  const warnings = async (mode: string, debug: boolean) => {
    const opens: unknown[][] = [];
    const log: Logger = {
      ...silentLog,
      warn: (event, fields) => {
        if (fields !== undefined && "opens" in fields) opens.push([event, fields["opens"]]);
      },
      child: () => log,
    };
    const options = { env: { SITE_ENV: mode }, log, settings: { system: { debug } } };
    const site = await bootAdmin(options);
    const admin = await site.as("admin");
    const batch = { changes: [] };
    const { status } = await admin.send("POST", "/admin/api/dev/apply", batch);
    await site.close();
    return { status, opens };
  };

  it("enables dev/apply on a production server and warns with its URL", async () => {
    const { status, opens } = await warnings("production", true);
    assert.equal(status, 200);
    assert.deepEqual(opens, [
      [
        "markdown.debug_open",
        "error messages with file and line in mdx and tsx pages, for every visitor",
      ],
      ["admin.debug_open", "POST /admin/api/dev/apply"],
    ]);
  });

  it("does not warn without it, nor in dev mode", async () => {
    assert.deepEqual(await warnings("production", false), { status: 404, opens: [] });
    assert.deepEqual(await warnings("dev", true), { status: 200, opens: [] });
  });
});
