import assert from "node:assert/strict";
import type { Browser, BrowserContext } from "playwright-core";
import { password } from "../../support/sites/admin-site.js";
import { bootAccounts, type AccountSite } from "../../support/sites/account-site.js";
import { startNamedHost, type NamedHost } from "../../support/servers/named-host.js";
import { checkAccessible, panelPlugins } from "../../support/browsers/panel-browser.js";
import { Hands, openHands, RUNS, slugOf, type Run } from "../../support/browsers/panel-hands.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";
import { addVirtualAuthenticator } from "../../support/browsers/virtual-authenticator.js";

const next = "a better horse battery 2";

describe("people of the panel", () => {
  let browser: Browser;
  let front: NamedHost;
  let site: AccountSite;
  let closing: (() => Promise<void>)[] = [];
  before(async function () {
    browser = await useChromium(this);
    front = await startNamedHost();
    const settings = { site: { url: front.url } };
    const plugins = [...panelPlugins, "email", "outbound"];
    site = { ...(await bootAccounts({ plugins, settings })) };
    front.lead(site.url);
    site.url = front.url;
  });
  after(async () => {
    await site.close();
    front.close();
  });
  afterEach(async () => {
    for (const close of closing) await close();
    closing = [];
  });

  async function visitor(run: Run): Promise<{ context: BrowserContext; hands: Hands }> {
    const context = await browser.newContext({
      baseURL: site.url,
      locale: "en-GB",
      bypassCSP: true,
      viewport: { width: run.width, height: 900 },
      colorScheme: run.colorScheme,
    });
    closing.push(() => context.close());
    return { context, hands: new Hands(await context.newPage(), run.by) };
  }
  /** The path of the link in the first mail to an address. */
  async function linkTo(address: string): Promise<string> {
    const nth = (): number =>
      site.mail.received.findIndex(({ recipients }) => recipients.includes(address)) + 1;
    await until(() => nth() > 0);
    return site.linkOfMail(nth());
  }

  for (const run of RUNS) {
    describe(`by ${run.by} at ${run.width} pixels, ${run.colorScheme}`, () => {
      it("invites an author, who accepts and writes", async () => {
        const opened = await openHands(browser, site, { run, username: "inviter" });
        closing.push(opened.close);
        const { hands, page } = opened;
        await hands.go("Users");
        await hands.press(page.getByRole("button", { name: "Invite by e-mail" }));
        const dialog = page.getByRole("dialog");
        const email = `${slugOf("ines", run)}@example.org`;
        await hands.fill(dialog.getByLabel("E-mail address"), email);
        await checkAccessible(page, slugOf("journey-invite", run));
        await hands.press(dialog.getByRole("button", { name: "Invite" }));
        await page.getByText(`The invitation to ${email} was sent.`).waitFor();
        hands.finish("Invite an author");

        const { hands: guest } = await visitor(run);
        await guest.page.goto(await linkTo(email));
        await guest.fill(
          guest.page.getByLabel("Your name").or(guest.page.getByLabel("Name")).first(),
          "Ines",
        );
        await guest.fill(guest.page.getByLabel("Password", { exact: true }), next);
        await checkAccessible(guest.page, slugOf("journey-accept", run));
        await guest.press(guest.page.locator("button[type=submit]"));
        await guest.page.getByRole("heading", { level: 1, name: /Ines/ }).waitFor();
        await guest.page.getByRole("link", { name: "New page" }).waitFor();
      });

      it("resets a password", async () => {
        const username = slugOf("lost", run);
        await site.as("author", { username });
        const { hands } = await visitor(run);
        const { page } = hands;
        await page.goto("/admin/login");
        await hands.fill(page.getByLabel("Username or e-mail"), `${username}@example.org`);
        await hands.press(page.getByRole("button", { name: "Forgot your password?" }));
        await page.getByRole("heading", { name: "Check your mail" }).waitFor();
        await page.goto(await linkTo(`${username}@example.org`));
        await hands.fill(page.getByLabel("New password"), next);
        await checkAccessible(page, slugOf("journey-reset", run));
        await hands.press(page.getByRole("button", { name: "Set password" }));
        await page.getByRole("heading", { name: "Password changed" }).waitFor();
        await hands.fill(page.getByLabel("Password", { exact: true }), next);
        await hands.press(page.getByRole("button", { name: "Sign in", exact: true }));
        await page.getByRole("heading", { level: 1, name: /^Welcome/ }).waitFor();
        hands.finish("Reset a forgotten password, until signed in");
        const former = await site.form("/admin/login", { username, password });
        assert.equal(former.status, 401);
      });

      it("adds a passkey, and signs in with it", async () => {
        const { hands, page, close } = await openHands(browser, site, { run, path: "/account" });
        closing.push(close);
        await addVirtualAuthenticator(page);
        await hands.press(page.getByRole("button", { name: "Add a passkey" }));
        const dialog = page.getByRole("dialog");
        await hands.fill(dialog.getByLabel("Name"), "Laptop");
        await hands.fill(dialog.getByLabel("Current password"), password);
        await hands.press(dialog.getByRole("button", { name: "Save" }));
        await page.getByText("Not used yet").waitFor();
        await checkAccessible(page, slugOf("journey-passkey", run));
        const menu = page.getByRole("button", { name: "Menu", exact: true });
        if (await menu.isVisible()) await hands.press(menu);
        await hands.press(page.getByRole("button", { name: "Sign out" }));
        hands.begin();
        await hands.press(page.getByRole("button", { name: "Sign in with a passkey" }));
        await page.getByRole("heading", { level: 1, name: /^Welcome/ }).waitFor();
        hands.finish("Sign in with a passkey");
      });
    });
  }
});
