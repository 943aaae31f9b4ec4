import assert from "node:assert/strict";
import { type Logger, silentLog } from "#kernel";

import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

describe("magic links without a mailer", () => {
  let site: TestSite | undefined;
  afterEach(() => site?.close());

  async function warnings(email?: Record<string, unknown>): Promise<readonly string[]> {
    const events: string[] = [];
    const log: Logger = {
      ...silentLog,
      warn: (event) => void events.push(event),
      child: () => log,
    };
    const auth = { providers: { magicLink: { enabled: true } } };
    site = await bootSite({
      plugins: ["auth", "email"],
      log,
      env: { SITE_ENV: "production" },
      settings: { site: { auth, ...(email && { email }) } },
    });
    await site.site.ready;
    return events.filter((event) => event === "auth.no_mail");
  }

  it("are warned about at startup", async () => {
    assert.deepEqual(await warnings(), ["auth.no_mail"]);
  });

  it("are not warned about when a mailer is configured", async () => {
    const smtp = { host: "127.0.0.1", port: 9 };
    assert.deepEqual(await warnings({ provider: "smtp", from: "a@example.org", smtp }), []);
  });
});
