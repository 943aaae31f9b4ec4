import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { AUTH_PLUGINS, bootAuthSite, type AuthSite } from "../../../support/sites/auth-site.js";
import { startNamedHost, type NamedHost } from "../../../support/servers/named-host.js";
import { useChromium } from "../../../support/services.js";
import { addVirtualAuthenticator } from "../../../support/browsers/virtual-authenticator.js";

describe("passkeys of visitors in a browser", () => {
  let browser: Browser;
  let front: NamedHost;
  let site: AuthSite;
  let page: Page;
  const problems: string[] = [];
  before(async function () {
    browser = await useChromium(this);
  });
  beforeEach(async () => {
    problems.length = 0;
    front = await startNamedHost();
    const { url } = front;
    site = await bootAuthSite(
      { providers: { magicLink: { enabled: true }, passkeys: { enabled: true } } },
      { plugins: AUTH_PLUGINS, settings: { site: { url } }, env: { SITE_ENV: "dev" } },
    );
    front.lead(site.url);
    const context = await browser.newContext({ baseURL: url });
    page = await context.newPage();
    page.on(
      "console",
      (line) => void (line.text().includes("Content Security") && problems.push(line.text())),
    );
    page.on("pageerror", (error) => void problems.push(String(error)));
  });
  afterEach(async () => {
    await page.context().close();
    await site.close();
    front.close();
  });

  it("are added on the account page and log in on the login page", async () => {
    await site.linkFor({ email: "ada@example.org" });
    const path = /\/auth\/magic\?token=\S+/.exec(site.mails.at(-1)?.text ?? "")?.[0] ?? "";
    await page.goto(path);
    await addVirtualAuthenticator(page);
    await page.goto("/auth/account");
    await page.getByLabel("Name of the passkey").fill("Phone");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("The passkey was added.").waitFor();
    assert.match(await page.locator("#account-passkeys ~ ul").innerText(), /Phone/);

    await page.getByText("Rename", { exact: true }).click();
    await page.getByLabel("Name of the passkey").first().fill("Old phone");
    await page.getByRole("button", { name: "Save" }).last().click();
    await page.getByText("The passkey was renamed.").waitFor();

    await page.goto("/auth/logout");
    await page.goto("/auth/login?next=%2Fauth%2Faccount");
    const button = page.getByRole("button", { name: "Log in with a passkey" });
    // A browser that offers passkeys in the field may have logged in by now.
    await Promise.race([button.click(), page.waitForURL("**/auth/account")]).catch(() => undefined);
    await page.getByText("ada@example.org").waitFor();
    assert.match(await page.locator("#account-passkeys ~ ul").innerText(), /last used/);

    await page.getByRole("button", { name: "Remove: Old phone" }).click();
    await page.getByText("The passkey was removed.").waitFor();
    assert.deepEqual(problems, []);
  });
});
